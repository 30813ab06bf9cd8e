// The experiments that kind `calibration` simulates: what a point of its grid means, and how one
// experiment is drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "experiments/kinds/calibration.hpp"
#include "experiments/kinds/calibration_laws.hpp"
#include "statistics/hit_law.hpp"
#include "statistics/power.hpp"
#include "statistics/sequential.hpp"
#include "statistics/test.hpp"

namespace bloomlab::experiments {

/// The plan of a point with the design `planned`: calibration_alpha shared by the family.
[[nodiscard]] statistics::TestPlan plan_of(const Calibration::Point::Parameters& at);

/// The relative half-width at which the design `precision` stops: 1.96 / sqrt(expected_hits).
[[nodiscard]] double relative_of(const Calibration::Point::Parameters& at);

/// A point with its laws. A sort of filter is a number of set bits, counted from the smallest one.
struct CalibrationExperiment {
  /// Throws std::runtime_error where a planned experiment needs more filters.
  explicit CalibrationExperiment(const Calibration::Point::Parameters& point);

  /// The rates that filters have, by sort: theory's, changed by the effect, at most 1.
  [[nodiscard]] std::vector<double> true_rates() const;
  /// Their mean over filters.
  [[nodiscard]] double true_mean() const { return rate.rate * (1.0 + at.effect); }

  Calibration::Point::Parameters at;
  DiscreteLaw set_bits;
  std::vector<double> own_rates;  ///< theory's (X/m)^k, by sort
  statistics::RateLaw rate;       ///< theory's, over filters
  statistics::SetBitsLaw set_bits_moments;
  std::uint64_t queries = 0;  ///< of each filter, by plan or by expected hits
};

/// What one experiment shows.
struct CalibrationOutcome {
  std::vector<std::size_t> sorts;   ///< of each filter
  std::vector<std::uint64_t> hits;  ///< of each filter
  std::uint64_t queries = 0;        ///< asked of each filter
  statistics::Precision stopped = statistics::Precision::not_yet;
};

/// Draws the experiments of a point, one after the other.
class CalibrationSimulator {
 public:
  /// @param experiment must live as long as this
  CalibrationSimulator(const CalibrationExperiment& experiment, std::uint64_t seed);

  /// The rate that filters of this sort have.
  [[nodiscard]] double rate(std::size_t sort) const noexcept { return sampler_.rate(sort); }

  /// Replaces `outcome` by the next experiment's, so that a million of them share their memory.
  void draw(CalibrationOutcome& outcome);

 private:
  void ask(CalibrationOutcome& outcome, std::uint64_t more);
  void ask_until_precise(CalibrationOutcome& outcome);
  [[nodiscard]] statistics::Precision decide(const CalibrationOutcome& outcome) const;

  const CalibrationExperiment& experiment_;
  HitSampler sampler_;
  CounterRandom random_;
  std::uint64_t needed_ = 0;
  std::optional<statistics::EnsemblePrecision> ensemble_;
};

}  // namespace bloomlab::experiments
