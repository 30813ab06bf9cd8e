// Two runs' rates, step by step as their sources write it.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "statistics/distributions.hpp"
#include "statistics/power.hpp"
#include "statistics/two_rates.hpp"

using namespace bloomlab::statistics;

namespace {

FilterCounts with(std::vector<std::uint64_t> hits, std::vector<std::uint64_t> queries) {
  return {std::move(hits), std::move(queries)};
}

FilterCounts with(std::vector<std::uint64_t> hits, std::uint64_t queries) {
  std::vector<std::uint64_t> asked(hits.size(), queries);
  return {std::move(hits), std::move(asked)};
}

/// The mean of some values and the variance of that mean, as they show it.
struct Mean {
  double value = 0.0;
  double variance = 0.0;
};

Mean mean_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  Mean mean{std::accumulate(values.begin(), values.end(), 0.0) / count};
  for (const double value : values) mean.variance += std::pow(value - mean.value, 2.0);
  mean.variance /= (count - 1.0) * count;
  return mean;
}

std::vector<double> rates_of(const FilterCounts& counts) {
  std::vector<double> rates;
  for (std::size_t i = 0; i < counts.hits.size(); ++i) {
    rates.push_back(static_cast<double>(counts.hits[i]) / static_cast<double>(counts.queries[i]));
  }
  return rates;
}

void check_close(const Interval& found, double low, double high) {
  CHECK(found.low == Approx(low).epsilon(1e-9));
  CHECK(found.high == Approx(high).epsilon(1e-9));
}

}  // namespace

TEST_CASE("filters' own rates are compared as Welch does, on the logarithm of their ratio",
          "[statistics][two_rates]") {
  const FilterCounts first =
      with({90, 130, 85, 100, 120, 99}, {1000, 1400, 1000, 1000, 1000, 1100});
  const FilterCounts second = with({130, 100, 150, 125, 160}, 1000);
  const Mean a = mean_of(rates_of(first));
  const Mean b = mean_of(rates_of(second));
  const double x = a.variance / (a.value * a.value);
  const double y = b.variance / (b.value * b.value);
  const double degrees = std::pow(x + y, 2.0) / (x * x / 5.0 + y * y / 4.0);
  const double t = std::log(b.value / a.value) / std::sqrt(x + y);
  const double width = detail::student_quantile_above(0.025, degrees) * std::sqrt(x + y);
  const auto change = compare_rates(first, second, std::nullopt, 0.95);
  REQUIRE(change);
  CHECK(change->method == RateMethod::welch);
  CHECK(change->ratio == Approx(b.value / a.value));
  CHECK(change->relative_error == Approx(std::sqrt(x + y)));
  CHECK(change->degrees == Approx(degrees));
  CHECK(change->p_value == Approx(2.0 * detail::student_above(t, degrees)));
  check_close(change->interval, std::exp(-width) * b.value / a.value,
              std::exp(width) * b.value / a.value);
  CHECK(compare_rates(second, first, std::nullopt, 0.95)->p_value == Approx(change->p_value));
  CHECK(detectable_change(*change, 0.01, 0.9) ==
        Approx((detail::student_quantile_above(0.005, degrees) +
                detail::student_quantile_above(0.1, degrees)) *
               std::sqrt(x + y)));
}

TEST_CASE("filters' rates are compared from five filters with thirty hits and misses on",
          "[statistics][two_rates]") {
  const RateLaw law{0.1, 0.0};
  const FilterCounts many = with({9, 13, 8, 10, 12}, 100);
  const auto method = [&](const FilterCounts& other) {
    const auto change = compare_rates(many, other, law, 0.95);
    CHECK(compare_rates(other, many, law, 0.95)->method == change->method);
    return change->method;
  };
  CHECK(method(with({5, 7, 6, 4, 8}, 100)) == RateMethod::welch);        // 30 hits
  CHECK(method(with({5, 7, 6, 4, 7}, 100)) == RateMethod::conditional);  // 29
  CHECK(method(with({8, 7, 6, 9}, 100)) == RateMethod::conditional);     // four filters
  CHECK(method(with({6, 6, 6, 6, 6}, 100)) == RateMethod::conditional);  // all alike
  CHECK(method(with({95, 93, 94, 96, 92}, 100)) == RateMethod::welch);   // 30 misses
  CHECK(method(with({95, 93, 94, 96, 93}, 100)) == RateMethod::conditional);
  // Without a law the filters have to tell.
  CHECK_FALSE(compare_rates(many, with({8, 7, 6, 9}, 100), std::nullopt, 0.95));
  CHECK(compare_rates(many, with({1, 0, 2, 0, 1}, 100), std::nullopt, 0.95));
}

