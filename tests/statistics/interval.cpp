#include "statistics/interval.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace bloomlab::statistics;

namespace {

struct Row {
  std::uint64_t hits;
  std::uint64_t queries;
  double level;
  Interval exact;
  Interval score;
};

// Binomial probabilities by the ratio of neighbours, without the incomplete beta function.
std::vector<double> binomial_pmf(int draws, double rate) {
  std::vector<double> pmf(static_cast<std::size_t>(draws) + 1);
  for (int hits = 0; hits <= draws; ++hits) {
    const double ways = std::lgamma(draws + 1.0) - std::lgamma(hits + 1.0) -
                        std::lgamma(static_cast<double>(draws - hits) + 1.0);
    pmf[static_cast<std::size_t>(hits)] =
        std::exp(ways + hits * std::log(rate) + (draws - hits) * std::log1p(-rate));
  }
  return pmf;
}

template <class Method>
double coverage(int draws, double rate, double level, Method method) {
  const std::vector<double> pmf = binomial_pmf(draws, rate);
  double covered = 0.0;
  for (std::size_t hits = 0; hits < pmf.size(); ++hits) {
    if (method(hits, static_cast<std::uint64_t>(draws), level).contains(rate)) {
      covered += pmf[hits];
    }
  }
  return covered;
}

}  // namespace

TEST_CASE("intervals equal the published table", "[statistics][interval]") {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I.
  const std::vector<Row> rows{{81, 263, 0.95, {0.2527, 0.3676}, {0.2553, 0.3662}},
                              {15, 148, 0.95, {0.0578, 0.1617}, {0.0624, 0.1605}},
                              {0, 20, 0.95, {0.0, 0.1684}, {0.0, 0.1611}},
                              {1, 29, 0.95, {0.0009, 0.1776}, {0.0061, 0.1718}}};
  for (const Row& row : rows) {
    CAPTURE(row.hits, row.queries);
    const Interval exact = clopper_pearson(row.hits, row.queries, row.level);
    CHECK(exact.low == Approx(row.exact.low).margin(0.00005001));
    CHECK(exact.high == Approx(row.exact.high).margin(0.00005001));
    const Interval score = wilson(row.hits, row.queries, row.level);
    CHECK(score.low == Approx(row.score.low).margin(0.00005001));
    CHECK(score.high == Approx(row.score.high).margin(0.00005001));
  }
}

TEST_CASE("intervals equal sums made with 40 digits", "[statistics][interval]") {
  const std::vector<Row> rows{{5,
                               100,
                               0.95,
                               {0.016431879182052159, 0.11283491110546277},
                               {0.021543679154367971, 0.11175046923191915}},
                              {29,
                               1000000,
                               0.99,
                               {1.7004283096820951e-5, 4.5975458839767284e-5},
                               {1.8055074663046782e-5, 4.6579393094963997e-5}},
                              {3,
                               10000000000000,
                               0.95,
                               {6.1867212289564402e-14, 8.7672730697397979e-13},
                               {1.0202707283643716e-13, 8.8211880923259738e-13}},
                              {100,
                               10000000000000,
                               0.9998,
                               {6.7007738235651101e-12, 1.4271533841494448e-11},
                               {6.9087865692420904e-12, 1.4474321792637447e-11}},
                              {1000,
                               10000000000000,
                               0.95,
                               {9.389730184105134e-11, 1.0639521360128999e-10},
                               {9.3991147186098972e-11, 1.0639299869589346e-10}}};
  for (const Row& row : rows) {
    CAPTURE(row.hits, row.queries);
    const Interval exact = clopper_pearson(row.hits, row.queries, row.level);
    CHECK(exact.low == Approx(row.exact.low).epsilon(1e-11));
    CHECK(exact.high == Approx(row.exact.high).epsilon(1e-11));
    const Interval score = wilson(row.hits, row.queries, row.level);
    CHECK(score.low == Approx(row.score.low).epsilon(1e-11));
    CHECK(score.high == Approx(row.score.high).epsilon(1e-11));
  }
}

TEST_CASE("no hits give the two-sided form of the rule of three", "[statistics][interval]") {
  for (const std::uint64_t queries : {1ULL, 10ULL, 100000ULL, 10000000000000ULL}) {
    CAPTURE(queries);
    const auto draws = static_cast<double>(queries);
    const Interval exact = clopper_pearson(0, queries, 0.95);
    CHECK(exact.low == 0.0);
    CHECK(exact.high == Approx(-std::expm1(std::log(0.025) / draws)).epsilon(1e-12));
    CHECK(wilson(0, queries, 0.95).low == 0.0);
  }
  CHECK(clopper_pearson(0, 1000000, 0.95).high == Approx(3.69e-6).epsilon(0.001));
}

