// Two runs' rates: false alarms under every method, power, published values of the conditional
// test, and what must not be judged.
#include "statistics/two_rates.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "simulated_filters.hpp"

using namespace bloomlab::statistics;

namespace {

FilterCounts counts(std::vector<std::uint64_t> found, std::uint64_t queries) {
  std::vector<std::uint64_t> asked(found.size(), queries);
  return {std::move(found), std::move(asked)};
}

/// Counts of filters drawn anew, whose rates are `factor` times those of the known filter.
FilterCounts draw(int filters, std::uint64_t queries, double factor, std::mt19937_64& random) {
  std::vector<double> rates = simulated::rates({}, filters, random);
  for (double& rate : rates) rate *= factor;
  return counts(simulated::hits(rates, queries, random), queries);
}

/// Share of repetitions with p <= alpha.
template <class Compare>
double share_rejected(int runs, double alpha, Compare&& p_value) {
  int rejected = 0;
  for (int run = 0; run < runs; ++run) rejected += p_value() <= alpha ? 1 : 0;
  return static_cast<double>(rejected) / runs;
}

}  // namespace

TEST_CASE("equal ensembles are distinguished no more often than alpha says",
          "[statistics][two_rates]") {
  // Filters of 1000 bits differ by 12 % in their rates: tests that pooled their 1e5 queries would
  // reject most of these pairs. Bounds: 4.5 standard deviations of the share, 7e-6.
  std::mt19937_64 random(61);
  const RateLaw law = simulated::KnownFilter{}.rate;
  for (const int filters : {1, 3, 12}) {
    CAPTURE(filters);
    const int runs = 800;
    const double share = share_rejected(runs, 0.05, [&] {
      return compare_rates(draw(filters, 100000, 1.0, random), draw(filters, 100000, 1.0, random),
                           law, 0.95)
          ->p_value;
    });
    CHECK(share < 0.05 + simulated::slack(0.05, runs));
    CHECK(share > 0.01);
  }
}

TEST_CASE("the interval of the ratio covers it", "[statistics][two_rates][coverage]") {
  std::mt19937_64 random(62);
  const RateLaw law = simulated::KnownFilter{}.rate;
  for (const int filters : {2, 20}) {
    CAPTURE(filters);
    const int runs = 600;
    int covered = 0;
    for (int run = 0; run < runs; ++run) {
      const auto change = compare_rates(draw(filters, 50000, 1.0, random),
                                        draw(filters, 50000, 1.3, random), law, 0.95);
      covered += change->interval.contains(1.3) ? 1 : 0;
    }
    CHECK(static_cast<double>(covered) / runs > 0.95 - simulated::slack(0.95, runs));
  }
}

TEST_CASE("a change is noticed with the power that the comparison states",
          "[statistics][two_rates][power]") {
  // 40 filters of 2e5 queries, a change of the size that is said to be noticed in nine of ten.
  std::mt19937_64 random(63);
  const int runs = 400;
  const auto once = compare_rates(draw(40, 200000, 1.0, random), draw(40, 200000, 1.0, random),
                                  std::nullopt, 0.95);
  REQUIRE(once->method == RateMethod::welch);
  // In theory: sd of a filter's rate 12.2 %, hence sqrt(2 / 40) 12.3 % (z_.995 + z_.9).
  const double effect = std::sqrt(2.0 / 40) * 0.1233 * (2.6398 + 1.2928);
  CHECK(detectable_change(*once, 0.01, 0.9) == Approx(effect).epsilon(0.25));
  const double share = share_rejected(runs, 0.01, [&] {
    return compare_rates(draw(40, 200000, 1.0, random), draw(40, 200000, std::exp(effect), random),
                         std::nullopt, 0.95)
        ->p_value;
  });
  CHECK(share > 0.9 - 0.02 - simulated::slack(0.9, runs));
}

TEST_CASE("few hits are compared by the exact conditional law", "[statistics][two_rates]") {
  // Przyborowski and Wilenski: 3 against 12 of a sum of 15 with equal queries: twice
  // P(X <= 3 | 15, 1/2) = 2 * 576 / 32768.
  const RateLaw alike{1e-6, 0.0};
  const auto change = compare_rates(counts({12}, 10'000'000), counts({3}, 10'000'000), alike, 0.95);
  CHECK(change->method == RateMethod::conditional);
  CHECK(change->p_value == Approx(2.0 * 576.0 / 32768.0).epsilon(1e-12));
  CHECK(change->ratio == Approx(0.25));
  // Clopper and Pearson's interval of 3 of 15 is [.04331, .48089]; as odds:
  CHECK(change->interval.low == Approx(0.04331 / 0.95669).epsilon(1e-3));
  CHECK(change->interval.high == Approx(0.48089 / 0.51911).epsilon(1e-3));
  // Twice the queries of the second run: P(X <= 3 | 15, 2/3).
  const auto unequal =
      compare_rates(counts({12}, 10'000'000), counts({3}, 20'000'000), alike, 0.95);
  CHECK(unequal->ratio == Approx(0.125));
  CHECK(unequal->p_value == Approx(2.0 * 4091.0 / 14348907.0).epsilon(1e-9));
}

