// Kind `calibration`: the statistics judge themselves. Experiments are simulated by the law of an
// ideal standard filter, where the truth is known, and it is counted how often each interval
// contains its own truth, and how often each test rejects.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.hpp"
#include "experiments/kinds/measurement.hpp"

namespace bloomlab::experiments {

struct Calibration {
  static constexpr std::string_view name = "calibration";
  static constexpr std::string_view summary =
      "simulate experiments by their law; count how often intervals cover and tests reject";

  struct Parameters {
    std::uint64_t simulations = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"simulations", "experiments", "experiments simulated at every point", 1,
                       10'000'000},
          p.simulations);
  }

  /// What is simulated.
  struct Point {
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

  /// A fault of the point as a text, or nothing.
  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);

  /// A trial draws all experiments anew.
  static std::span<const std::string_view> redrawn() {
    static constexpr std::array<std::string_view, 1> what = {"simulations"};
    return what;
  }

  /// Of one trial, roughly: the tables of the laws [bytes].
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  /// Of one trial on one thread, roughly [s].
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Observations of every trial of a point.
  static std::uint64_t steps(const Parameters& /*p*/) { return 1; }

  /// Simulates all experiments of a point. `measured` holds counts of experiments, those that the
  /// design allows: simulations; queries (of all filters together);
  /// *_covered, intervals at interval_level that contain their truth: own_clopper_pearson,
  /// own_wilson, own_fixed_hits (the first filter's own rate), ensemble (estimate_ensemble with the
  /// law) and pooled_wilson (the mean rate over filters), fill_known, fill_student (that mean, by
  /// the filters' set bits);
  /// *_rejections, tests at calibration_alpha / family: rate, own_rates, set_bits;
  /// precision_reached, precision_out_of_reach (more queries cannot help), precision_given_up (64
  /// times the expected queries asked).
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
