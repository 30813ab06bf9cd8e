#include "statistics/sequential.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "simulated_filters.hpp"

using namespace bloomlab::statistics;

namespace {

// Filters whose own rates follow a gamma law: theory's spread without its cost.
struct GammaFilters {
  double rate;
  double variation;  // coefficient of variation of a filter's own rate

  [[nodiscard]] std::vector<double> rates(std::uint64_t count, std::mt19937_64& random) const {
    const double shape = 1.0 / (variation * variation);
    std::gamma_distribution<double> own(shape, rate / shape);
    std::vector<double> result;
    for (std::uint64_t i = 0; i < count; ++i) result.push_back(own(random));
    return result;
  }
};

struct Stopped {
  std::vector<std::uint64_t> hits;
  std::uint64_t queries = 0;
  Precision reason = Precision::not_yet;
};

// Asks filters of these rates batch by batch until `decide` says to stop.
template <class Decide>
Stopped run_until(const std::vector<double>& rates, std::mt19937_64& random, const Decide& decide) {
  Stopped state{std::vector<std::uint64_t>(rates.size()), 0, Precision::not_yet};
  while (state.reason == Precision::not_yet) {
    const std::uint64_t end = next_batch_end(state.queries);
    const auto more = simulated::hits(rates, end - state.queries, random);
    for (std::size_t i = 0; i < rates.size(); ++i) state.hits[i] += more[i];
    state.queries = end;
    state.reason = decide(state.hits, end);
  }
  return state;
}

}  // namespace

TEST_CASE("batches end at multiples of the first and grow by an eighth",
          "[statistics][sequential]") {
  CHECK(next_batch_end(0) == 4096);
  CHECK(next_batch_end(4096) == 8192);
  CHECK(next_batch_end(61440) == 65536);
  CHECK(next_batch_end(65536) == 73728);
  // From anywhere the next end is a batch end: a resumed run falls back into step.
  CHECK(next_batch_end(5000) == 8192);
  int decisions = 0;
  for (std::uint64_t end = 0; end < (std::uint64_t{1} << 40); ++decisions) {
    const std::uint64_t next = next_batch_end(end);
    CHECK(next % 4096 == 0);
    CHECK(next > end);
    if (end >= 32768) CHECK(next - end <= end / 8);
    end = next;
  }
  CHECK(decisions > 100);
  CHECK(decisions < 180);
}

TEST_CASE("the hits that a precision needs are known numbers", "[statistics][sequential]") {
  // 1.959963985^2 = 3.841458821, 2.575829304^2 = 6.634896601.
  CHECK(needed_hits({0.05, 0.95}) == 1537);
  CHECK(needed_hits({0.10, 0.95}) == 385);
  CHECK(needed_hits({0.01, 0.95}) == 38415);
  CHECK(needed_hits({0.10, 0.99}) == 664);
}

TEST_CASE("one filter is precise enough exactly from the needed hits on",
          "[statistics][sequential]") {
  CHECK_FALSE(precise_enough(384, 1000000, 385));
  CHECK(precise_enough(385, 1000000, 385));
  CHECK_FALSE(precise_enough(0, 1000000, 1));
  CHECK(precise_enough(10, 10, 385));
  // At a rate of 1/2 half the hits do: hits * 2 >= 385.
  CHECK_FALSE(precise_enough(192, 384, 385));
  CHECK(precise_enough(193, 386, 385));
  // The same as the formula, to the last hit, for any rate.
  for (const double rate : {1e-4, 0.02, 0.3, 0.9}) {
    for (std::uint64_t queries = 4096; queries < 10000000; queries = next_batch_end(queries)) {
      const auto hits = static_cast<std::uint64_t>(rate * static_cast<double>(queries));
      if (hits == 0) continue;
      const double p = static_cast<double>(hits) / static_cast<double>(queries);
      CHECK(precise_enough(hits, queries, 385) ==
            (std::sqrt(385.0 * (1.0 - p) / static_cast<double>(hits)) <= 1.0));
    }
  }
  // The largest counts do not overflow: equality of two products of 2^105.
  const std::uint64_t most = std::uint64_t{1} << 53;
  CHECK(precise_enough(most / 2, most, most));
  CHECK_FALSE(precise_enough(most / 2 - 1, most, most));
}

