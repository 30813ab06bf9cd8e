#include "core/theory/rate_bound.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/theory/check_rate.hpp"
#include "core/theory/loads.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"

using namespace bloomlab::theory;
using bloomlab::check_rate;

namespace {

/// P(count > bound) of `trials` draws, by adding all terms from the outside in.
long double binomial_above_by_sum(std::uint64_t bound, std::uint64_t trials, double rate) {
  long double sum = 0.0L;
  for (std::uint64_t x = trials; x > bound; --x) {
    const auto n = static_cast<long double>(trials);
    const auto c = static_cast<long double>(x);
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(c + 1) - std::lgamma(n - c + 1) +
                    c * std::log(static_cast<long double>(rate)) +
                    (n - c) * std::log1p(-static_cast<long double>(rate)));
  }
  return sum;
}

/// Vigna's splitmix64: nothing of the library.
class RandomWords {
 public:
  std::uint64_t below(std::uint64_t end) {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t word = state_;
    word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
    return (word ^ (word >> 31U)) % end;
  }

 private:
  std::uint64_t state_ = 20240229;
};

/// Tests of `trials` absent keys, each against a new filter of n keys, that end above each bound.
std::vector<std::uint64_t> simulated_alarms(std::uint64_t tests, std::uint64_t n, double p,
                                            std::uint64_t trials,
                                            const std::vector<std::uint64_t>& bounds) {
  const FilterSize filter = smallest_filter_exact(n, p);
  RandomWords words;
  std::vector<std::uint64_t> alarms(bounds.size(), 0);
  std::vector<std::uint32_t> set(filter.m, 0);
  for (std::uint32_t test = 1; test <= tests; ++test) {
    for (std::uint64_t i = 0; i < n * filter.k; ++i) set[words.below(filter.m)] = test;
    std::uint64_t count = 0;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
      bool all = true;
      for (std::uint64_t i = 0; i < filter.k && all; ++i) all = set[words.below(filter.m)] == test;
      count += all ? 1 : 0;
    }
    for (std::size_t i = 0; i < bounds.size(); ++i) alarms[i] += count > bounds[i] ? 1 : 0;
  }
  return alarms;
}

}  // namespace

TEST_CASE("the tail of one rate is the binomial sum", "[theory][rate-bound]") {
  for (const std::uint64_t trials : {1U, 10U, 300U}) {
    for (const double rate : {1e-4, 0.01, 0.3, 0.9}) {
      const FalsePositiveLaw law({{1.0, rate}}, trials);
      for (const double share : {0.0, 0.2, 0.9, 1.0, 1.1, 1.5, 3.0}) {
        const auto bound = static_cast<std::uint64_t>(rate * static_cast<double>(trials) * share);
        if (bound > trials) continue;
        CAPTURE(trials, rate, bound);
        const auto expected = static_cast<double>(binomial_above_by_sum(bound, trials, rate));
        CHECK(law.above(bound) == Approx(expected).epsilon(1e-9).margin(1e-15));
      }
    }
  }
  // 2^-34 (34 choose i); the first term, i = 17, is of numbers that all go by Stirling's series.
  double expected = 0.0;
  double term = 0x1p-34;
  for (int i = 34; i > 16; --i) {
    expected += term;
    term *= i / (35.0 - i);
  }
  CHECK(FalsePositiveLaw({{1.0, 0.5}}, 34).above(16) == Approx(expected).epsilon(2e-12));
}

TEST_CASE("the bound is the smallest that keeps alpha, down to 10^-12", "[theory][rate-bound]") {
  for (const std::uint64_t items : {0U, 50U}) {
    for (const double p : {0.2, 0.01, 1e-3}) {
      const auto rates = own_rate_law_at(p, items);
      for (const double alpha : {0.05, 1e-6, 1e-12}) {
        const FalsePositiveLaw law(rates, 1000);
        const std::uint64_t bound = law.smallest_bound(alpha);
        CAPTURE(items, p, alpha, bound);
        long double at = 0.0L;
        long double below = 0.0L;
        for (const RateWeight& one : rates) {
          at += one.weight * binomial_above_by_sum(bound, 1000, one.rate);
          if (bound > 0) below += one.weight * binomial_above_by_sum(bound - 1, 1000, one.rate);
        }
        CHECK(at <= alpha * (1 + 1e-9L));
        if (bound > 0) CHECK(below > alpha * (1 - 1e-9L));
      }
    }
  }
}

