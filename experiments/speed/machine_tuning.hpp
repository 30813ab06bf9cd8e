// How far ahead the filters of process runs ask for their memory: as the calibration of this
// machine found best (docs/bench.md), or as built in.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/simd/batch_tuning.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// The tuning of a run's process runs.
struct MachineTuning {
  BatchTuning tuning = {};
  bool measured = false;                   ///< from a calibration, not built in
  std::vector<std::string> warnings = {};  ///< why a calibration was ignored, a line each
};

/// {"cached_bytes", "shared_bytes", "shared_lookahead", "memory_lookahead"}, as calibration files
/// have it.
[[nodiscard]] record::Json tuning_json(const BatchTuning& tuning);

/// Reads what tuning_json() writes, and nothing else. @param file names it in messages
/// Throws record::InputError for other keys, a value out of bounds, and a core's own cache that is
/// larger than the shared one.
[[nodiscard]] BatchTuning tuning_of(const record::Json& json, const std::string& file);

/// The tuning that a calibration file holds for the machine with this id (see Identity). Built in
/// where there is no file or it has no tuning; with a warning where it cannot be read or tells of
/// another machine. @param file empty: none
[[nodiscard]] MachineTuning machine_tuning(const std::filesystem::path& file,
                                           std::string_view machine_id);

/// {"source": "measured" or "built_in"} and the values, for provenance.
[[nodiscard]] record::Json provenance_of(const MachineTuning& tuning);

}  // namespace bloomlab::experiments
