#include "statistics/equivalence.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "simulated_filters.hpp"
#include "statistics/distributions.hpp"
#include "statistics/ensemble.hpp"
#include "statistics/thresholds.hpp"

using namespace bloomlab::statistics;

namespace {

// m = 1024, n = 102, k = 7 with 60 digits: the exact rate and the textbook one, 0.86 % below it.
constexpr double exact_rate = 0.0081096792076145053;
constexpr double approximate_rate = 0.0080400546615394045;

}  // namespace

TEST_CASE("a rung is accepted when its 90 % interval lies within the tolerance",
          "[statistics][equivalence]") {
  // 10^6 expected hits: 1.645 / 1000 = 0.16 % at 90 %, 2.576 / 1000 = 0.26 % at 99 %.
  const Sampling sampling{1, 100000000};
  const auto verdict = [&](std::uint64_t hits) {
    return compare_with_theory(hits, sampling, {0.01, 0.0});
  };
  CHECK(verdict(1000000).verdict == Verdict::accepted);
  CHECK_FALSE(verdict(1000000).significantly_different);
  CHECK(verdict(1000000).ratio == Approx(1.0));
  CHECK(verdict(1000000).at_equivalence.high - 1.0 ==
        Approx(1.644854 * std::sqrt(0.99) / 1000).epsilon(2e-3));
  CHECK(verdict(1000000).at_rejection.high - 1.0 ==
        Approx(2.575829 * std::sqrt(0.99) / 1000).epsilon(2e-3));
  // Within 1 %, and yet distinguished: accepted, and said.
  CHECK(verdict(1005000).verdict == Verdict::accepted);
  CHECK(verdict(1005000).significantly_different);
  CHECK(verdict(995000).verdict == Verdict::accepted);
  CHECK(verdict(995000).significantly_different);
  // Just beyond the tolerance, distinguished from 1: rejected.
  CHECK(verdict(1009000).verdict == Verdict::rejected);
  CHECK(verdict(991000).verdict == Verdict::rejected);
  CHECK(verdict(1100000).verdict == Verdict::rejected);
  CHECK(verdict(1100000).significantly_different);
  CHECK_FALSE(verdict(1100000).further_queries);
  CHECK_FALSE(verdict(1100000).filters_needed);
}

TEST_CASE("an undecided rung says how many queries it needs", "[statistics][equivalence]") {
  for (const double ratio : {1.0, 0.997, 1.02, 0.0}) {
    CAPTURE(ratio);
    const RateLaw rung{0.001, 0.0};
    const auto share = [&](std::uint64_t queries) {
      return static_cast<std::uint64_t>(std::llround(ratio * 0.001 * static_cast<double>(queries)));
    };
    const std::uint64_t given = ratio > 0.0 ? 3000000 : 1000;
    const Equivalence now = compare_with_theory(share(given), {1, given}, rung);
    REQUIRE(now.verdict == Verdict::undecided);
    REQUIRE(now.further_queries);
    CHECK_FALSE(now.filters_needed);
    const std::uint64_t enough = given + *now.further_queries;
    CHECK(compare_with_theory(share(enough), {1, enough}, rung).verdict != Verdict::undecided);
    CHECK(compare_with_theory(share(enough * 98 / 100), {1, enough * 98 / 100}, rung).verdict ==
          Verdict::undecided);
  }
  // A ratio of 1 needs 1.645 / sqrt(hits) <= 1 %: 27 055 hits.
  const Equivalence at_one = compare_with_theory(3000, {1, 3000000}, {0.001, 0.0});
  CHECK(static_cast<double>(*at_one.further_queries) == Approx(27055e3 - 3e6).epsilon(0.02));
}

