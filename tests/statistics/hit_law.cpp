#include "statistics/hit_law.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "simulated_filters.hpp"

using namespace bloomlab::statistics;
using simulated::pooled_rate_variance;

TEST_CASE("the design effect is the two-stage variance over the binomial one",
          "[statistics][hit_law]") {
  const RateLaw law{0.01, 1e-6};
  CHECK(design_effect(law, 1) == 1.0);
  CHECK(design_effect(law, 1001) == Approx(1.0 + 1000 * 1e-6 / 0.0099).epsilon(1e-14));
  CHECK(design_effect({0.0, 0.0}, 1000) == 1.0);
  CHECK(design_effect({1.0, 0.0}, 1000) == 1.0);
  // Variance = binomial variance times design effect.
  CHECK(pooled_rate_variance(law, {20, 1000}) ==
        Approx(design_effect(law, 1000) * 0.0099 / 20000).epsilon(1e-13));
}

TEST_CASE("the dispersion gives the same variance on either side", "[statistics][hit_law]") {
  for (const double rate : {1e-6, 0.0083, 0.4, 0.6, 0.9917}) {
    for (const double share : {0.0, 1e-5, 0.01}) {
      for (const Sampling sampling : {Sampling{1, 1}, Sampling{7, 100}, Sampling{30, 1000000}}) {
        CAPTURE(rate, share, sampling.trials, sampling.queries);
        const RateLaw law{rate, share * rate * (1.0 - rate)};
        const HitLaw hits(law, sampling);
        CHECK(hits.mean() == Approx(rate * sampling.total()).epsilon(1e-13));
        CHECK(hits.standard_deviation() ==
              Approx(sampling.total() * std::sqrt(pooled_rate_variance(law, sampling)))
                  .epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("the kind of law follows from prediction and size alone", "[statistics][hit_law]") {
  const auto kind = [](RateLaw law, Sampling sampling) { return HitLaw(law, sampling).kind(); };
  CHECK(kind({0.0, 0.0}, {5, 1000}) == HitLawKind::certain);
  CHECK(kind({1.0, 0.0}, {5, 1000}) == HitLawKind::certain);
  CHECK(kind({1e-5, 0.0}, {1, 100000}) == HitLawKind::binomial);
  CHECK(kind({0.5, 0.0}, {1, 10}) == HitLawKind::binomial);  // symmetric, but coarse
  CHECK(kind({0.5, 0.0}, {1, 1000000}) == HitLawKind::normal);
  CHECK(kind({1e-5, 1e-14}, {1, 10000000}) == HitLawKind::binomial);       // design effect 1.01
  CHECK(kind({1e-5, 1e-12}, {1, 10000000}) == HitLawKind::gamma_poisson);  // design effect 2
  // One filter with 12 % spread stays skewed however many queries it is asked.
  const simulated::KnownFilter filter;
  CHECK(kind(filter.rate, {1, 1000000000}) == HitLawKind::gamma_poisson);
  CHECK(kind(filter.rate, {10000, 1000000000}) == HitLawKind::normal);
  // Common hits are judged by the rare misses.
  CHECK(kind({1.0 - 1e-5, 0.0}, {1, 100000}) == HitLawKind::binomial);
  CHECK(kind({1.0 - 1e-5, 1e-12}, {1, 10000000}) == HitLawKind::gamma_poisson);
}

TEST_CASE("the gamma mixture equals sums made with 40 digits", "[statistics][hit_law]") {
  struct Row {
    double hits, mean, dispersion, at_most, at_least;
  };
  for (const Row& row : {Row{0, 10, 0.02, 0.00010988481911717226, 1.0},
                         Row{25, 10, 0.02, 0.99987921522614267, 0.00025629009560331336},
                         Row{3, 10, 0.5, 0.19624485596707819, 0.86805555555555556},
                         Row{60, 40, 0.0149, 0.9908987623963707, 0.011967882398851277}}) {
    CAPTURE(row.hits, row.mean, row.dispersion);
    const HitLaw law = HitLaw::gamma_poisson(1e6, row.mean / 1e6, row.dispersion);
    CHECK(law.at_most(row.hits) == Approx(row.at_most).epsilon(1e-12));
    CHECK(law.at_least(row.hits) == Approx(row.at_least).epsilon(1e-12));
  }
}

TEST_CASE("laws pass into each other where they must", "[statistics][hit_law]") {
  for (const double hits : {0.0, 3.0, 10.0, 25.0}) {
    CAPTURE(hits);
    // No spread: Poisson. Many draws: binomial becomes Poisson.
    const double poisson = HitLaw::gamma_poisson(1e15, 1e-14, 0.0).at_most(hits);
    double sum = 0.0;
    double term = std::exp(-10.0);
    for (int i = 0; i <= static_cast<int>(hits); ++i) {
      sum += term;
      term *= 10.0 / (i + 1);
    }
    CHECK(poisson == Approx(sum).epsilon(1e-10));
    CHECK(HitLaw::gamma_poisson(1e15, 1e-14, 1e-9).at_most(hits) == Approx(poisson).epsilon(1e-6));
    CHECK(HitLaw::binomial(1e12, 1e-11).at_most(hits) == Approx(poisson).epsilon(1e-9));
  }
}

TEST_CASE("tails have values however far out and however many", "[statistics][hit_law]") {
  // Boost's incomplete gamma throws for some of these.
  for (const double draws : {1.0, 1e3, 1e9, 9e15}) {
    for (const double rate : {0.0, 1e-300, 1e-9, 0.3, 1.0}) {
      for (const double dispersion : {0.0, 1e-15, 0.01, 3.0}) {
        for (const double share : {0.0, 1e-6, 0.3, 1.0}) {
          const double hits = std::floor(share * draws);
          CAPTURE(draws, rate, dispersion, hits);
          for (const HitLaw& law :
               {HitLaw::gamma_poisson(draws, rate, dispersion), HitLaw::binomial(draws, rate)}) {
            const double below = law.at_most(hits);
            const double above = law.at_least(hits + 1.0);
            CHECK(below + above == Approx(1.0).epsilon(1e-10));
            CHECK(below >= 0.0);
            CHECK(above >= 0.0);
          }
        }
      }
    }
  }
}

TEST_CASE("tails and critical counts fit together for every kind", "[statistics][hit_law]") {
  const simulated::KnownFilter filter;
  for (const HitLaw& law : {HitLaw({0.01, 0.0}, {1, 3000}), HitLaw(filter.rate, {1, 20000}),
                            HitLaw({0.99, 0.0}, {1, 3000}), HitLaw({0.99, 1e-6}, {3, 10000}),
                            HitLaw({0.3, 0.0}, {1, 100000})}) {
    CAPTURE(law.kind(), law.mean());
    for (const double tail : {0.2, 0.025, 1e-5}) {
      const double high = law.critical_high(tail);
      const double low = law.critical_low(tail);
      CHECK(low < law.mean());
      CHECK(law.mean() < high);
      CHECK(law.at_least(high) <= tail * (1.0 + 1e-9));
      CHECK(law.at_most(low) <= tail * (1.0 + 1e-9));
      CHECK(law.at_least(high - 1.0) > tail);
      CHECK(law.at_most(low + 1.0) > tail);
    }
    if (law.kind() != HitLawKind::normal) {
      const double middle = std::floor(law.mean());
      CHECK(law.at_most(middle) + law.at_least(middle + 1.0) == Approx(1.0).epsilon(1e-12));
    }
  }
  // Ten draws at 1e-3: one hit is rare, none is not.
  const HitLaw few({1e-3, 0.0}, {1, 10});
  CHECK(few.critical_high(0.025) == 1.0);
  CHECK(few.critical_low(0.025) == -1.0);
}

TEST_CASE("the gamma mixture fits the hits of simulated filters", "[statistics][hit_law]") {
  // 100000 filters, one each: m = 1000, n = 100, k = 7, 30 expected hits, design effect 1.45.
  const simulated::KnownFilter filter;
  std::mt19937_64 random(20240611);
  const int runs = 100000;
  const std::uint64_t queries = 3629;
  const std::vector<std::uint64_t> counts =
      simulated::hits(simulated::rates(filter, runs, random), queries, random);
  const HitLaw law(filter.rate, {1, queries});
  REQUIRE(law.kind() == HitLawKind::gamma_poisson);
  for (const std::uint64_t bound : {12U, 18U, 24U, 30U, 36U, 45U, 55U}) {
    CAPTURE(bound);
    const auto below = std::count_if(counts.begin(), counts.end(),
                                     [&](std::uint64_t count) { return count <= bound; });
    const double expected = law.at_most(static_cast<double>(bound));
    // The gamma's skewness is not quite the true one: 0.001 for the model, the rest for chance.
    CHECK(std::abs(static_cast<double>(below) / runs - expected) <
          0.001 + simulated::slack(expected, runs));
  }
}

TEST_CASE("a law's arguments are checked", "[statistics][hit_law][errors]") {
  CHECK_THROWS_WITH(HitLaw({-0.5, 0.0}, {1, 10}), "HitLaw: rate is -0.5; it must lie in [0, 1]");
  CHECK_THROWS_WITH(design_effect({1.5, 0.0}, 10),
                    "design_effect: rate is 1.5; it must lie in [0, 1]");
  CHECK_THROWS_WITH(dispersion({0.5, 0.3}, {1, 1}),
                    "dispersion: rate variance is 0.3; it must lie in [0, rate (1 - rate)]");
  CHECK_THROWS_WITH(dispersion({0.5, 0.0}, {0, 1}),
                    "dispersion: trials is 0; it must lie in 1 .. 2^53");
  CHECK_THROWS_WITH(
      dispersion({0.5, 0.0}, {std::uint64_t{1} << 40, std::uint64_t{1} << 40}),
      "dispersion: trials * queries is 1.2089258196146292e+24; it must not exceed 2^53");
}
