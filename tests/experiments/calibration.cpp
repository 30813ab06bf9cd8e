// The statistics judged by simulation: what the kind counts, and that the intervals and tests keep
// what they promise.
#include "experiments/kinds/calibration.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "experiments/kinds/calibration_experiment.hpp"
#include "experiments/kinds/own_grid.hpp"
#include "record/parameters_json.hpp"
#include "statistics/coverage.hpp"
#include "statistics/hit_law.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::experiments {
namespace {

static_assert(OwnGrid<Calibration>);

using CalibrationPoint = Calibration::Point::Parameters;
using Design = Calibration::Point::Design;
namespace thresholds = statistics::thresholds;

constexpr std::uint64_t simulations = 20000;

// Ten bits per key, seven probes: a rate of .0083 at 1000 bits, .0082 above.
CalibrationPoint calibration_point(std::uint64_t m, std::uint64_t trials, double expected_hits) {
  return {m, 10, 7, trials, Design::fixed, expected_hits, 0.0, 1};
}

record::Json measured(const CalibrationPoint& at, std::uint64_t seed = 3) {
  REQUIRE(Calibration::check({simulations}, at) == std::nullopt);
  const auto measurements = Calibration::measure({simulations}, at, seed);
  REQUIRE(measurements.size() == 1);
  return measurements[0].measured;
}

double share(const record::Json& json, const char* key) {
  CAPTURE(key);
  REQUIRE(json.contains(key));
  return json.at(key).get<double>() / static_cast<double>(simulations);
}

// Right tests reject more often than this with probability below half a per cent.
double most_alarms(double alpha) {
  const auto law = statistics::HitLaw::binomial(static_cast<double>(simulations), alpha);
  return law.critical_high((1.0 - thresholds::simulation_level) / 2.0) /
         static_cast<double>(simulations);
}

TEST_CASE("ensemble and fill intervals keep their level from thirty expected hits on",
          "[calibration][coverage]") {
  // 94 to 96 %, as counted in 20 000 simulations: chance moves a share by 0.15 %, so that a right
  // interval fails here with probability below 1e-9, and one that covers 94 % with 1/2.
  for (const std::uint64_t m : {1000U, 20000U}) {
    for (const std::uint64_t trials : {1U, 5U, 30U}) {
      for (const double expected : {30.0, 1000.0}) {
        CAPTURE(m, trials, expected);
        const record::Json json = measured(calibration_point(m, trials, expected));
        const auto keeps = [&](const char* key) {
          return std::abs(share(json, key) - 0.95) <= thresholds::coverage_tolerance;
        };
        CHECK(keeps("ensemble_covered"));
        CHECK(keeps("fill_known_covered"));
        if (trials > 1) CHECK(keeps("fill_student_covered"));
        CHECK(json.contains("fill_student_covered") == (trials > 1));
        CHECK(share(json, "own_clopper_pearson_covered") > 0.95 - 4.5 * 0.00154);
        CHECK(share(json, "rate_rejections") <= most_alarms(0.05));
        CHECK(share(json, "own_rates_rejections") <= most_alarms(0.05));
        CHECK(share(json, "set_bits_rejections") <= most_alarms(0.05));
      }
    }
  }
}

TEST_CASE("with few hits intervals cover at least their level", "[calibration][coverage]") {
  for (const std::uint64_t trials : {1U, 5U}) {
    for (const double expected : {0.5, 3.0, 10.0}) {
      CAPTURE(trials, expected);
      const record::Json json = measured(calibration_point(1000, trials, expected));
      CHECK(share(json, "ensemble_covered") > 0.95 - 4.5 * 0.00154);
      CHECK(share(json, "own_clopper_pearson_covered") > 0.95 - 4.5 * 0.00154);
      CHECK(share(json, "rate_rejections") <= most_alarms(0.05));
    }
  }
}

TEST_CASE("pooled intervals are shown to fail", "[calibration][coverage]") {
  // One filter of 1000 bits, 1.2e5 queries: design effect 16, 1.96 / 4 standard deviations.
  const record::Json json = measured(calibration_point(1000, 1, 1000.0));
  CHECK(share(json, "pooled_wilson_covered") == Approx(0.37).margin(0.03));
}

TEST_CASE("simulated coverage of one filter is the exact sum", "[calibration][coverage]") {
  const CalibrationPoint at = calibration_point(1000, 1, 10.0);
  const CalibrationExperiment experiment(at);
  double wilson = 0.0;
  double exact = 0.0;
  for (std::size_t sort = 0; sort < experiment.own_rates.size(); ++sort) {
    const double probability = experiment.set_bits.probability(sort);
    if (probability < 1e-7) continue;
    const double rate = experiment.own_rates[sort];
    wilson += probability *
              statistics::exact_coverage(statistics::wilson, experiment.queries, rate, 0.95);
    exact += probability * statistics::exact_coverage(statistics::clopper_pearson,
                                                      experiment.queries, rate, 0.95);
  }
  const record::Json json = measured(at);
  CHECK(std::abs(share(json, "own_wilson_covered") - wilson) < 4.5 * 0.00154);
  CHECK(std::abs(share(json, "own_clopper_pearson_covered") - exact) < 4.5 * 0.00154);
}

TEST_CASE("intervals keep their level after sequential stopping", "[calibration][coverage]") {
  for (const std::uint64_t trials : {1U, 10U, 30U}) {
    CAPTURE(trials);
    CalibrationPoint at = calibration_point(1000, trials, 400.0);
    at.design = Design::precision;
    const record::Json json = measured(at);
    CHECK(std::abs(share(json, "ensemble_covered") - 0.95) <= thresholds::coverage_tolerance);
    CHECK(std::abs(share(json, "own_wilson_covered") - 0.95) <= thresholds::coverage_tolerance);
    CHECK(json.at("precision_reached").get<std::uint64_t>() +
              json.at("precision_out_of_reach").get<std::uint64_t>() +
              json.at("precision_given_up").get<std::uint64_t>() ==
          simulations);
    // Ten filters that differ by 12 % each reach 9.8 % in about half of the experiments.
    if (trials == 10) CHECK(share(json, "precision_out_of_reach") == Approx(0.47).margin(0.05));
    if (trials != 10) CHECK(share(json, "precision_reached") > 0.99);
  }
  CalibrationPoint at = calibration_point(1000, 1, 10.0);
  at.design = Design::hits;
  const record::Json json = measured(at);
  CHECK(share(json, "own_fixed_hits_covered") > 0.95 - 4.5 * 0.00154);
  CHECK(share(json, "own_fixed_hits_covered") < 0.96);
  CHECK_FALSE(json.contains("ensemble_covered"));
}

TEST_CASE("the planned size has its power after Holm", "[calibration][power]") {
  // At least 0.90 less three standard errors, in either direction.
  const double standard_error = std::sqrt(0.9 * 0.1 / static_cast<double>(simulations));
  constexpr std::uint64_t family = 42;
  for (const double effect : {0.1, -0.1}) {
    CAPTURE(effect);
    const CalibrationPoint at{1000, 10, 7, 100, Design::planned, 0.0, effect, family};
    CHECK(share(measured(at), "rate_rejections") >= 0.90 - 3.0 * standard_error);
  }
  const CalibrationPoint right{1000, 10, 7, 100, Design::planned, 0.0, 0.0, family};
  CHECK(share(measured(right), "rate_rejections") <= most_alarms(0.05 / family));
}

TEST_CASE("an effect of the queries shows in hits, and not in set bits", "[calibration][power]") {
  CalibrationPoint at = calibration_point(1000, 30, 10000.0);
  at.effect = 0.1;
  const record::Json json = measured(at);
  CHECK(share(json, "own_rates_rejections") > 0.99);
  // The truth of an interval moves with the effect; that of the set bits does not.
  CHECK(std::abs(share(json, "ensemble_covered") - 0.95) <= thresholds::coverage_tolerance);
  CHECK(std::abs(share(json, "fill_known_covered") - 0.95) <= thresholds::coverage_tolerance);
  CHECK(share(json, "set_bits_rejections") <= most_alarms(0.05));
}

TEST_CASE("equal seeds give equal counts, and the queries are those of the design",
          "[calibration]") {
  const CalibrationPoint at = calibration_point(1000, 5, 30.0);
  CHECK(measured(at, 8) == measured(at, 8));
  CHECK(measured(at, 8) != measured(at, 9));
  const record::Json json = measured(at);
  CHECK(json.at("simulations") == simulations);
  // ceil(30 / (5 * 0.0082662475)) = 726 queries of each filter.
  CHECK(json.at("queries") == simulations * 5 * 726);
  for (const auto& [key, value] : json.items()) {
    CAPTURE(key);
    CHECK(value.is_number_unsigned());
  }
}

TEST_CASE("a point is read with its defaults", "[calibration]") {
  const auto at = record::own_parameters_of<Calibration::Point>(
      {{"m", 1000}, {"bits_per_key", 10}, {"k", 7}, {"trials", 5}, {"expected_hits", 0.5}});
  CHECK(at.trials == 5);
  CHECK(at.expected_hits == 0.5);
  CHECK(at.design == Design::fixed);
  CHECK(at.effect == 0.0);
  CHECK(at.family == 1);
}

TEST_CASE("points that mean nothing are refused", "[calibration][errors]") {
  const auto fault = [](const CalibrationPoint& at) {
    return Calibration::check({simulations}, at).value_or("none");
  };
  CHECK(fault(calibration_point(1000, 5, 30.0)) == "none");
  CHECK(fault({1 << 20, 1, 100, 1, Design::fixed, 1.0, 0.0, 1}) ==
        "k n = 104857600 is more than 2^20; fewer keys or probes");
  CHECK(fault({100, 101, 7, 1, Design::fixed, 1.0, 0.0, 1}) ==
        "bits_per_key = 101 leaves no key in m = 100 bits; fewer bits per key");
  CHECK(fault(calibration_point(1000, 5, 0.0)) == "expected_hits = 0.0; give at least 0.01");
  CHECK(
      fault({1000, 10, 7, 1, Design::planned, 3.0, 0.0, 1}) ==
      "expected_hits = 3.0 with the design planned, which plans the queries itself; leave it out");
  CHECK(fault({1000, 10, 7, 5, Design::hits, 3.0, 0.0, 1}) ==
        "trials = 5; the design hits asks one filter");
  CHECK(fault({1000, 10, 7, 1, Design::hits, 1.0, 0.0, 1}) ==
        "expected_hits = 1.0; the design hits needs at least 2");
  CHECK(fault({1000, 10, 7, 1, Design::precision, 384.0, 0.0, 1}) ==
        "expected_hits = 384.0 stop at a half-width above 10 %; the design precision needs at "
        "least 385");
  CHECK(fault({1000, 10, 7, 5, Design::precision, 385.0, 0.0, 1}) ==
        "trials = 5; the design precision takes one filter, or at least 10");
  CHECK(fault({1000, 10, 7, 10, Design::planned, 0.0, 0.0, 1}) ==
        "10 filters cannot show the planned effect, however many queries; take more than 16");
  CHECK_THAT(fault({1000, 1, 7, 1, Design::fixed, 1.0, 0.0, 1}),
             Catch::EndsWith(" is above 0.25; fewer keys or more bits"));
  CHECK_THAT(fault({1000000, 1000000, 20, 1, Design::fixed, 1.0, 0.0, 1}),
             Catch::EndsWith(" is below 1e-9; more keys, fewer bits or probes"));
  CHECK_THAT(fault({2000, 200, 4, 1, Design::fixed, 1e6, 0.0, 1}),
             Catch::EndsWith(" needs more than 1e12 queries for these hits; fewer hits or more "
                             "keys"));
  CHECK(Calibration::seconds({simulations}, calibration_point(100000, 30, 1000.0)) < 10.0);
  CHECK(Calibration::memory_bytes(calibration_point(100000, 30, 1000.0)) <
        (std::uint64_t{1} << 30));
}

}  // namespace
}  // namespace bloomlab::experiments
