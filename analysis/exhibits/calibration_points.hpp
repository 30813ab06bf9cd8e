// The points of an experiment of kind `calibration`: what was simulated, and what was counted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/exhibits/shares.hpp"

namespace bloomlab::analysis {

/// One point of the grid; counts are summed over its trials.
struct CalibrationPoint {
  std::uint64_t m = 0;             ///< filter bits
  std::uint64_t bits_per_key = 0;  ///< m over n
  std::uint64_t k = 0;             ///< probes per key
  std::uint64_t trials = 0;        ///< filters of one experiment
  std::string design;              ///< "fixed", "precision", "hits" or "planned"
  double expected_hits = 0;        ///< over all filters of one experiment; 0 where planned
  double effect = 0;               ///< relative deviation of the filters from theory
  std::uint64_t family = 1;        ///< tests reject at calibration_alpha / family
  std::map<std::string, std::uint64_t, std::less<>> counts;

  [[nodiscard]] std::uint64_t simulations() const { return counts.at("simulations"); }
  /// The share of simulations that were counted under `key`; unknown where that was not counted.
  [[nodiscard]] Share share(std::string_view key) const;
  /// Queries of one filter in one experiment, on average.
  [[nodiscard]] double queries() const;
  /// The exact rate over filters.
  [[nodiscard]] double rate() const;
  /// What a test rejects at.
  [[nodiscard]] double alpha() const;
  /// Where the point stands in its grid: "m = 1 000, 5 trials, 30 hits".
  [[nodiscard]] std::string label() const;
};

/// The points in grid order. Throws record::InputError that names `where` for observations that are
/// none of this kind.
[[nodiscard]] std::vector<CalibrationPoint> calibration_points(
    const std::vector<record::Observation>& observations, const std::string& where);

/// Points without an effect, a column for every test that was made: how often it rejects a right
/// filter.
struct Alarms {
  Table table;  ///< "alarms"
  Tally tally;
};
[[nodiscard]] Alarms alarms_of(const std::vector<CalibrationPoint>& points, const Words& words);

/// Values alarm_tests, alarms_kept, alarms_broken, alpha, alarm_chance.
[[nodiscard]] Tags alarm_values(const Tally& tally);

}  // namespace bloomlab::analysis