TEST_CASE("an ensemble stops by its own spread", "[statistics][sequential]") {
  const EnsemblePrecision rule({0.10, 0.95}, 10);
  const std::uint64_t queries = 100000;
  const auto counts = [](std::uint64_t low, std::uint64_t high) {
    std::vector<std::uint64_t> hits(10, low);
    for (std::size_t i = 0; i < 5; ++i) hits[i] = high;
    return hits;
  };
  // s = 0.527 (high - low), t(9) = 2.262157: 10 % of a mean of 1000 is a difference of 265.2.
  CHECK(rule.decide(counts(868, 1132), queries) == Precision::reached);
  CHECK(rule.decide(counts(867, 1133), queries) == Precision::not_yet);
  // Beyond 265.2 and the binomial part, queries are not what is missing: at 275 the part between
  // filters is s^2 - 990 = 20 018 (allowed 19 541), at 268 it is 18 961.
  CHECK(rule.decide(counts(866, 1134), queries) == Precision::not_yet);
  CHECK(rule.decide(counts(862, 1138), queries) == Precision::more_queries_cannot_help);
  // Few hits that agree by chance stop nothing.
  CHECK(rule.decide(counts(3, 3), queries) == Precision::not_yet);
  CHECK(rule.decide(counts(0, 0), queries) == Precision::not_yet);
  CHECK(rule.decide(counts(38, 38), queries) == Precision::not_yet);
  CHECK(rule.decide(counts(39, 39), queries) == Precision::reached);
  // Half of 1000 queries hit: allowed 440, binomial 250, s^2 588 and 810.
  const EnsemblePrecision finer({0.03, 0.95}, 10);
  CHECK(finer.decide(counts(477, 523), 1000) == Precision::not_yet);
  CHECK(finer.decide(counts(473, 527), 1000) == Precision::more_queries_cannot_help);
}

TEST_CASE("the estimate at a fixed number of hits is unbiased", "[statistics][sequential]") {
  for (const double rate : {0.05, 0.6}) {
    for (const std::uint64_t hits : {2U, 3U, 20U}) {
      CAPTURE(rate, hits);
      // P(N = h) = p^h; P(N + 1) / P(N) = (1 - p) N / (N - h + 1).
      const auto h = static_cast<double>(hits);
      double probability = std::pow(rate, h);
      double mean = 0.0;
      double whole = 0.0;
      for (std::uint64_t queries = hits; queries < 20000; ++queries) {
        mean += probability * estimate_at_fixed_hits(hits, queries, 0.95).value;
        whole += probability;
        const auto asked = static_cast<double>(queries);
        probability *= (1.0 - rate) * asked / (asked - h + 1.0);
        if (probability < 1e-18 && asked > 2 * h / rate) break;
      }
      CHECK(whole == Approx(1.0).epsilon(1e-11));
      CHECK(mean == Approx(rate).epsilon(1e-11));
    }
  }
}

TEST_CASE("the interval at a fixed number of hits covers at least its level",
          "[statistics][sequential][coverage]") {
  for (const double rate : {0.05, 0.3}) {
    for (const std::uint64_t hits : {2U, 30U}) {
      CAPTURE(rate, hits);
      const auto h = static_cast<double>(hits);
      double probability = std::pow(rate, h);
      double covered = 0.0;
      double below = 0.0;
      double above = 0.0;
      const auto last = static_cast<std::uint64_t>((h + 12 * std::sqrt(h) + 40) / rate);
      for (std::uint64_t queries = hits; queries < last; ++queries) {
        const Interval interval = estimate_at_fixed_hits(hits, queries, 0.95).interval;
        (interval.high < rate ? below : interval.low > rate ? above : covered) += probability;
        const auto asked = static_cast<double>(queries);
        probability *= (1.0 - rate) * asked / (asked - h + 1.0);
      }
      CHECK(covered >= 0.95);
      CHECK(covered < (hits == 2 ? 0.985 : 0.965));
      CHECK(below <= 0.025);
      CHECK(above <= 0.025);
    }
  }
  const Estimate certain = estimate_at_fixed_hits(2, 2, 0.95);
  CHECK(certain.value == 1.0);
  CHECK(certain.interval.high == 1.0);
  CHECK(certain.interval.low == Approx(std::sqrt(0.025)));
}

