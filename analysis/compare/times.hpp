// The durations of two folders. A process is the replicate: what several process runs of the
// program timed is tested, by ranks of one median per process run; what trials within one process
// timed is told and never judged, for one process is one look at the machine. Cells are tested one
// by one, and all cells of a file together by rounds (rounds.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/compare/pairs.hpp"
#include "statistics/interval.hpp"

namespace bloomlab::analysis::compare {

/// The name of all durations of a file in one.
inline constexpr const char* all_durations = "all";

/// One duration of one cell in both folders, tested; or of all cells of a file together.
struct TimeDifference {
  std::string stem;
  Json cell;         ///< null: all cells together, round by round
  std::string name;  ///< what was timed: "insert", "negative", "hash", ...; or all_durations
  std::uint64_t first_process_runs = 0;
  std::uint64_t second_process_runs = 0;
  /// A key, median of one median per process run; of all cells together, of their geometric means.
  double first_ns = 0.0;
  double second_ns = 0.0;         ///< the same
  double ratio = 1.0;             ///< second over first: Hodges and Lehmann's shift of logarithms
  double explained = 1.0;         ///< as in RoundScores: not in the ratio; 1 for a single cell
  statistics::Interval interval;  ///< of the ratio, at thresholds::interval_level
  double p_value = 1.0;           ///< Mann and Whitney's test, two-sided
  double adjusted_p = 1.0;        ///< after Holm, over its family, for all families together
  double noise_floor = 1.0;       ///< >= 1: ratios up to here are noise
  bool changed = false;           ///< beyond chance and beyond the noise floor

  [[nodiscard]] bool is_of_all_cells() const { return cell.is_null(); }
};

/// What the cells of one pair of files say of durations.
struct TimeFindings {
  std::vector<TimeDifference> tested;
  /// By name: ratios of medians, one a cell, that are not judged: of trials within one process, or
  /// of fewer process runs than thresholds::comparison_process_runs.
  std::map<std::string, std::vector<double>> indicative;
  bool within_one_process = false;  ///< the kind times trials, not process runs
  double noise_floor = 1.0;         ///< of the halves, over all durations
  double machine = 1.0;             ///< >= 1: of the bracket's loops, which are part of the floor
};

/// Tests the durations of a pair of files; adjusted p-values are left at 1. Durations within one
/// process are told where both files asked as many queries.
/// Throws record::InputError, naming the file, where a duration is none.
[[nodiscard]] TimeFindings time_findings(const FilePair& files);

}  // namespace bloomlab::analysis::compare
