// How much memory a run may take.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace bloomlab::experiments {

/// Where the system says what a process may have; another folder in tests.
struct SystemFiles {
  std::filesystem::path proc = "/proc";
  std::filesystem::path groups = "/sys/fs/cgroup";
};

/// The memory of the machine, used or not.
[[nodiscard]] std::uint64_t physical_memory_bytes();

/// What a config is checked against.
struct Machine {
  std::uint64_t memory_bytes = 0;                  ///< that may be taken
  std::string_view bound_by = "this machine has";  ///< what says so; the number follows it

  /// What this process may take now: the least of physical and available memory, of what the
  /// limits of its control group and of those around it leave (cgroup versions 1 and 2; files in
  /// the cache make way), of what the limits of its address space and data segment leave, and of
  /// `at_most`.
  [[nodiscard]] static Machine here(std::optional<std::uint64_t> at_most = std::nullopt,
                                    const SystemFiles& system = {});
};

}  // namespace bloomlab::experiments