TEST_CASE("paired rates are compared by Student's test of their differences",
          "[statistics][two_rates]") {
  const FilterCounts first =
      with({90, 130, 85, 100, 120, 99}, {1000, 1400, 1000, 1000, 1000, 1100});
  const FilterCounts second =
      with({96, 140, 85, 104, 133, 104}, {1000, 1400, 1000, 1000, 1000, 1100});
  const std::vector<double> before = rates_of(first);
  const std::vector<double> after = rates_of(second);
  std::vector<double> differences;
  double half = 0.0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    differences.push_back(after[i] - before[i]);
    half += 0.5 / static_cast<double>(first.queries[i]) / 6.0;
  }
  const double mean = mean_of(before).value;
  const Mean shift = mean_of(differences);
  const double error = std::sqrt(shift.variance);
  const double width = (half + error * detail::student_quantile_above(0.025, 5.0)) / mean;
  const auto change = compare_paired_rates(first, second, std::nullopt, 0.95);
  REQUIRE(change);
  CHECK(change->method == RateMethod::paired);
  CHECK(change->degrees == 5.0);
  CHECK(change->ratio == Approx(1.0 + shift.value / mean));
  CHECK(change->relative_error == Approx(error / mean));
  CHECK(change->p_value == Approx(2.0 * detail::student_above((shift.value - half) / error, 5.0)));
  check_close(change->interval, change->ratio - width, change->ratio + width);
  // All changed alike: certain, but for half a hit.
  FilterCounts risen = first;
  for (std::size_t i = 0; i < 6; ++i) risen.hits[i] += first.queries[i] / 100;
  CHECK(compare_paired_rates(first, risen, std::nullopt, 0.95)->p_value < 1e-9);
  CHECK(compare_paired_rates(first, first, std::nullopt, 0.95)->p_value == 1.0);
  CHECK(compare_paired_rates(with({5, 7, 6, 4, 7}, 100), with({5, 7, 6, 4, 8}, 100),
                             RateLaw{0.1, 0.0}, 0.95)
            ->method == RateMethod::conditional);
}

