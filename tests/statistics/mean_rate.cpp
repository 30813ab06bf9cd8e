// The test of rates of single filters by the spread that they show.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "statistics/power.hpp"
#include "statistics/test.hpp"

using namespace bloomlab::statistics;

TEST_CASE("the mean of rates is judged by Student's law", "[test][mean_rate]") {
  // Mean 0.02, standard deviation sqrt(2.5e-4 / 4), five filters: t = 0.01 / 0.0035355 = 2.8284,
  // and P(|T| >= 2.8284) with four degrees is 0.0474 (Student's table: 2.776 at 0.05).
  const std::array<double, 5> rates = {0.01, 0.015, 0.02, 0.025, 0.03};
  const TestResult result = test_mean_rate(rates, 0.01);
  CHECK(result.method == TestMethod::student);
  CHECK(result.z == Approx(2.8284271).epsilon(1e-6));
  CHECK(result.p_value == Approx(0.04742).margin(5e-5));
  CHECK(test_mean_rate(rates, 0.02).p_value == Approx(1.0));
  CHECK(test_mean_rate(rates, 0.03).z == Approx(-result.z));
}

TEST_CASE("rates that are all equal leave no choice", "[test][mean_rate]") {
  const std::array<double, 3> rates = {0.25, 0.25, 0.25};
  CHECK(test_mean_rate(rates, 0.25).p_value == 1.0);
  CHECK(test_mean_rate(rates, 0.2).p_value == 0.0);
  CHECK(test_mean_rate(rates, 0.2).method == TestMethod::certain);
}

TEST_CASE("a mean needs two rates, and rates are probabilities", "[test][mean_rate]") {
  CHECK_THROWS_AS(test_mean_rate(std::vector<double>{}, 0.1), std::invalid_argument);
  CHECK_THROWS_AS(test_mean_rate(std::vector<double>{0.1}, 0.1), std::invalid_argument);
  CHECK_THROWS_AS(test_mean_rate(std::vector<double>{0.1, 1.1}, 0.1), std::invalid_argument);
  CHECK_THROWS_AS(test_mean_rate(std::vector<double>{0.1, 0.2}, std::nan("")),
                  std::invalid_argument);
}

TEST_CASE("alarms come at their level, and the detectable effect is detected",
          "[test][mean_rate][power]") {
  // 20 000 experiments of ten filters: chance moves a share of 5 % by 0.15 % and one of 90 % by
  // 0.21 %; four such deviations are exceeded once in 16 000 runs. Student's quantiles stand for
  // the non-central law, hence one per cent of room.
  constexpr int experiments = 20000;
  constexpr double sd = 0.1;
  const double effect = minimum_detectable_mean_effect(1.0, sd, 10, {0.05, 0.90});
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  int alarms = 0;
  int detections = 0;
  for (int i = 0; i < experiments; ++i) {
    std::vector<double> right(10);
    std::vector<double> wrong(10);
    for (std::size_t j = 0; j < right.size(); ++j) {
      const double rate = 0.5 * (1.0 + sd * normal(engine));
      right[j] = std::clamp(rate, 0.0, 1.0);
      wrong[j] = std::clamp(rate + 0.5 * effect, 0.0, 1.0);
    }
    alarms += test_mean_rate(right, 0.5).p_value <= 0.05 ? 1 : 0;
    detections += test_mean_rate(wrong, 0.5).p_value <= 0.05 ? 1 : 0;
  }
  CHECK(std::abs(alarms / static_cast<double>(experiments) - 0.05) <= 4 * 0.00155);
  CHECK(std::abs(detections / static_cast<double>(experiments) - 0.90) <= 4 * 0.0021 + 0.01);
}
