#include "statistics/ensemble.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>

#include "simulated_filters.hpp"

using namespace bloomlab::statistics;

namespace {

using Hits = std::vector<std::uint64_t>;

std::uint64_t total(const Hits& hits) {
  return std::accumulate(hits.begin(), hits.end(), std::uint64_t{0});
}

// Share of `runs` simulated experiments whose interval contains the ensemble's rate.
double coverage(const simulated::KnownFilter& filter, int trials, std::uint64_t queries, int runs,
                std::uint64_t seed, const std::function<Interval(const Hits&)>& interval) {
  std::mt19937_64 random(seed);
  int covered = 0;
  for (int run = 0; run < runs; ++run) {
    const Hits hits = simulated::hits(simulated::rates(filter, trials, random), queries, random);
    covered += interval(hits).contains(filter.rate.rate) ? 1 : 0;
  }
  return static_cast<double>(covered) / runs;
}

}  // namespace

TEST_CASE("pooled intervals miss the ensemble at many queries a filter",
          "[statistics][ensemble][coverage]") {
  // 1.96 / sqrt(design effect 13.5) standard deviations: 40.7 %, for one filter as for twenty.
  const simulated::KnownFilter filter;
  const double factor = std::sqrt(design_effect(filter.rate, 100000));
  const double expected = std::erf(1.959964 / factor / std::sqrt(2.0));
  CHECK(expected == Approx(0.41).margin(0.01));
  for (const int trials : {1, 20}) {
    CAPTURE(trials);
    const int runs = trials == 1 ? 10000 : 3000;
    const double covered = coverage(filter, trials, 100000, runs, 11, [&](const Hits& hits) {
      return wilson(total(hits), hits.size() * 100000, 0.95);
    });
    CHECK(std::abs(covered - expected) < 0.01 + simulated::slack(expected, runs));
  }
}

TEST_CASE("two-level intervals cover the ensemble", "[statistics][ensemble][coverage]") {
  // Allowed: 95 % +- 0.7 % for the approximation, +- 4.5 standard deviations for chance.
  const simulated::KnownFilter filter;
  struct Setting {
    int trials;
    std::uint64_t queries;
    int runs;
  };
  for (const Setting& setting :
       {Setting{1, 100000, 10000}, Setting{1, 3629, 10000}, Setting{5, 726, 4000},
        Setting{20, 100000, 3000}, Setting{20, 605, 3000}}) {
    CAPTURE(setting.trials, setting.queries);
    const Sampling sampling{static_cast<std::uint64_t>(setting.trials), setting.queries};
    const double allowed = 0.007 + simulated::slack(0.95, setting.runs);
    const double with_law =
        coverage(filter, setting.trials, setting.queries, setting.runs, 12, [&](const Hits& hits) {
          return estimate_with_law(total(hits), sampling, filter.rate, 0.95).interval;
        });
    CHECK(std::abs(with_law - 0.95) < allowed);
    if (setting.trials < 5) continue;
    const double observed =
        coverage(filter, setting.trials, setting.queries, setting.runs, 13, [&](const Hits& hits) {
          return estimate_ensemble(hits, setting.queries, std::nullopt, 0.95).interval;
        });
    CHECK(std::abs(observed - 0.95) < allowed);
  }
}

TEST_CASE("with few hits the gamma mixture covers at least its level",
          "[statistics][ensemble][coverage]") {
  const simulated::KnownFilter filter;
  const int runs = 10000;
  for (const std::uint64_t queries : {60U, 363U, 1210U, 2000U}) {  // 0.5 to 17 expected hits
    CAPTURE(queries);
    std::map<std::uint64_t, Interval> known;  // few counts occur, and each interval is a search
    const double covered = coverage(filter, 1, queries, runs, 14, [&](const Hits& hits) {
      const auto [place, is_new] = known.try_emplace(hits[0]);
      if (is_new) {
        place->second = estimate_with_law(hits[0], {1, queries}, filter.rate, 0.95).interval;
      }
      return place->second;
    });
    CHECK(covered > 0.95 - simulated::slack(0.95, runs));
  }
}

TEST_CASE("the mean of fill-based rates covers the ensemble", "[statistics][ensemble][coverage]") {
  const simulated::KnownFilter filter;
  const int runs = 5000;
  std::mt19937_64 random(15);
  int student = 0;
  int known = 0;
  for (int run = 0; run < runs; ++run) {
    const std::vector<double> rates = simulated::rates(filter, 10, random);
    student += estimate_mean(rates, 0.95).interval.contains(filter.rate.rate) ? 1 : 0;
    known += estimate_mean(rates, filter.rate.variance, 0.95).interval.contains(filter.rate.rate)
                 ? 1
                 : 0;
  }
  const double allowed = 0.007 + simulated::slack(0.95, runs);
  CHECK(std::abs(static_cast<double>(student) / runs - 0.95) < allowed);
  CHECK(std::abs(static_cast<double>(known) / runs - 0.95) < allowed);
}

