// The times that `bloomlab bench --calibrate` measured on this machine (docs/bench.md).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/comparison.hpp"

namespace bloomlab::cli {

/// A filter's medians at one size.
struct CalibratedTiming {
  double memory_bytes = 0.0;
  planner::Timing timing = {};
};

/// A calibration file.
struct Calibration {
  std::filesystem::path path;
  std::map<std::string, std::vector<CalibratedTiming>> filters;  ///< by increasing memory

  /// Times of a filter of this size, interpolated over the logarithm of its memory; the smallest
  /// size measured stands for all below; nothing beyond the largest, and for others.
  [[nodiscard]] std::optional<planner::Timing> timing_of(const planner::Candidate& candidate) const;
};

/// Reads a calibration file. Throws record::InputError.
[[nodiscard]] Calibration read_calibration(const std::filesystem::path& path);

}  // namespace bloomlab::cli