TEST_CASE("of thousands of positions the tail is the whole sum over all numbers of set bits",
          "[theory][rate-bound]") {
  const auto rates = own_rate_law_at(0.01, 700);
  REQUIRE(rates.size() > 100);
  const FalsePositiveLaw law(rates, 3000);
  for (const std::uint64_t bound : {10U, 30U, 45U, 70U}) {
    long double sum = 0.0L;
    for (const RateWeight& one : rates) {
      sum += one.weight * binomial_above_by_sum(bound, 3000, one.rate);
    }
    CAPTURE(bound);
    CHECK(law.above(bound) == Approx(static_cast<double>(sum)).epsilon(1e-9));
  }
}

TEST_CASE("a mean rate that is some times as high is that of rates of at most 1",
          "[theory][rate-bound]") {
  for (const std::uint64_t items : {1U, 3U, 10U, 1000U}) {
    for (const double p : {0.01, 0.1, 0.4, 0.9}) {
      const FalsePositiveLaw one(own_rate_law_at(p, items), 1);
      CAPTURE(items, p);
      CHECK(one.mean_rate() == Approx(p).epsilon(1e-9));
      for (const double share : {0.0, 0.3, 0.9, 0.999, 1.0}) {
        const double factor = 1.0 + share * (1.0 / p - 1.0);
        // Of one trial the chance of a false positive is the mean rate itself.
        CHECK(one.above(0, factor) == Approx(factor * p).epsilon(1e-9));
      }
      const FalsePositiveLaw law(own_rate_law_at(p, items), 12);
      const std::uint64_t bound = law.smallest_bound(1e-6);
      const auto detected = law.detected_factor(bound, 0.9);
      CHECK(detected.has_value() == (bound < 12));
      if (detected) CHECK(*detected * p <= 1.0 + 1e-9);
      if (detected) CHECK(law.above(bound, *detected) >= 0.9);
    }
  }
}

TEST_CASE("the law of a filter's own rate has the exact mean and spread", "[theory][rate-bound]") {
  const struct {
    std::uint64_t m, n, k;
  } filters[] = {{64, 10, 4},     {1000, 100, 7},   {10000, 1000, 7},      {100000, 10000, 7},
                 {3000, 3000, 2}, {41000, 4285, 7}, {10000000, 1000000, 7}};
  for (const auto& [m, n, k] : filters) {
    CAPTURE(m, n, k);
    double mean = 0.0;
    double square = 0.0;
    for (const RateWeight& one : own_rate_law(m, n, k)) {
      mean += one.weight * one.rate;
      square += one.weight * one.rate * one.rate;
    }
    CHECK(mean == Approx(exact_fpr(m, n, k)).epsilon(1e-4));
    CHECK(std::sqrt(square - mean * mean) == Approx(sd_conditional_fpr(m, n, k)).epsilon(2e-3));
  }
}

TEST_CASE("the law of a filter's own rate has the exact mean and spread at any size",
          "[theory][rate-bound]") {
  // Few and many positions, of both sides of the 30 000 up to which they are counted one by one;
  // filters that are nearly empty and nearly full; and as large as can be told.
  const struct {
    std::uint64_t m, n, k;
  } filters[] = {{40'000, 30'000, 1},
                 {40'000, 30'001, 1},
                 {30'000, 3'000, 10},
                 {30'000, 3'001, 10},
                 {1'000, 30'000, 1},
                 {8'000, 40'000, 1},
                 {50'000, 100'000, 3},
                 {1'000'000'000, 50'000, 1},
                 {1'000'000'000'000, 5'000'000, 3},
                 {std::uint64_t{1} << 40, std::uint64_t{1} << 37, 7},
                 {std::uint64_t{1} << 50, std::uint64_t{1} << 47, 7},
                 {std::uint64_t{1} << 60, std::uint64_t{1} << 49, 7},
                 {std::uint64_t{1} << 60, 1'000'000, 1}};
  for (const auto& [m, n, k] : filters) {
    CAPTURE(m, n, k);
    const auto law = own_rate_law(m, n, k);
    double all = 0.0;
    double mean = 0.0;
    for (const RateWeight& one : law) {
      all += one.weight;
      mean += one.weight * one.rate;
    }
    double variance = 0.0;
    for (const RateWeight& one : law) variance += one.weight * std::pow(one.rate - mean, 2);
    CHECK(all == Approx(1.0).epsilon(1e-12));
    CHECK(mean == Approx(exact_fpr(m, n, k)).epsilon(1e-9));
    CHECK(std::sqrt(variance) == Approx(sd_conditional_fpr(m, n, k)).epsilon(1e-6));
  }
}