TEST_CASE("the choice of method follows the documented rules", "[statistics][ensemble]") {
  const RateLaw law{0.01, 1.5e-6};
  const auto choose = [&](const Hits& hits, std::optional<RateLaw> with) {
    return estimate_ensemble(hits, 1000, with, 0.95);
  };
  // Many hits, five filters, unequal counts: their own spread.
  CHECK(choose({8, 12, 9, 11, 10}, law).method == IntervalMethod::score_observed);
  // Four filters, or counts all equal, or 29 hits: theory's spread.
  CHECK(choose({8, 12, 9, 11}, law).method == IntervalMethod::score_theory);
  CHECK(choose({10, 10, 10, 10, 10}, law).method == IntervalMethod::score_theory);
  CHECK(choose({5, 6, 5, 6, 7}, law).method == IntervalMethod::gamma_poisson);
  CHECK(choose({5, 6, 5, 6, 7}, RateLaw{0.01, 1e-8}).method == IntervalMethod::clopper_pearson);
  // The thirtieth hit makes many of few.
  CHECK(estimate_with_law(29, {1, 3000}, law, 0.95).method == IntervalMethod::gamma_poisson);
  CHECK(estimate_with_law(30, {1, 3000}, law, 0.95).method == IntervalMethod::score_theory);
  CHECK(estimate_these_filters(29, 3000, 0.95).method == IntervalMethod::clopper_pearson);
  CHECK(estimate_these_filters(30, 3000, 0.95).method == IntervalMethod::wilson);
  // 29 misses are as few as 29 hits.
  CHECK(choose({995, 994, 995, 994, 993}, RateLaw{0.99, 1e-8}).method ==
        IntervalMethod::clopper_pearson);
  // No theory: only these filters.
  CHECK(choose({8, 12, 9, 11}, std::nullopt).method == IntervalMethod::wilson);
  CHECK(choose({5, 6, 5, 6, 7}, std::nullopt).method == IntervalMethod::clopper_pearson);
  CHECK(choose({0}, std::nullopt).interval == clopper_pearson(0, 1000, 0.95));
}

TEST_CASE("without spread between filters theory's intervals are the binomial ones",
          "[statistics][ensemble]") {
  const Estimate many = estimate_with_law(500, {5, 10000}, {0.01, 0.0}, 0.95);
  CHECK(many.value == Approx(0.01));
  CHECK(many.interval.low == Approx(wilson(500, 50000, 0.95).low).epsilon(1e-12));
  CHECK(many.interval.high == Approx(wilson(500, 50000, 0.95).high).epsilon(1e-12));
  const Estimate few = estimate_with_law(5, {5, 10000}, {1e-4, 0.0}, 0.95);
  CHECK(few.interval == clopper_pearson(5, 50000, 0.95));
  // A rate that theory holds to be impossible still gets its interval.
  CHECK(estimate_with_law(500, {5, 10000}, {0.0, 0.0}, 0.95).interval.low ==
        Approx(many.interval.low).epsilon(1e-12));
}

TEST_CASE("misses mirror hits when they are the rarer", "[statistics][ensemble]") {
  for (const std::uint64_t count : {0U, 4U, 29U, 30U, 400U}) {
    CAPTURE(count);
    const Estimate hits = estimate_with_law(count, {3, 1000}, {0.01, 2e-6}, 0.95);
    const Estimate misses = estimate_with_law(3000 - count, {3, 1000}, {0.99, 2e-6}, 0.95);
    CHECK(hits.method == misses.method);
    CHECK(hits.value == Approx(1.0 - misses.value).epsilon(1e-12));
    CHECK(hits.interval.low == Approx(1.0 - misses.interval.high).margin(1e-12));
    CHECK(hits.interval.high == Approx(1.0 - misses.interval.low).margin(1e-12));
  }
}

TEST_CASE("theory's spread widens the interval by the root of the design effect",
          "[statistics][ensemble]") {
  const simulated::KnownFilter filter;
  const Sampling sampling{400, 100000};
  const auto hits = static_cast<std::uint64_t>(filter.rate.rate * sampling.total());
  const Interval pooled = wilson(hits, 40000000, 0.95);
  const Interval two_level = estimate_with_law(hits, sampling, filter.rate, 0.95).interval;
  CHECK((two_level.high - two_level.low) / (pooled.high - pooled.low) ==
        Approx(std::sqrt(design_effect(filter.rate, 100000))).epsilon(1e-3));
}

TEST_CASE("the observed spread gives Student's interval up to the score's skew",
          "[statistics][ensemble]") {
  // Many hits: both forms agree. Values 8000, 8100, ..., 8400 of 1e6, t(4) = 2.776445.
  const Estimate estimate =
      estimate_ensemble(Hits{8000, 8100, 8200, 8300, 8400}, 1000000, std::nullopt, 0.95);
  const double half_width = 2.7764451 * std::sqrt(25000.0 / 5.0) / 1e6;
  CHECK(estimate.value == Approx(0.0082).epsilon(1e-14));
  CHECK(estimate.interval.high - estimate.interval.low == Approx(2 * half_width).epsilon(1e-3));
  const double middle = 0.5 * (estimate.interval.high + estimate.interval.low);
  CHECK(middle == Approx(0.0082).epsilon(1e-3));
}

