// Kind `calibration`: the statistics judge themselves. Experiments are simulated by the law of an
// ideal standard filter, where the truth is known, and it is counted how often each interval
// contains its own truth, and how often each test rejects.
#pragma once

#include "experiments/kinds/calibration_experiment.hpp"
#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

struct Calibration : OwnGridKind<Calibration> {
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

  using Point = CalibrationPoint;

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
