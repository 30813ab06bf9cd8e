// The configs that `bloomlab bench` runs, and what its options change in them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/config.hpp"

namespace bloomlab::cli {

/// What the command line says in place of a config.
struct SpeedOverrides {
  std::optional<std::uint64_t> n = {};             ///< keys; configs without n keep what they have
  std::optional<std::uint64_t> process_runs = {};  ///< trials of every row
};

/// The speed configs of the folder configs/, or their small twins.
[[nodiscard]] std::vector<std::string> usual_speed_configs(bool small);

/// Reads the configs; where something is overridden, a changed copy is written below `out` and read
/// in its place. Throws record::InputError, also for a kind that yields no speeds.
[[nodiscard]] std::vector<experiments::Config> speed_configs(const std::vector<std::string>& paths,
                                                             const SpeedOverrides& overrides,
                                                             const std::filesystem::path& out);

}  // namespace bloomlab::cli
