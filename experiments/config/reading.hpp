// Reads a config strictly, expands its grid into cells, and checks everything.
#pragma once

#include <filesystem>

#include "experiments/config/config.hpp"
#include "experiments/machine/machine.hpp"

namespace bloomlab::experiments {

/// Reads a config, expands its grid and checks every cell before anything is allocated.
/// Throws record::InputError: one line that names file, JSON pointer, what was found, what is
/// allowed, and the nearest known word.
[[nodiscard]] Config read_config(const std::filesystem::path& path,
                                 const Machine& machine = Machine::here());

/// The same for a config that is in memory, such as that of a result file. `path` names it in
/// messages, gives its stem, and its folder is where relative paths start.
[[nodiscard]] Config config_of(const record::Json& json, const std::filesystem::path& path,
                               const Machine& machine = Machine::here());

}  // namespace bloomlab::experiments
