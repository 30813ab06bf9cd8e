// What bounds the memory of a run.
#include "experiments/machine/machine.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/experiments/config_files.hpp"

namespace bloomlab::experiments {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// A /proc and a /sys/fs/cgroup of a process in the groups that `groups` lists.
struct PretendedSystem {
  explicit PretendedSystem(const std::string& groups) {
    write("proc/self/cgroup", groups);
    write("proc/meminfo", "MemTotal: 999999999 kB\nMemAvailable:  819200 kB\n");
  }
  void write(const std::string& name, const std::string& text) const {
    const fs::path path = folder.path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  [[nodiscard]] Machine machine(std::optional<std::uint64_t> at_most = std::nullopt) const {
    return Machine::here(at_most, {folder.path() / "proc", folder.path() / "cgroup"});
  }

  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("without limits a run may take the memory that is available", "[experiments][memory]") {
  const PretendedSystem system("0::/user\n");
  system.write("cgroup/user/memory.max", "max\n");
  CHECK(system.machine().memory_bytes == 800 * mebibyte);
  CHECK(system.machine().bound_by == "this machine has available (MemAvailable)");
}

TEST_CASE("a run may take no more than the control group leaves, nor those around it",
          "[experiments][memory]") {
  const std::string phrase = "the memory limit of the control group leaves";
  SECTION("version 2, the group itself") {
    const PretendedSystem system("0::/user/lab\n");
    system.write("cgroup/user/lab/memory.max", std::to_string(100 * mebibyte));
    CHECK(system.machine().memory_bytes == 100 * mebibyte);
    CHECK(system.machine().bound_by == phrase);
  }
  SECTION("version 2, a group around it, of which a part is used, in part by cached files") {
    const PretendedSystem system("0::/user/lab\n");
    system.write("cgroup/user/lab/memory.max", "max\n");
    system.write("cgroup/user/memory.max", std::to_string(100 * mebibyte));
    system.write("cgroup/user/memory.current", std::to_string(70 * mebibyte));
    system.write("cgroup/user/memory.stat", "anon 1\ninactive_file " +
                                                std::to_string(20 * mebibyte) + "\nactive_file " +
                                                std::to_string(10 * mebibyte) + "\n");
    CHECK(system.machine().memory_bytes == 60 * mebibyte);
  }
  SECTION("version 1 beside an empty version 2") {
    const PretendedSystem system("4:cpu,memory:/lab\n0::/\n");
    system.write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    system.write("cgroup/memory/lab/memory.limit_in_bytes", std::to_string(64 * mebibyte));
    system.write("cgroup/memory/lab/memory.usage_in_bytes", std::to_string(14 * mebibyte));
    CHECK(system.machine().memory_bytes == 50 * mebibyte);
    CHECK(system.machine().bound_by == phrase);
  }
  SECTION("a group that is used up leaves nothing") {
    const PretendedSystem system("0::/lab\n");
    system.write("cgroup/lab/memory.max", "1000");
    system.write("cgroup/lab/memory.current", "1001");
    CHECK(system.machine().memory_bytes == 0);
  }
}

TEST_CASE("the command line bounds what a run may take, and never widens it",
          "[experiments][memory]") {
  const PretendedSystem system("0::/\n");
  CHECK(system.machine(7 * mebibyte).memory_bytes == 7 * mebibyte);
  CHECK(system.machine(7 * mebibyte).bound_by == "--max-memory allows");
  CHECK(system.machine(900 * mebibyte).memory_bytes == 800 * mebibyte);
}

TEST_CASE("the machine has at least the memory that a run may take", "[experiments][memory]") {
  CHECK(Machine::here().memory_bytes <= physical_memory_bytes());
  CHECK(Machine::here().memory_bytes > 0);
}

}  // namespace bloomlab::experiments