TEST_CASE("the mean of values has Student's interval", "[statistics][ensemble]") {
  const std::vector<double> values{1.0, 2.0, 3.0, 4.0};
  const Estimate estimate = estimate_mean(values, 0.95);
  const double half_width = 3.1824463 * std::sqrt(5.0 / 3.0 / 4.0);  // t(3) at 0.975
  CHECK(estimate.value == Approx(2.5));
  CHECK(estimate.interval.low == Approx(2.5 - half_width).epsilon(1e-7));
  CHECK(estimate.interval.high == Approx(2.5 + half_width).epsilon(1e-7));
  CHECK(estimate.method == IntervalMethod::student);
  const Estimate known = estimate_mean(std::vector<double>{2.5}, 4.0, 0.95);
  CHECK(known.interval.high == Approx(2.5 + 1.959964 * 2.0).epsilon(1e-7));
  CHECK(known.method == IntervalMethod::known_variance);
}

TEST_CASE("an estimate's arguments are checked", "[statistics][ensemble][errors]") {
  CHECK_THROWS_WITH(estimate_ensemble(Hits{}, 10, std::nullopt, 0.95),
                    "estimate_ensemble: trials is 0; it must lie in 1 .. 2^53");
  CHECK_THROWS_WITH(estimate_ensemble(Hits{3, 11}, 10, std::nullopt, 0.95),
                    "estimate_ensemble: hits is 11; it must not exceed the queries, 10");
  CHECK_THROWS_WITH(
      estimate_mean(std::vector<double>{1.0}, 0.95),
      "estimate_mean: number of values is 1; it must be at least 2, or give the variance");
  CHECK_THROWS_WITH(estimate_mean(std::vector<double>{1.0, std::nan("")}, 0.95),
                    "estimate_mean: a value is nan; it must be finite");
  CHECK_THROWS_WITH(estimate_mean(std::vector<double>{1.0}, -1.0, 0.95),
                    "estimate_mean: variance is -1; it must be finite and at least 0");
}

TEST_CASE("an interval of counts never reaches below 0 nor beyond a share of 1, and has a length",
          "[statistics][ensemble]") {
  const auto interval = [](std::vector<double> counts, std::vector<double> exposures) {
    return count_interval(counts, exposures, 0.95);
  };
  // Of no event: 3.6889 by Garwood's table; of one in all: 0.0253 to 5.572.
  CHECK(interval({0, 0, 0, 0}, {1, 1, 1, 1}).low == 0.0);
  CHECK(interval({0, 0, 0, 0}, {1, 1, 1, 1}).high == Approx(3.6889 / 4).epsilon(1e-4));
  const Interval one = interval({1, 0, 0, 0}, {1, 1, 1, 1});
  CHECK(one.low == 0.0);  // Student's would be -0.55
  CHECK(one.high == Approx(5.5716 / 4).epsilon(1e-4));
  CHECK(interval({3}, {2}).low == Approx(0.6187 / 2).epsilon(1e-3));
  // A share: all of 40 is [1 - (0.025)^(1/40), 1].
  const Interval all = interval({20, 20}, {20, 20});
  CHECK(all.high == 1.0);
  CHECK(all.low == Approx(std::pow(0.025, 1.0 / 40)).epsilon(1e-9));
  CHECK(all.low < all.high);
  // Many events: Student's.
  const std::vector<double> many = {100, 120, 140};
  const Interval student = estimate_mean(std::vector<double>{0.1, 0.12, 0.14}, 0.95).interval;
  CHECK(count_interval(many, std::vector<double>(3, 1000.0), 0.95) == student);
  CHECK_THROWS_AS(interval({}, {}), std::invalid_argument);
  CHECK_THROWS_AS(interval({1}, {0}), std::invalid_argument);
  CHECK_THROWS_AS(interval({-1}, {1}), std::invalid_argument);
}

// 4000 simulated experiments each: below 0.95 by five standard deviations of a share of 0.95 has
// probability 3e-7.
TEST_CASE("intervals of counts cover the mean, however rare the events",
          "[statistics][ensemble][coverage]") {
  std::mt19937_64 random(39);
  for (const double mean : {0.02, 0.3, 2.0, 20.0}) {
    for (const std::size_t trials : {std::size_t{5}, std::size_t{30}}) {
      std::poisson_distribution<int> count(mean);
      int covered = 0;
      for (int run = 0; run < 4000; ++run) {
        std::vector<double> counts(trials);
        for (double& one : counts) one = count(random);
        covered += count_interval(counts, std::vector<double>(trials, 1.0), 0.95).contains(mean);
      }
      INFO(mean << " events in each of " << trials << " trials");
      CHECK(covered >= 4000 * (0.95 - 5 * std::sqrt(0.95 * 0.05 / 4000)));
    }
  }
}
