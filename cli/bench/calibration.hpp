// Calibration: what this machine's caches are, what filters cost on it and how far ahead they ask
// for memory best, in a file that `bloomlab plan` and process runs read. docs/bench.md describes
// it.
#pragma once

#include <filesystem>
#include <string>

#include "core/simd/batch_tuning.hpp"
#include "record/result_file.hpp"

namespace bloomlab::cli {

/// Writes the config that a calibration measures: every filter at several sizes, by other seeds
/// than any other config. @param small fewer sizes and process runs, for a quick look
[[nodiscard]] std::string write_calibration_config(const std::filesystem::path& folder, bool small);

/// Writes the config that distinguishes lookaheads: a filter in the shared cache and one well
/// beyond all caches, some lookaheads each, all with the same keys. @param sizes the caches' are
/// used
/// @param small fewer implementations, lookaheads and process runs, too few of these for a choice
[[nodiscard]] std::string write_tuning_config(const std::filesystem::path& folder,
                                              const BatchTuning& sizes, bool small);

/// The built-in tuning with the sizes of the caches that the results show.
[[nodiscard]] BatchTuning tuning_with_sizes(const record::ResultFile& file);

/// The calibration file's content, from the results of both configs. @param sizes as they were
/// given to write_tuning_config()
[[nodiscard]] record::Json calibration_json(const record::ResultFile& file,
                                            const record::ResultFile& lookaheads,
                                            const BatchTuning& sizes);

}  // namespace bloomlab::cli
