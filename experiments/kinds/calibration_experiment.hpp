// The experiments that kind `calibration` simulates: what a point of its grid means, and how one
// experiment is drawn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/parameters.hpp"
#include "experiments/kinds/calibration_laws.hpp"
#include "statistics/hit_law.hpp"
#include "statistics/power.hpp"
#include "statistics/sequential.hpp"
#include "statistics/test.hpp"

namespace bloomlab::experiments {

/// What is simulated.
struct CalibrationPoint {
  static constexpr std::string_view name = "experiment";

  /// When a filter is asked no more.
  enum class Design {
    fixed,      ///< after ceil(expected_hits / (T f)) queries of each filter
    precision,  ///< at the relative half-width 1.96 / sqrt(expected_hits), at 95 %
    hits,       ///< at the hit number expected_hits, rounded
    planned     ///< when the plan of power.hpp for a deviation of calibration_effect says so
  };
  static constexpr std::array<std::string_view, 4> designs = {"fixed", "precision", "hits",
                                                              "planned"};

  struct Parameters {
    std::uint64_t m = 0;
    std::uint64_t bits_per_key = 0;
    std::uint64_t k = 0;
    std::uint64_t trials = 0;
    Design design = Design::fixed;
    double expected_hits = 0.0;
    double effect = 0.0;
    std::uint64_t family = 1;

    /// Keys in each filter, floor(m / bits_per_key).
    [[nodiscard]] std::uint64_t keys() const noexcept { return m / bits_per_key; }
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filters", 1, 1 << 20}, p.m);
    visit(IntegerField{"bits_per_key", "bits", "m over n; n is rounded down, and at least 1", 1,
                       1 << 20},
          p.bits_per_key);
    visit(IntegerField{"k", "probes per key", "probes; kn at most 2^20", 1, 256}, p.k);
    visit(IntegerField{"trials", "filters", "filters of one experiment", 1, 1000}, p.trials);
    visit(ChoiceField{"design", "when a filter is asked no more", designs, 0}, p.design);
    visit(RealField{.name = "expected_hits",
                    .unit = "hits",
                    .meaning = "hits expected over all filters; 0 with the design planned",
                    .min = 0.0,
                    .max = 1e6,
                    .fallback = 0.0},
          p.expected_hits);
    visit(RealField{.name = "effect",
                    .unit = "",
                    .meaning = "relative deviation of the filters' rates from theory",
                    .min = -0.9,
                    .max = 1.0,
                    .fallback = 0.0},
          p.effect);
    visit(IntegerField{"family", "cells",
                       "a test rejects at calibration_alpha / family, Holm's first step", 1,
                       1'000'000, 1},
          p.family);
  }
};

/// The plan of a point with the design `planned`: calibration_alpha shared by the family.
[[nodiscard]] statistics::TestPlan plan_of(const CalibrationPoint::Parameters& at);

/// The relative half-width at which the design `precision` stops: 1.96 / sqrt(expected_hits).
[[nodiscard]] double relative_of(const CalibrationPoint::Parameters& at);

/// A point with its laws. A sort of filter is a number of set bits, counted from the smallest one.
struct CalibrationExperiment {
  /// Throws std::runtime_error where a planned experiment needs more filters.
  explicit CalibrationExperiment(const CalibrationPoint::Parameters& point);

  /// The rates that filters have, by sort: theory's, changed by the effect, at most 1.
  [[nodiscard]] std::vector<double> true_rates() const;
  /// Their mean over filters.
  [[nodiscard]] double true_mean() const { return rate.rate * (1.0 + at.effect); }

  CalibrationPoint::Parameters at;
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