TEST_CASE("hits and misses mirror each other", "[statistics][interval]") {
  for (const std::uint64_t queries : {1ULL, 7ULL, 1000ULL}) {
    for (std::uint64_t hits = 0; hits <= queries; hits += 1 + queries / 7) {
      CAPTURE(hits, queries);
      for (const auto method : {clopper_pearson, wilson}) {
        const Interval of_hits = method(hits, queries, 0.99);
        const Interval of_misses = method(queries - hits, queries, 0.99);
        CHECK(of_hits.low == Approx(1.0 - of_misses.high).margin(1e-13));
        CHECK(of_hits.high == Approx(1.0 - of_misses.low).margin(1e-13));
      }
    }
    CHECK(clopper_pearson(queries, queries, 0.99).high == 1.0);
    CHECK(wilson(queries, queries, 0.99).high == 1.0);
  }
}

TEST_CASE("huge counts stay exact: both intervals meet as counts grow", "[statistics][interval]") {
  const std::uint64_t queries = 10000000000000;  // 1e13
  for (const std::uint64_t hits :
       {1000000000ULL, 1000000000000ULL, 5000000000000ULL, 9000000000000ULL, 9999000000000ULL}) {
    CAPTURE(hits);
    const auto draws = static_cast<double>(queries);
    const double p = static_cast<double>(hits) / draws;
    const Interval exact = clopper_pearson(hits, queries, 0.95);
    const Interval score = wilson(hits, queries, 0.95);
    // They differ by terms of order 1/n; the half-width itself is of order 1/sqrt(n).
    CHECK(std::abs(exact.low - score.low) < 3.0 / draws);
    CHECK(std::abs(exact.high - score.high) < 3.0 / draws);
    CHECK(exact.high - p == Approx(1.959964 * std::sqrt(p * (1.0 - p) / draws)).epsilon(1e-3));
  }
}

TEST_CASE("Clopper-Pearson covers at least its level at every rate", "[statistics][interval]") {
  for (const int draws : {1, 2, 5, 10, 30, 100, 300}) {
    for (const double level : {0.9, 0.95, 0.99}) {
      for (const double rate :
           {1e-4, 0.001, 0.0082, 0.03, 0.1, 0.2371, 0.5, 0.61, 0.9, 0.99, 0.9999}) {
        CAPTURE(draws, level, rate);
        CHECK(coverage(draws, rate, level, clopper_pearson) >= level - 1e-11);
      }
    }
  }
}

TEST_CASE("Wilson covers about its level from thirty expected hits on", "[statistics][interval]") {
  for (const double expected : {30.0, 47.0, 100.0, 300.0}) {
    for (const int draws : {700, 5000}) {
      CAPTURE(expected, draws);
      const double covered = coverage(draws, expected / draws, 0.95, wilson);
      CHECK(covered > 0.94);
      CHECK(covered < 0.96);
    }
  }
}

TEST_CASE("Wilson covers too rarely at its worst, so few hits need the exact interval",
          "[statistics][interval]") {
  // At rate 0.17749/n the low end for one hit lies above the rate: Brown, Cai and DasGupta 2001.
  CHECK(coverage(300, 0.17 / 300, 0.95, wilson) < 0.87);
  CHECK(coverage(300, 0.17 / 300, 0.95, clopper_pearson) > 0.95);
}

TEST_CASE("the score interval inverts its variance at both ends", "[statistics][interval]") {
  for (const double dispersion : {-1e-4, 0.0, 1e-3, 0.015, 0.2}) {
    CAPTURE(dispersion);
    const double p = 0.01;
    const double draws = 1e4;
    const double quantile = 1.96;
    const Interval interval = score_interval(p, draws, dispersion, quantile);
    for (const double end : {interval.low, interval.high}) {
      const double variance = end / draws + dispersion * end * end;
      CHECK(std::abs(p - end) / std::sqrt(variance) == Approx(quantile).epsilon(1e-10));
    }
  }
  // Spread so wide that no rate is too large.
  CHECK(score_interval(0.01, 1e4, 0.3, 1.96).high == 1.0);
}

TEST_CASE("an interval's arguments are checked", "[statistics][interval][errors]") {
  CHECK_THROWS_WITH(clopper_pearson(12, 10, 0.95),
                    "clopper_pearson: hits is 12; it must not exceed the queries, 10");
  CHECK_THROWS_WITH(wilson(0, 0, 0.95), "wilson: queries is 0; it must lie in 1 .. 2^53");
  CHECK_THROWS_WITH(wilson(0, 10, 1.0), "wilson: level is 1; it must lie strictly between 0 and 1");
  CHECK_THROWS_WITH(clopper_pearson(0, 10, std::nan("")),
                    "clopper_pearson: level is nan; it must lie strictly between 0 and 1");
  CHECK_THROWS_WITH(score_interval(1.5, 10, 0, 1),
                    "score_interval: share of hits is 1.5; it must lie in [0, 1]");
  CHECK_THROWS_AS(clopper_pearson(0, (std::uint64_t{1} << 53) + 1, 0.95), std::invalid_argument);
}