TEST_CASE("counts that vary as twice as few would count as half", "[statistics][two_rates]") {
  // A design effect of 2 at the rate of both runs: hits and queries of independent keys halved.
  for (const double rate : {0.01, 0.99}) {
    const std::uint64_t hits = rate < 0.5 ? 100 : 9900;
    const RateLaw alike{rate, rate * (1.0 - rate) / 9999.0};
    const RateLaw independent{rate, 0.0};
    const Sampling one{1, 10'000};
    const Sampling half{1, 5'000};
    const auto shifted = [&](std::uint64_t by) { return hits + (rate < 0.5 ? by : 0 - by); };
    const RateChange change =
        compare_counts(shifted(20), one, shifted(0 - std::uint64_t{20}), one, alike, 0.95);
    const std::uint64_t middle = hits / 2;
    const auto of_half = [&](std::uint64_t by) { return middle + (rate < 0.5 ? by : 0 - by); };
    const RateChange halved =
        compare_counts(of_half(10), half, of_half(0 - std::uint64_t{10}), half, independent, 0.95);
    CHECK(change.method == RateMethod::conditional);
    CHECK(change.ratio == Approx(halved.ratio));
    CHECK(change.p_value == Approx(halved.p_value));
    CHECK(change.relative_error == Approx(halved.relative_error));
    check_close(change.interval, halved.interval.low, halved.interval.high);
  }
}

TEST_CASE("rates above one half are compared by their misses", "[statistics][two_rates]") {
  const Sampling first{2, 1000};
  const Sampling second{3, 1000};
  const RateLaw hits{0.97, 0.0};
  const RateLaw misses{0.03, 0.0};
  const RateChange of_hits = compare_counts(1950, first, 2880, second, hits, 0.9);
  const RateChange of_misses = compare_counts(50, first, 120, second, misses, 0.9);
  CHECK(of_hits.ratio == Approx(0.96 / 0.975));
  CHECK(of_misses.ratio == Approx(0.04 / 0.025));
  CHECK(of_hits.p_value == Approx(of_misses.p_value));
  // The first run missed 2.5 %: a ratio r of misses is (1 - .025 r) / .975 of hits.
  check_close(of_hits.interval, (1.0 - 0.025 * of_misses.interval.high) / 0.975,
              (1.0 - 0.025 * of_misses.interval.low) / 0.975);
  const double rate = (1950.0 + 2880.0) / 5000.0;
  CHECK(of_hits.relative_error == Approx(of_misses.relative_error * (1.0 - rate) / rate));
  CHECK(of_misses.relative_error == Approx(std::sqrt(1.0 / 50.0 + 1.0 / 120.0)));
}

TEST_CASE("counts alone are compared by the law of one given their sum",
          "[statistics][two_rates]") {
  // 7 and 2 hits of as many queries, and none against four; two filters whose counts vary no more
  // than one's.
  const RateLaw law{0.01, 0.0};
  const Sampling once{1, 1000};
  const RateChange fallen = compare_counts(7, once, 2, once, law, 0.95);
  CHECK(fallen.p_value == Approx(2.0 * 46.0 / 512.0));
  CHECK(fallen.relative_error == Approx(std::sqrt(1.0 / 7.0 + 0.5)));
  const RateChange risen = compare_counts(0, once, 4, {2, 1000}, law, 0.95);
  CHECK(risen.p_value == Approx(2.0 * std::pow(2.0 / 3.0, 4.0)));
  CHECK(risen.relative_error == Approx(std::sqrt(2.0 + 0.25)));
  CHECK(std::isinf(risen.interval.high));
  CHECK(risen.interval.low ==
        Approx(2.0 * 0.0 + 0.5 * std::pow(0.025, 0.25) / (1.0 - std::pow(0.025, 0.25))));
  // Without a law the filters' own spread is the design effect, never below 1.
  const auto alike =
      compare_rates(with({1, 2, 1, 2, 1}, 1000), with({1, 2, 2, 2, 1}, 1000), std::nullopt, 0.95);
  REQUIRE(alike);
  CHECK(alike->relative_error == Approx(std::sqrt(1.0 / 7.0 + 1.0 / 8.0)));
  const FilterCounts spread = with({0, 12, 0, 1, 0}, 1000);
  const Mean mean = mean_of(rates_of(spread));
  const double effect = mean.variance / (0.0026 * (1.0 - 0.0026) / 5000.0);
  CHECK(effect > 2.0);
  const auto wide = compare_rates(spread, with({1, 2, 2, 2, 1}, 1000), std::nullopt, 0.95);
  REQUIRE(wide);
  CHECK(wide->relative_error == Approx(std::sqrt(effect / 13.0 + 1.0 / 8.0)));
  CHECK(wide->ratio == Approx(8.0 / 13.0));
}

TEST_CASE("the detectable effect on a mean is two of Student's quantiles", "[statistics][power]") {
  CHECK(minimum_detectable_mean_effect(0.02, 0.003, 9, {0.05, 0.9}) ==
        Approx((detail::student_quantile_above(0.025, 8.0) +
                detail::student_quantile_above(0.1, 8.0)) *
               0.003 / 3.0 / 0.02));
  CHECK(minimum_detectable_mean_effect(0.02, 0.003, 2, {0.05, 0.9}) ==
        Approx((detail::student_quantile_above(0.025, 1.0) +
                detail::student_quantile_above(0.1, 1.0)) *
               0.003 / std::sqrt(2.0) / 0.02));
}

TEST_CASE("filters to detect an effect are the square of two quantiles over it",
          "[statistics][power]") {
  const double quantiles =
      detail::normal_quantile_above(0.025) + detail::normal_quantile_above(0.1);
  for (const double effect : {0.01, 0.1, 3.0}) {
    const double ratio = quantiles * 0.002 / 0.02 / effect;
    CHECK(static_cast<double>(trials_to_detect({0.02, 0.002 * 0.002}, effect, {0.05, 0.9})) ==
          std::max(1.0, std::ceil(ratio * ratio)));
  }
}