TEST_CASE("where filters differ too much for any number of queries, filters are asked for",
          "[statistics][equivalence]") {
  // A filter's own rate spreads by 12.2 %: 1 % at 90 % needs (1.645 * 12.2)^2 = 405 filters.
  const simulated::KnownFilter filter;
  const Sampling sampling{20, 10000000};
  const auto hits = static_cast<std::uint64_t>(filter.rate.rate * sampling.total());
  const Equivalence few = compare_with_theory(hits, sampling, filter.rate);
  CHECK(few.verdict == Verdict::undecided);
  CHECK_FALSE(few.further_queries);
  REQUIRE(few.filters_needed);
  CHECK(static_cast<double>(*few.filters_needed) == Approx(405).epsilon(0.03));
  const Sampling enough{*few.filters_needed, 10000000};
  const auto more = static_cast<std::uint64_t>(filter.rate.rate * enough.total());
  CHECK(compare_with_theory(more, enough, filter.rate).verdict == Verdict::accepted);
}

TEST_CASE("the observed spread decides where there are filters enough",
          "[statistics][equivalence]") {
  // Theory says that all filters are alike; these are not: 8000 +- 1.6 %, t(4) instead of 1.96.
  const std::vector<std::uint64_t> hits{79000, 79500, 80000, 80500, 81000};
  const Equivalence result = compare_with_theory(hits, 10000000, RateLaw{0.008, 0.0});
  CHECK(result.ratio == Approx(1.0));
  const double half_width = 2.131847 * std::sqrt(625000.0 / 5.0) / 80000.0;  // t(4) at 0.95
  CHECK(result.at_equivalence.high - 1.0 == Approx(half_width).epsilon(0.01));
  CHECK(result.verdict == Verdict::accepted);
  // Spread three times as wide: undecided, and filters, not queries, are missing.
  const std::vector<std::uint64_t> wide{77000, 78500, 80000, 81500, 83000};
  const Equivalence open = compare_with_theory(wide, 10000000, RateLaw{0.008, 0.0});
  CHECK(open.verdict == Verdict::undecided);
  CHECK_FALSE(open.further_queries);
  REQUIRE(open.filters_needed);
  // s = 2371.7 of 80 000 = 2.96 %: t sqrt(1/T) 2.96 % <= 1 % at T = 26, t(25) = 1.708.
  CHECK(*open.filters_needed >= 24);
  CHECK(*open.filters_needed <= 28);
  // Four filters are too few for their own spread: theory's, none.
  const std::vector<std::uint64_t> four{78500, 80000, 81500, 80000};
  CHECK(compare_with_theory(four, 10000000, RateLaw{0.008, 0.0}).at_equivalence ==
        compare_with_theory(320000, {4, 10000000}, RateLaw{0.008, 0.0}).at_equivalence);
}