TEST_CASE("no hits at all are no difference, and hits on one side alone may be one",
          "[statistics][two_rates]") {
  const RateLaw alike{1e-6, 0.0};
  const auto none = compare_rates(counts({0}, 1000), counts({0}, 1000), alike, 0.95);
  CHECK(none->p_value == 1.0);
  CHECK(std::isnan(none->ratio));
  const auto risen = compare_rates(counts({0}, 1000), counts({20}, 1000), alike, 0.95);
  CHECK(risen->p_value < 1e-5);
  CHECK(std::isinf(risen->ratio));
  CHECK(risen->interval.low > 1.0);
  const auto fallen = compare_rates(counts({20}, 1000), counts({0}, 1000), alike, 0.95);
  CHECK(fallen->ratio == 0.0);
  CHECK(fallen->interval.high < 1.0);
}

TEST_CASE("the rarer outcome decides: rates near one are compared by their misses",
          "[statistics][two_rates]") {
  const RateLaw full{0.9999, 0.0};
  const auto change =
      compare_rates(counts({999'900}, 1'000'000), counts({999'990}, 1'000'000), full, 0.95);
  CHECK(change->p_value < 1e-12);
  CHECK(change->ratio == Approx(999'990.0 / 999'900.0));
  CHECK(change->interval.low > 1.0);
  CHECK(change->interval.high < 1.0001);
}

TEST_CASE("filters whose spread nobody knows are not compared", "[statistics][two_rates]") {
  CHECK_FALSE(compare_rates(counts({500}, 10000), counts({900}, 10000), std::nullopt, 0.95));
  CHECK_FALSE(
      compare_rates(counts({500, 510}, 10000), counts({900, 910}, 10000), std::nullopt, 0.95));
}

TEST_CASE("filters made alike are compared pair by pair", "[statistics][two_rates][paired]") {
  // The same filters, the second run with one absent key in a hundred hits more. Their spread of
  // 12 % hides that from a test of means, and not from one of pairs.
  std::mt19937_64 random(64);
  FilterCounts first = draw(10, 100000, 1.0, random);
  FilterCounts second = first;
  for (auto& hits : second.hits) hits += hits / 100;
  CHECK(compare_rates(first, second, std::nullopt, 0.95)->p_value > 0.5);
  const auto change = compare_paired_rates(first, second, std::nullopt, 0.95);
  CHECK(change->method == RateMethod::paired);
  CHECK(change->p_value < 1e-6);
  CHECK(change->ratio == Approx(1.01).epsilon(1e-3));
  CHECK(change->interval.contains(1.01));
}

TEST_CASE("pairs that agree but for chance are not distinguished",
          "[statistics][two_rates][paired]") {
  std::mt19937_64 random(65);
  const int runs = 800;
  const double share = share_rejected(runs, 0.05, [&] {
    const std::vector<double> rates = simulated::rates({}, 10, random);
    const FilterCounts first = counts(simulated::hits(rates, 20000, random), 20000);
    const FilterCounts second = counts(simulated::hits(rates, 20000, random), 20000);
    return compare_paired_rates(first, second, std::nullopt, 0.95)->p_value;
  });
  CHECK(share < 0.05 + simulated::slack(0.05, runs));
  CHECK(share > 0.01);
  // Half a hit a filter is less than a count can show.
  const FilterCounts first = counts({100, 100, 100, 100, 100, 100}, 10000);
  FilterCounts second = first;
  second.hits[0] = 101;
  CHECK(compare_paired_rates(first, second, std::nullopt, 0.95)->p_value == 1.0);
}

TEST_CASE("counts that cannot be are refused", "[statistics][two_rates][errors]") {
  CHECK_THROWS_WITH(compare_rates(counts({11}, 10), counts({1}, 10), std::nullopt, 0.95),
                    Catch::Contains("compare_rates: "));
  CHECK_THROWS_WITH(compare_rates({}, counts({1}, 10), std::nullopt, 0.95),
                    Catch::Contains("compare_rates: number of filters is 0"));
  CHECK_THROWS_WITH(compare_paired_rates(counts({1}, 10), counts({1}, 11), std::nullopt, 0.95),
                    Catch::Contains("be that of the first run, asked as often"));
}

TEST_CASE("counts of whole runs are compared as those of their filters are, by a law",
          "[statistics][two_rates]") {
  // One filter a side: its count is that of the run. Several: the design effect is that of each.
  const RateLaw law{0.01, 1e-6};
  for (const std::uint64_t hits : {0U, 40U, 130U, 400U}) {
    const RateChange ours = compare_counts(100, {1, 10'000}, hits, {1, 20'000}, law, 0.95);
    const auto theirs = compare_rates({{100}, {10'000}}, {{hits}, {20'000}}, law, 0.95);
    REQUIRE(theirs.has_value());
    CHECK(ours.method == RateMethod::conditional);
    CHECK(ours.p_value == theirs->p_value);
    CHECK(ours.interval == theirs->interval);
  }
  const double few = compare_counts(100, {1, 10'000}, 300, {1, 20'000}, law, 0.95).p_value;
  const double many = compare_counts(100, {10, 1000}, 300, {10, 2000}, law, 0.95).p_value;
  CHECK(many < few);
  CHECK_THROWS_AS(compare_counts(11, {1, 10}, 1, {1, 10}, law, 0.95), std::invalid_argument);
}