TEST_CASE("after stopping at a precision Wilson's interval covers one filter's rate",
          "[statistics][sequential][coverage]") {
  // 95 % +- 0.5 % for the approximation and +- 4.5 standard deviations (7e-6) for chance.
  const std::uint64_t needed = needed_hits({0.10, 0.95});
  const int runs = 20000;
  for (const double rate : {0.002, 0.03}) {
    CAPTURE(rate);
    std::mt19937_64 random(30);
    int covered = 0;
    int precise = 0;
    for (int run = 0; run < runs; ++run) {
      const Stopped end =
          run_until({rate}, random, [&](const std::vector<std::uint64_t>& hits, std::uint64_t q) {
            return precise_enough(hits[0], q, needed) ? Precision::reached : Precision::not_yet;
          });
      const Interval interval = wilson(end.hits[0], end.queries, 0.95);
      covered += interval.contains(rate) ? 1 : 0;
      const double share = static_cast<double>(end.hits[0]) / static_cast<double>(end.queries);
      // Wilson's interval is longer than Wald's by z^2 / hits, 1 % of it here.
      precise += interval.high - interval.low <= 2 * 0.101 * share ? 1 : 0;
    }
    CHECK(std::abs(static_cast<double>(covered) / runs - 0.95) <
          0.005 + simulated::slack(0.95, runs));
    CHECK(precise == runs);
  }
}

TEST_CASE("after stopping at a precision the ensemble's interval covers its rate",
          "[statistics][sequential][coverage]") {
  // Ten filters that differ hardly, thirty that differ much, and ten whose spread is just about
  // what the target allows, so that half of the runs end with "cannot help". Coverage is that of
  // all runs, however they ended. 1 % is allowed to the rule, which stops more readily where the
  // observed spread is low by chance, and 4.5 standard deviations to chance.
  struct Setting {
    GammaFilters filters;
    std::uint64_t trials;
    double relative;
  };
  const int runs = 20000;
  for (const Setting& setting : {Setting{{0.008, 0.01}, 10, 0.10}, Setting{{0.03, 0.10}, 30, 0.06},
                                 Setting{{0.03, 0.12}, 10, 0.085}}) {
    CAPTURE(setting.trials, setting.relative);
    const EnsemblePrecision rule({setting.relative, 0.95}, setting.trials);
    std::mt19937_64 random(31);
    int covered = 0;
    for (int run = 0; run < runs; ++run) {
      const Stopped end =
          run_until(setting.filters.rates(setting.trials, random), random,
                    [&](const std::vector<std::uint64_t>& hits, std::uint64_t queries) {
                      return queries > 200000 ? Precision::more_queries_cannot_help
                                              : rule.decide(hits, queries);
                    });
      covered += estimate_ensemble(end.hits, end.queries, std::nullopt, 0.95)
                         .interval.contains(setting.filters.rate)
                     ? 1
                     : 0;
    }
    const double share = static_cast<double>(covered) / runs;
    CAPTURE(share);
    CHECK(std::abs(share - 0.95) < 0.01 + simulated::slack(0.95, runs));
  }
}

TEST_CASE("a stopping rule's arguments are checked", "[statistics][sequential][errors]") {
  CHECK_THROWS_WITH(needed_hits({0.2, 0.95}),
                    "needed_hits: relative half-width is 0.2; it must lie in (0, 0.1]");
  CHECK_THROWS_WITH(needed_hits({1e-9, 0.95}), Catch::Contains("ask for a coarser precision"));
  CHECK_THROWS_WITH(EnsemblePrecision({0.1, 0.95}, 9),
                    "EnsemblePrecision: trials is 9; it must be at least 10");
  CHECK_THROWS_WITH(EnsemblePrecision({0.1, 0.95}, 10).decide(std::vector<std::uint64_t>(9), 5),
                    "EnsemblePrecision: number of counts is 9; it must be the number of filters");
  CHECK_THROWS_WITH(estimate_at_fixed_hits(1, 5, 0.95),
                    "estimate_at_fixed_hits: hits is 1; it must be at least 2");
  CHECK_THROWS_WITH(estimate_at_fixed_hits(6, 5, 0.95),
                    "estimate_at_fixed_hits: hits is 6; it must not exceed the queries, 5");
}
