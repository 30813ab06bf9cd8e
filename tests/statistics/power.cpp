#include "statistics/power.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "simulated_filters.hpp"
#include "statistics/test.hpp"

using namespace bloomlab::statistics;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// P(the test rejects) when the hits are binomial with `true_rate`, summed over all counts.
double rejection_probability(std::uint64_t queries, double predicted, double true_rate,
                             double alpha) {
  double probability = 0.0;
  for (std::uint64_t hits = 0; hits <= queries; ++hits) {
    if (test_ensemble_rate(hits, {1, queries}, {predicted, 0.0}).p_value > alpha) continue;
    const auto count = static_cast<double>(hits);
    const auto draws = static_cast<double>(queries);
    probability +=
        std::exp(std::lgamma(draws + 1) - std::lgamma(count + 1) - std::lgamma(draws - count + 1) +
                 count * std::log(true_rate) + (draws - count) * std::log1p(-true_rate));
  }
  return probability;
}

}  // namespace

TEST_CASE("with few hits the detectable effect is exact", "[statistics][power]") {
  const TestPlan plan{0.05, 0.9};
  for (const double rate : {0.002, 0.01, 0.3, 0.96}) {
    const std::uint64_t queries = 500;
    CAPTURE(rate);
    const DetectableEffect effect = minimum_detectable_effect({rate, 0.0}, {1, queries}, plan);
    for (const double change : {effect.increase, -effect.decrease}) {
      CAPTURE(change);
      if (std::isinf(change)) continue;
      const double at_it = rejection_probability(queries, rate, rate * (1.0 + change), 0.05);
      const double below = rejection_probability(queries, rate, rate * (1.0 + 0.99 * change), 0.05);
      CHECK(at_it == Approx(0.9).margin(1e-6));
      CHECK(below < 0.9);
    }
  }
}

TEST_CASE("an effect too small for the counts is infinite", "[statistics][power]") {
  const TestPlan plan{0.05, 0.9};
  // One expected hit: no hit at all is not rare, so no decrease can show.
  const DetectableEffect few = minimum_detectable_effect({0.001, 0.0}, {1, 1000}, plan);
  CHECK(few.decrease == infinity);
  CHECK(few.either() == infinity);
  CHECK(few.increase > 5.0);
  CHECK(few.increase < 8.0);
  // Two queries at 1/2 never reject.
  CHECK(minimum_detectable_effect({0.5, 0.0}, {1, 2}, plan).increase == infinity);
  CHECK(minimum_detectable_effect({0.0, 0.0}, {1, 1000}, plan).increase == infinity);
  CHECK(minimum_detectable_effect({0.0, 0.0}, {1, 1000}, plan).decrease == infinity);
  CHECK(minimum_detectable_effect({1.0, 0.0}, {1, 1000}, plan).increase == infinity);
  // Every miss refutes a rate of 1: (1 - d)^1000 = 0.1.
  CHECK(minimum_detectable_effect({1.0, 0.0}, {1, 1000}, plan).decrease ==
        Approx(-std::expm1(std::log(0.1) / 1000)).epsilon(1e-9));
}

TEST_CASE("with many hits the detectable effect is the sum of two quantiles",
          "[statistics][power]") {
  // (1.959964 + 1.281552) sd / f, up to the larger spread at the other rate.
  const TestPlan plan{0.05, 0.9};
  const Sampling sampling{1, 1000000000};
  const DetectableEffect effect = minimum_detectable_effect({0.01, 0.0}, sampling, plan);
  const double expected = 3.241516 * std::sqrt(0.99 / 0.01 / 1e9);
  CHECK(effect.increase == Approx(expected).epsilon(1e-3));
  CHECK(effect.decrease == Approx(expected).epsilon(1e-3));
  CHECK(effect.increase > effect.decrease);
}

TEST_CASE("the promised power is reached by simulated filters", "[statistics][power][coverage]") {
  // Filters whose rate is higher than predicted by the detectable effect, same relative spread.
  const simulated::KnownFilter filter;
  const std::uint64_t queries = 20000;
  const Sampling sampling{10, queries};
  const DetectableEffect effect = minimum_detectable_effect(filter.rate, sampling, {0.05, 0.9});
  const int runs = 3000;
  for (const double change : {effect.increase, -effect.decrease}) {
    CAPTURE(change);
    std::mt19937_64 random(41);
    int noticed = 0;
    for (int run = 0; run < runs; ++run) {
      std::vector<double> rates = simulated::rates(filter, 10, random);
      for (double& rate : rates) rate *= 1.0 + change;
      std::uint64_t hits = 0;
      for (const std::uint64_t count : simulated::hits(rates, queries, random)) hits += count;
      noticed += test_ensemble_rate(hits, sampling, filter.rate).p_value <= 0.05 ? 1 : 0;
    }
    CHECK(std::abs(static_cast<double>(noticed) / runs - 0.9) < 0.01 + simulated::slack(0.9, runs));
  }
}

TEST_CASE("more filters or queries never need a larger effect", "[statistics][power]") {
  const simulated::KnownFilter filter;
  double last = infinity;
  for (const std::uint64_t queries : {100ULL, 1000ULL, 10000ULL, 100000ULL, 100000000ULL}) {
    const double effect =
        minimum_detectable_effect(filter.rate, {30, queries}, {0.01, 0.9}).increase;
    CHECK(effect < last);
    last = effect;
  }
  // The floor that 30 filters set, however many queries: 3.86 * 12.2 % / sqrt(30), and a little
  // for the skewed law.
  CHECK(last == Approx(3.857 * 0.12232 / std::sqrt(30.0)).epsilon(0.12));
}

