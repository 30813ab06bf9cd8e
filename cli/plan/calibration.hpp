// The times that `bloomlab bench --calibrate` measured on this machine (docs/bench.md), those of
// the reference run, and what a lookup in the recommended filter costs, for the break-even.
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

/// A calibration file, or the reference run.
struct Calibration {
  std::filesystem::path path = {};  ///< empty for the reference run
  std::string processor = {};       ///< of the reference run; empty for a file
  std::map<std::string, std::vector<CalibratedTiming>> filters = {};  ///< by increasing memory

  /// Times of a filter of this size, interpolated over the logarithm of its memory; the smallest
  /// size measured stands for all below; nothing beyond the largest, and for others. Of the
  /// reference run, another machine's, nothing outside the sizes measured.
  [[nodiscard]] std::optional<planner::Timing> timing_of(const planner::Candidate& candidate) const;
};

/// Reads a calibration file. Throws record::InputError.
[[nodiscard]] Calibration read_calibration(const std::filesystem::path& path);

/// The medians of the stored reference run (results/throughput.json as this program was built):
/// filters of 10 bits per key.
[[nodiscard]] Calibration reference_calibration();

/// A processor's name in a line: without trademarks and clock ("Intel(R) Xeon(R) Processor @
/// 2.50GHz": "Intel Xeon"). JSON has it whole.
[[nodiscard]] std::string short_processor(std::string name);

/// Time of a lookup and where it is from.
struct FilterCost {
  double ns = 0.0;
  std::string source;
};

/// The duration that `text` says, or for "auto" what was measured for the recommended filter, mixed
/// by the hit ratio; where nothing was measured, 100 ns for each cache line that it reads.
/// Throws record::InputError for a text that is neither.
[[nodiscard]] FilterCost filter_cost_of(const std::string& text,
                                        const planner::Comparison& comparison, double hit_ratio);

}  // namespace bloomlab::cli
