#include "foreign/process_tree.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace bloomlab::foreign {
namespace {

void add_children(pid_t process, std::vector<pid_t>& found) {
  namespace fs = std::filesystem;
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  std::error_code gone;
  for (fs::directory_iterator task(tasks, gone), end; !gone && task != end; task.increment(gone)) {
    std::ifstream list(task->path() / "children");
    for (pid_t child = 0; list >> child;) found.push_back(child);
  }
}

}  // namespace

std::vector<pid_t> processes_below(pid_t process) {
  std::vector<pid_t> found;
  add_children(process, found);
  // NOLINTNEXTLINE: the list grows while it is gone through
  for (std::size_t i = 0; i < found.size(); ++i) add_children(found[i], found);
  return found;
}

std::uint64_t present_bytes(std::span<const pid_t> processes) {
  std::uint64_t pages = 0;
  for (const pid_t one : processes) {
    std::ifstream numbers("/proc/" + std::to_string(one) + "/statm");
    std::uint64_t size = 0;
    std::uint64_t present = 0;
    numbers >> size >> present;
    pages += present;
  }
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace bloomlab::foreign
