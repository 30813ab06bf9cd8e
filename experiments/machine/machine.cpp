#include "experiments/machine/machine.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace bloomlab::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t rest(std::uint64_t limit, std::uint64_t used) {
  return limit - std::min(limit, used);
}

/// The number that follows a word in a file of lines such as "MemAvailable:  1024 kB".
std::optional<std::uint64_t> number_after(const fs::path& file, const std::string& word) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string first;
    std::uint64_t number = 0;
    if (fields >> first >> number && first == word) return number;
  }
  return std::nullopt;
}

/// The number that a file holds; nothing where it holds none, as "max".
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  if (in >> number) return number;
  return std::nullopt;
}

/// The names that the two versions of control groups give to the same.
struct GroupFiles {
  const char* limit;
  const char* used;
  const char* inactive_cache;
  const char* active_cache;
};
constexpr GroupFiles version_1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                  "total_inactive_file", "total_active_file"};
constexpr GroupFiles version_2 = {"memory.max", "memory.current", "inactive_file", "active_file"};

/// What the limit of one group leaves: files in its cache make way.
std::uint64_t left_in_group(const fs::path& group, const GroupFiles& names) {
  const auto limit = number_in(group / names.limit);
  if (!limit) return no_limit;
  const fs::path statistics = group / "memory.stat";
  const std::uint64_t cache = number_after(statistics, names.inactive_cache).value_or(0) +
                              number_after(statistics, names.active_cache).value_or(0);
  return rest(*limit, rest(number_in(group / names.used).value_or(0), cache));
}

/// The least that the group and those around it leave.
std::uint64_t left_in_groups(const fs::path& mount, fs::path group, const GroupFiles& names) {
  std::uint64_t least = left_in_group(mount, names);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path()) {
    least = std::min(least, left_in_group(mount / group, names));
  }
  return least;
}

/// Lines of /proc/self/cgroup: "0::/a/b" of version 2, "4:memory:/a/b" of version 1.
std::uint64_t left_by_groups(const SystemFiles& system) {
  std::uint64_t least = no_limit;
  std::ifstream in(system.proc / "self" / "cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    // With a comma on both sides of every name.
    line[first] = line[second] = ',';
    const std::string_view controllers = std::string_view(line).substr(first, second - first + 1);
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") {
      least = std::min({least, left_in_groups(system.groups, group, version_2),
                        left_in_groups(system.groups / "unified", group, version_2)});
    } else if (controllers.find(",memory,") != std::string_view::npos) {
      least = std::min(least, left_in_groups(system.groups / "memory", group, version_1));
    }
  }
  return least;
}

/// What a limit of the process leaves of what it has already [KiB, a line of /proc/self/status].
template <class Resource>
std::uint64_t left_by_limit(Resource resource, const SystemFiles& system, const char* used) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  return rest(limit.rlim_cur, number_after(system.proc / "self" / "status", used).value_or(0)
                                  << 10);
}

}  // namespace

std::uint64_t physical_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

Machine Machine::here(std::optional<std::uint64_t> at_most, const SystemFiles& system) {
  Machine machine{physical_memory_bytes()};
  const auto bound = [&](std::uint64_t bytes, std::string_view by) {
    if (bytes < machine.memory_bytes) machine = {bytes, by};
  };
  if (const auto available = number_after(system.proc / "meminfo", "MemAvailable:")) {
    bound(*available << 10, "this machine has available (MemAvailable)");
  }
  bound(left_by_groups(system), "the memory limit of the control group leaves");
  bound(left_by_limit(RLIMIT_AS, system, "VmSize:"), "the address space (ulimit -v) leaves");
  bound(left_by_limit(RLIMIT_DATA, system, "VmData:"), "the data segment (ulimit -d) leaves");
  if (at_most) bound(*at_most, "--max-memory allows");
  return machine;
}

}  // namespace bloomlab::experiments