TEST_CASE("the law of a small filter's own rate has all moments of its set bits",
          "[theory][rate-bound]") {
  for (const std::uint64_t m : {1U, 2U, 3U, 5U, 40U, 1000U}) {
    for (const std::uint64_t n : {1U, 2U, 3U, 30U}) {
      for (const std::uint64_t k : {1U, 2U, 5U}) {
        const auto law = own_rate_law(m, n, k);
        for (const std::uint64_t power : {1U, 2U, 3U, 4U}) {
          CAPTURE(m, n, k, power);
          double moment = 0.0;
          for (const RateWeight& one : law) {
            moment += one.weight * std::pow(one.rate, static_cast<double>(power));
          }
          CHECK(moment == Approx(query_fpr(m, n * k, power * k)).epsilon(1e-11));
        }
      }
    }
  }
}

TEST_CASE("of positions that hardly meet, pairs in one bit are as many as at a birthday party",
          "[theory][rate-bound]") {
  for (const std::uint64_t n : {40'000U, 100'000'000U}) {
    const std::uint64_t m = std::uint64_t{1} << 60;
    const auto law = own_rate_law(m, n, 1);
    const double pairs = static_cast<double>(n) * static_cast<double>(n - 1) / 2.0;
    const double met = pairs / static_cast<double>(m);
    REQUIRE(law.size() >= 2);
    CAPTURE(n, met);
    CHECK(law[law.size() - 1].rate == static_cast<double>(n) / static_cast<double>(m));
    CHECK(law[law.size() - 1].weight == Approx(std::exp(-met)).epsilon(1e-6));
    CHECK(law[law.size() - 2].weight == Approx(std::exp(-met) * met).epsilon(1e-6));
  }
}

TEST_CASE("right filters fail as often as the bound says, in 10^5 simulated tests",
          "[theory][rate-bound][simulation]") {
  constexpr std::uint64_t tests = 100'000;
  for (const double p : {0.2, 0.03}) {
    for (const auto& [items, trials] :
         {std::pair<std::uint64_t, std::uint64_t>{20, 40}, {20, 150}, {60, 40}, {300, 100}}) {
      const FalsePositiveLaw law(own_rate_law_at(p, items), trials);
      const std::vector<std::uint64_t> alarms = simulated_alarms(
          tests, items, p, trials, {law.smallest_bound(0.05), law.smallest_bound(1e-3)});
      for (const std::size_t i : {0U, 1U}) {
        const double alpha = i == 0 ? 0.05 : 1e-3;
        const std::uint64_t bound = law.smallest_bound(alpha);
        // The smallest filter that keeps p has a little less than p.
        const FilterSize filter = smallest_filter_exact(items, p);
        const double exact =
            FalsePositiveLaw(own_rate_law(filter.m, items, filter.k), trials).above(bound);
        CAPTURE(items, p, trials, alpha, alarms[i], exact);
        CHECK(law.above(bound) <= alpha);
        // Not more than alpha allows, and as many as the exact sum says.
        CHECK(FalsePositiveLaw({{1.0, alpha}}, tests).above(alarms[i]) > 1e-7);
        CHECK(FalsePositiveLaw({{1.0, exact}}, tests).above(alarms[i]) > 1e-7);
        CHECK((alarms[i] == 0 ||
               FalsePositiveLaw({{1.0, exact}}, tests).above(alarms[i] - 1) < 1 - 1e-7));
      }
    }
  }
}

TEST_CASE("without the spread of one filter's rate a bound is passed too often",
          "[theory][rate-bound]") {
  const auto spread = own_rate_law_at(0.01, 50);
  const std::uint64_t trials = 20'000;
  const std::uint64_t plain = FalsePositiveLaw({{1.0, 0.01}}, trials).smallest_bound(1e-6);
  CHECK(FalsePositiveLaw(spread, trials).above(plain) > 1e-3);
  CHECK(FalsePositiveLaw(spread, trials).smallest_bound(1e-6) > plain);
}

TEST_CASE("the detected factor has the power, and the trials for a factor detect it",
          "[theory][rate-bound]") {
  for (const std::uint64_t items : {0U, 2000U}) {
    const auto rates = own_rate_law_at(0.01, items);
    const FalsePositiveLaw law(rates, 10'000);
    const std::uint64_t bound = law.smallest_bound(1e-3);
    const double factor = *law.detected_factor(bound, 0.9);
    CHECK(law.above(bound, factor) >= 0.9);
    CHECK(law.above(bound, factor * 0.999) < 0.9);
    const std::uint64_t needed = *trials_for(rates, 1e-3, 1.5, 0.9);
    const FalsePositiveLaw enough(rates, needed);
    CHECK(enough.above(enough.smallest_bound(1e-3), 1.5) >= 0.9);
    const FalsePositiveLaw few(rates, needed / 2);
    CHECK(few.above(few.smallest_bound(1e-3), 1.5) < 0.9);
  }
  CHECK_FALSE(trials_for(own_rate_law_at(0.01, 100), 1e-6, 1.05, 0.9));
  CHECK(trials_for({{1.0, 1e-9}}, 1e-6, 1.05, 0.9).value_or(0) > 10'000'000'000'000);
  CHECK_FALSE(trials_for({{1.0, 1e-30}}, 1e-6, 1.05, 0.9));
  CHECK_FALSE(FalsePositiveLaw({{1.0, 0.5}}, 3).detected_factor(3, 0.9));
}

TEST_CASE("a bound out of its domain is refused", "[theory][rate-bound]") {
  CHECK_THROWS_AS(FalsePositiveLaw({}, 1), DomainError);
  CHECK_THROWS_AS(FalsePositiveLaw({{1.0, 0.1}}, 0), DomainError);
  CHECK_THROWS_AS(own_rate_law_at(1.0, 10), DomainError);
  CHECK_THROWS_AS(FalsePositiveLaw({{1.0, 0.1}}, 5).smallest_bound(0.0), DomainError);
}

TEST_CASE("a check of a rate counts what is asked and what is answered", "[theory][rate-bound]") {
  CHECK(bloomlab::RateCheck{}.max_false_positives == 0);
  CHECK(bloomlab::RateCheck{.trials = 5}.passed());
  std::vector<int> keys(1000);
  std::iota(keys.begin(), keys.end(), 0);
  const auto answers_below = [&](int count) {
    return check_rate(keys, [count](int key) { return key < count; }, {.fpr = 0.01, .alpha = 1e-6});
  };
  const auto few = answers_below(0);
  CHECK(few.false_positives == 0);
  CHECK(few.trials == 1000);
  const std::uint64_t most = FalsePositiveLaw({{1.0, 0.01}}, 1000).smallest_bound(1e-6);
  CHECK(few.max_false_positives == most);
  CHECK(answers_below(static_cast<int>(most)).passed());
  const auto one_more = answers_below(static_cast<int>(most) + 1);
  CHECK(one_more.false_positives == most + 1);
  CHECK_FALSE(one_more.passed());
  CHECK(one_more.message() == std::to_string(most + 1) +
                                  " false positives in 1000 absent keys; at most " +
                                  std::to_string(most) + " are allowed");
}

TEST_CASE("a bound that right filters pass with the power needs no factor",
          "[theory][rate-bound]") {
  for (const std::uint64_t items : {0U, 20U, 2000U}) {
    const FalsePositiveLaw law(own_rate_law_at(0.1, items), 50);
    for (const std::uint64_t bound : {0U, 3U, 5U, 9U}) {
      const double power = law.above(bound);
      CAPTURE(items, bound, power);
      CHECK(law.detected_factor(bound, power) == 1.0);
      const double factor = law.detected_factor(bound, power + 0.5 * (1.0 - power)).value();
      CHECK(factor > 1.0);
      CHECK(law.above(bound, factor) == Approx(power + 0.5 * (1.0 - power)).epsilon(1e-7));
    }
    // Rates of at most 1: of all trials, every one is a false positive.
    CHECK(law.above(49, 10.0) == Approx(1.0).epsilon(1e-12));
    CHECK(law.above(50, 10.0) == 0.0);
    CHECK(law.above(51) == 0.0);
  }
}

TEST_CASE("rates of 0 and of 1 are told for sure", "[theory][rate-bound]") {
  for (const std::uint64_t trials : {1U, 2U, 100U}) {
    CAPTURE(trials);
    const FalsePositiveLaw never({{1.0, 0.0}}, trials);
    CHECK(never.above(0) == 0.0);
    CHECK(never.smallest_bound(1e-9) == 0);
    const FalsePositiveLaw always({{1.0, 1.0}}, trials);
    CHECK(always.above(trials - 1) == 1.0);
    CHECK(always.above(trials) == 0.0);
    CHECK(always.smallest_bound(0.5) == trials);
    const FalsePositiveLaw either({{0.25, 0.0}, {0.75, 1.0}}, trials);
    CHECK(either.mean_rate() == 0.75);
    CHECK(either.above(0) == 0.75);
    CHECK(either.above(trials - 1) == 0.75);
    CHECK(either.smallest_bound(0.75) == 0);
    CHECK(either.smallest_bound(0.74) == trials);
  }
}

TEST_CASE("the trials for a factor detect it, and one less does not", "[theory][rate-bound]") {
  const std::vector<RateWeight> rates{{1.0, 0.05}};
  for (const double factor : {1.5, 2.0, 4.0, 10.0, 18.0, 20.0}) {
    for (const double power : {0.2, 0.5, 0.9}) {
      for (const double alpha : {0.01, 1e-3}) {
        const std::uint64_t needed = trials_for(rates, alpha, factor, power).value();
        const auto detects = [&](std::uint64_t trials) {
          const FalsePositiveLaw law(rates, trials);
          return law.above(law.smallest_bound(alpha), factor) >= power;
        };
        CAPTURE(factor, power, alpha, needed);
        REQUIRE(needed < 2000);  // of more the answer is to a thousandth
        CHECK(detects(needed));
        CHECK_FALSE((needed > 1 && detects(needed - 1)));
      }
    }
  }
  // Two hits in two trials are rarer than 1 in 100, one in one is not.
  CHECK(trials_for(rates, 0.01, 20.0, 0.9) == 2U);
  CHECK(trials_for(rates, 0.06, 20.0, 0.9) == 1U);
}

TEST_CASE("rates are taken in any order", "[theory][rate-bound]") {
  const std::vector<RateWeight> up{{0.5, 0.01}, {0.3, 0.1}, {0.2, 0.6}};
  const std::vector<RateWeight> down(up.rbegin(), up.rend());
  const FalsePositiveLaw one(up, 30);
  const FalsePositiveLaw other(down, 30);
  for (const std::uint64_t bound : {0U, 1U, 5U, 18U, 29U}) {
    CAPTURE(bound);
    double sum = 0.0;
    for (const RateWeight& each : up) {
      sum += each.weight * static_cast<double>(binomial_above_by_sum(bound, 30, each.rate));
    }
    CHECK(one.above(bound) == Approx(sum).epsilon(1e-11));
    CHECK(other.above(bound) == Approx(sum).epsilon(1e-11));
    CHECK(other.above(bound, 2.0) == Approx(one.above(bound, 2.0)).epsilon(1e-11));
  }
  for (const double alpha : {0.5, 0.19, 0.01}) {
    CHECK(other.smallest_bound(alpha) == one.smallest_bound(alpha));
  }
  CHECK(trials_for(down, 0.01, 3.0, 0.1) == trials_for(up, 0.01, 3.0, 0.1));
}
