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

TEST_CASE("few hits that are alike are no certainty", "[test][mean_rate]") {
  // P(X = 0) of 196 608 queries at 2^-24 is .988, and 9 hits are one below the mean.
  const auto of_counts = [](std::uint64_t one, std::uint64_t other, std::uint64_t queries,
                            double expected) {
    const auto rate = [&](std::uint64_t hits) {
      return static_cast<double>(hits) / static_cast<double>(queries);
    };
    const std::array<double, 3> rates = {rate(one), rate(one), rate(other)};
    return test_mean_rate(rates, expected, 2 * one + other, 3 * queries);
  };
  CHECK(of_counts(0, 0, 65'536, 0x1p-24).p_value == 1.0);
  CHECK(of_counts(3, 3, 65'536, 9.95 / 196'608).p_value > 0.8);
  CHECK(of_counts(3, 4, 65'536, 13.0 / 196'608).p_value > 0.4);
  CHECK(of_counts(3, 3, 65'536, 40.0 / 196'608).p_value < 1e-6);
  // Where filters differ by more than sampling, their spread judges.
  CHECK(of_counts(100, 400, 1000, 0.3).p_value > 0.3);
}

TEST_CASE("alarms come at their level where hits are few", "[test][mean_rate]") {
  // 20 000 experiments of three filters with two hits each on average: at most one alarm in 1000,
  // and four deviations of chance, .9 in 1000. Student's test alone has many more: hits that are
  // all equal.
  std::mt19937_64 engine(11);
  std::binomial_distribution<std::uint64_t> binomial(20'000, 1e-4);
  constexpr int experiments = 20'000;
  int alarms = 0;
  int alarms_by_spread = 0;
  for (int i = 0; i < experiments; ++i) {
    std::array<double, 3> rates{};
    std::uint64_t hits = 0;
    for (double& rate : rates) {
      const std::uint64_t found = binomial(engine);
      hits += found;
      rate = static_cast<double>(found) / 20'000.0;
    }
    alarms += test_mean_rate(rates, 1e-4, hits, 60'000).p_value <= 0.001 ? 1 : 0;
    alarms_by_spread += test_mean_rate(rates, 1e-4).p_value <= 0.001 ? 1 : 0;
  }
  CHECK(alarms <= 0.0019 * experiments);
  CHECK(alarms_by_spread > 0.01 * experiments);
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