TEST_CASE("queries that are missing are planned with the spread that filters show",
          "[statistics][equivalence]") {
  // Six filters of 10 000 queries whose counts vary a little more than those of equal filters
  // would.
  const std::vector<std::uint64_t> hits{1000, 960, 1047, 985, 1020, 988};
  constexpr double queries = 10'000.0;
  const RateLaw rung{0.1, 0.0};
  const Equivalence found = compare_with_theory(hits, 10'000, rung);
  REQUIRE(found.verdict == Verdict::undecided);
  REQUIRE(found.further_queries);
  double squares = 0.0;
  for (const std::uint64_t count : hits)
    squares += std::pow(static_cast<double>(count) - 1000.0, 2.0);
  const double binomial = queries * 0.1 * 0.9;
  const double between = (squares / 5.0 - binomial) / (queries * (queries - 1.0));
  REQUIRE(between > 0.0);
  const auto decided = [&](double asked, double level) {
    const double draws = 6.0 * asked / (1.0 + (asked - 1.0) * between / 0.09);
    return score_interval(0.1, draws, -1.0 / draws,
                          detail::student_quantile_above((1.0 - level) / 2.0, 5.0));
  };
  const auto suffices = [&](double asked) {
    const Interval narrow = decided(asked, 0.90);
    return (narrow.low >= 0.099 && narrow.high <= 0.101) || !decided(asked, 0.99).contains(0.1);
  };
  const double needed = queries + static_cast<double>(*found.further_queries) / 6.0;
  CHECK(suffices(needed));
  CHECK_FALSE(suffices(needed - 1.0));
}

TEST_CASE("verdicts err with the stated probabilities", "[statistics][equivalence][coverage]") {
  // Filters of the exact law. True rung: rejected (or distinguished) in 1 %. A rung that is 1 %
  // off: accepted in at most 5 %. Slack: 4.5 standard deviations, 7e-6 each, and 0.5 % of
  // approximation.
  const simulated::KnownFilter filter;
  const int runs = 2500;
  const int trials = 30;
  // Own rates drawn from a gamma law with theory's mean and variance, alike for all purposes here.
  const double shape = filter.rate.rate * filter.rate.rate / (0.01 * filter.rate.variance);
  const RateLaw truth{filter.rate.rate, 0.01 * filter.rate.variance};
  const RateLaw off{truth.rate / 1.01, truth.variance / 1.0201};
  std::mt19937_64 random(20);
  int distinguished = 0;
  int accepted_off = 0;
  for (int run = 0; run < runs; ++run) {
    std::gamma_distribution<double> own(shape, truth.rate / shape);
    std::vector<double> rates;
    for (int i = 0; i < trials; ++i) rates.push_back(own(random));
    const auto hits = simulated::hits(rates, 200000, random);
    const std::uint64_t sum = std::accumulate(hits.begin(), hits.end(), std::uint64_t{0});
    const Sampling sampling{static_cast<std::uint64_t>(trials), 200000};
    distinguished += estimate_with_law(sum, sampling, truth, thresholds::rejection_level)
                             .interval.contains(truth.rate)
                         ? 0
                         : 1;
    accepted_off += compare_with_theory(hits, 200000, off).verdict == Verdict::accepted ? 1 : 0;
  }
  CHECK(std::abs(distinguished - 0.01 * runs) < runs * (0.005 + simulated::slack(0.01, runs)));
  CHECK(accepted_off < runs * (0.05 + 0.005 + simulated::slack(0.05, runs)));
}

TEST_CASE("exact and approximate rates are distinguished at 1024 bits given filters enough",
          "[statistics][equivalence]") {
  // What a run of 4000 filters with 10^6 queries each would count, were theory exact.
  const RateLaw exact{exact_rate, 9.0e-7};
  const RateLaw approximate{approximate_rate, 9.0e-7};
  const auto hits_of = [&](const Sampling& sampling) {
    return static_cast<std::uint64_t>(exact_rate * sampling.total());
  };
  const Sampling many{4000, 1000000};
  const Equivalence right = compare_with_theory(hits_of(many), many, exact);
  CHECK(right.verdict == Verdict::accepted);
  CHECK_FALSE(right.significantly_different);
  const Equivalence wrong = compare_with_theory(hits_of(many), many, approximate);
  CHECK(wrong.significantly_different);
  // Thirty filters cannot, and say what could.
  const Sampling few{30, 1000000};
  const Equivalence unknown = compare_with_theory(hits_of(few), few, approximate);
  CHECK(unknown.verdict == Verdict::undecided);
  CHECK_FALSE(unknown.further_queries);
  CHECK(*unknown.filters_needed > 300);
}

TEST_CASE("a verdict's arguments are checked", "[statistics][equivalence][errors]") {
  CHECK_THROWS_WITH(compare_with_theory(0, {1, 10}, {0.0, 0.0}),
                    "compare_with_theory: rate is 0; it must be above 0");
  CHECK_THROWS_WITH(compare_with_theory(11, {1, 10}, {0.1, 0.0}),
                    "compare_with_theory: hits is 11; it must not exceed the queries, 10");
}

TEST_CASE("filters of one query each show no spread beyond that of hits and misses",
          "[statistics][equivalence]") {
  // Half of 100 filters hit: as much more is needed as if all queries were asked of one rate, but
  // for Student's quantile of 99 degrees.
  std::vector<std::uint64_t> hits(100, 0);
  std::fill(hits.begin(), hits.begin() + 50, 1);
  const Equivalence each = compare_with_theory(hits, 1, {0.5, 0.0});
  const Equivalence together = compare_with_theory(50, {100, 1}, {0.5, 0.0});
  REQUIRE(each.verdict == Verdict::undecided);
  REQUIRE(each.further_queries.has_value());
  REQUIRE(together.further_queries.has_value());
  CHECK(static_cast<double>(*each.further_queries) ==
        Approx(static_cast<double>(*together.further_queries)).epsilon(0.1));
}
