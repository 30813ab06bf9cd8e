// Calibration: what this machine's caches are and what filters cost on it, in a file that
// `bloomlab plan` reads. docs/bench.md describes it.
#pragma once

#include <filesystem>
#include <string>

#include "record/result_file.hpp"

namespace bloomlab::cli {

/// $XDG_CACHE_HOME/bloomlab/calibration.json, else ~/.cache/bloomlab/calibration.json. Throws
/// record::InputError where neither variable is set.
[[nodiscard]] std::filesystem::path calibration_path();

/// Writes the config that a calibration measures: every filter at several sizes, by other seeds
/// than any other config. @param small fewer sizes and launches, for a quick look
[[nodiscard]] std::string write_calibration_config(const std::filesystem::path& folder, bool small);

/// The calibration file's content, from the results of that config.
[[nodiscard]] record::Json calibration_json(const record::ResultFile& file);

}  // namespace bloomlab::cli