TEST_CASE("distinguishing exact from approximate needs the known numbers", "[statistics][power]") {
  // m/n = 10, k = 7. n = 100: the approximation lies 0.88 % below, 1.6e7 queries of fresh filters
  // or 2042 filters with endless queries; n = 1000: 0.088 %, 1.6e9.
  const simulated::KnownFilter filter;
  const TestPlan plan{0.05, 0.9};
  const double approximate = std::pow(-std::expm1(-0.7), 7);
  const double effect = 1.0 - approximate / filter.rate.rate;
  CHECK(effect == Approx(0.0088).epsilon(0.01));
  CHECK(static_cast<double>(*queries_to_detect({filter.rate.rate, 0.0}, 1, effect, plan)) ==
        Approx(1.6e7).epsilon(0.03));
  CHECK(static_cast<double>(trials_to_detect(filter.rate, effect, plan)) ==
        Approx(2042).epsilon(0.02));
  CHECK(static_cast<double>(*queries_to_detect({0.00820, 0.0}, 1, 0.00088, plan)) ==
        Approx(1.6e9).epsilon(0.03));
}

TEST_CASE("what distinguishes two closed forms grows as theory says", "[statistics][power]") {
  // Ten bits per key, k = 7: exact mean and deviation of a filter's own rate, with 60 digits; the
  // textbook rate is .008193722 for all. Needed numbers to two digits, from the normal law.
  struct Known {
    RateLaw exact;
    double queries;
    double filters;
  };
  const auto squared = [](double deviation) { return deviation * deviation; };
  for (const Known& known :
       {Known{{0.00893631159467946, squared(0.0034557965847248533)}, 1.7e5, 228},
        Known{{0.008266247514843568, squared(0.0010111281363959904)}, 1.6e7, 2042},
        Known{{0.008200957404774738, squared(0.00031719663841709973)}, 1.6e9, 2.0e4},
        Known{{0.008194445427823516, squared(0.0001002258510206177)}, 1.6e11, 2.0e5}}) {
    CAPTURE(known.filters);
    const double effect = std::abs(0.008193722065862417 - known.exact.rate) / known.exact.rate;
    const auto queries = queries_to_detect({known.exact.rate, 0.0}, 1, effect, {0.05, 0.9});
    REQUIRE(queries);
    CHECK(static_cast<double>(*queries) == Approx(known.queries).epsilon(0.04));
    CHECK(static_cast<double>(trials_to_detect(known.exact, effect, {0.05, 0.9})) ==
          Approx(known.filters).epsilon(0.03));
  }
}

TEST_CASE("planned queries suffice and are not too many", "[statistics][power]") {
  const simulated::KnownFilter filter;
  const TestPlan plan{0.01, 0.9};
  struct Setting {
    RateLaw law;
    std::uint64_t trials;
    double effect;
  };
  for (const Setting& setting :
       {Setting{{1e-6, 0.0}, 1, 0.1}, Setting{{1e-6, 0.0}, 3, 4.0}, Setting{filter.rate, 200, 0.1},
        Setting{{0.999, 1e-7}, 5, 1e-3}, Setting{{0.25, 0.0}, 1, 0.5}}) {
    CAPTURE(setting.law.rate, setting.trials, setting.effect);
    const auto queries = queries_to_detect(setting.law, setting.trials, setting.effect, plan);
    REQUIRE(queries);
    const auto detectable = [&](std::uint64_t number) {
      const auto found = minimum_detectable_effect(setting.law, {setting.trials, number}, plan);
      return setting.effect > 1.0 ? found.increase : found.either();
    };
    CHECK(detectable(*queries) <= setting.effect);
    CHECK(detectable(*queries * 8 / 10) > setting.effect);
  }
  // Twenty such filters differ too much to show 1 %, whatever they are asked.
  CHECK_FALSE(queries_to_detect(filter.rate, 20, 0.01, plan));
  CHECK_FALSE(queries_to_detect({0.0, 0.0}, 1, 0.1, plan));
  // Of very many filters one query each is enough.
  CHECK(queries_to_detect({0.5, 0.0}, 1'000'000, 0.5, plan) == 1);
}

TEST_CASE("the set bits' detectable effect is the sum of two quantiles", "[statistics][power]") {
  const simulated::KnownFilter filter;
  CHECK(minimum_detectable_set_bits_effect(filter.mean_set_bits, filter.variance_set_bits, 25,
                                           {0.05, 0.9}) ==
        Approx(3.241516 * std::sqrt(77.377903 / 25) / 503.588587).epsilon(1e-6));
}

TEST_CASE("a plan's arguments are checked", "[statistics][power][errors]") {
  CHECK_THROWS_WITH(minimum_detectable_effect({0.1, 0.0}, {1, 1}, {0.0, 0.9}),
                    "minimum_detectable_effect: alpha is 0; it must lie strictly between 0 and 1");
  CHECK_THROWS_WITH(minimum_detectable_effect({0.1, 0.0}, {1, 1}, {0.5, 0.4}),
                    "minimum_detectable_effect: power is 0.4; it must be above alpha");
  CHECK_THROWS_WITH(queries_to_detect({0.1, 0.0}, 1, 0.0, {0.05, 0.9}),
                    "queries_to_detect: effect is 0; it must be above 0");
  CHECK_THROWS_WITH(trials_to_detect({0.0, 0.0}, 0.1, {0.05, 0.9}),
                    "trials_to_detect: rate is 0; it must be above 0");
  CHECK_THROWS_WITH(minimum_detectable_set_bits_effect(0.0, 1.0, 1, {0.05, 0.9}),
                    "minimum_detectable_set_bits_effect: mean is 0; it must be above 0");
}
