#include "statistics/test.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "simulated_filters.hpp"
#include "statistics/interval.hpp"

using namespace bloomlab::statistics;

namespace {

// P(X = x) for x bins hit by `balls` balls in `bins` bins, ball by ball.
std::vector<double> occupancy(int bins, int balls) {
  std::vector<double> pmf(static_cast<std::size_t>(bins) + 1, 0.0);
  pmf[0] = 1.0;
  for (int ball = 0; ball < balls; ++ball) {
    for (std::size_t x = pmf.size() - 1; x > 0; --x) {
      const double hit = static_cast<double>(x) / bins;
      pmf[x] = pmf[x] * hit + pmf[x - 1] * (1.0 - hit + 1.0 / bins);
    }
    pmf[0] = 0.0;
  }
  return pmf;
}

// Law of the sum over `filters` filters.
std::vector<double> summed(const std::vector<double>& pmf, int filters) {
  std::vector<double> sum{1.0};
  for (int filter = 0; filter < filters; ++filter) {
    std::vector<double> next(sum.size() + pmf.size() - 1, 0.0);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      for (std::size_t j = 0; j < pmf.size(); ++j) next[i + j] += sum[i] * pmf[j];
    }
    sum = std::move(next);
  }
  return sum;
}

SetBitsLaw law_of(const std::vector<double>& pmf, int bins, int balls) {
  double mean = 0.0;
  for (std::size_t x = 0; x < pmf.size(); ++x) mean += pmf[x] * static_cast<double>(x);
  double variance = 0.0;
  for (std::size_t x = 0; x < pmf.size(); ++x) {
    variance += pmf[x] * std::pow(static_cast<double>(x) - mean, 2);
  }
  return {mean, variance, static_cast<double>(std::min(bins, balls))};
}

}  // namespace

TEST_CASE("a binomial p-value is twice the smaller exact tail", "[statistics][test]") {
  // 10 queries at 1/4: P(H >= 6) = 20686/2^20, P(H <= 0) = 59049/2^20.
  const Sampling ten{1, 10};
  CHECK(test_ensemble_rate(6, ten, {0.25, 0.0}).p_value == Approx(2.0 * 20686 / 1048576));
  CHECK(test_ensemble_rate(0, ten, {0.25, 0.0}).p_value == Approx(2.0 * 59049 / 1048576));
  CHECK(test_ensemble_rate(2, ten, {0.25, 0.0}).p_value == 1.0);
  CHECK(test_ensemble_rate(6, ten, {0.25, 0.0}).method == TestMethod::binomial);
  CHECK(test_ensemble_rate(6, ten, {0.25, 0.0}).z == Approx(3.5 / std::sqrt(1.875)));
  // Misses are judged the same way.
  CHECK(test_ensemble_rate(4, ten, {0.75, 0.0}).p_value == Approx(2.0 * 20686 / 1048576));
  CHECK(test_ensemble_rate(4, ten, {0.75, 0.0}).z == Approx(-3.5 / std::sqrt(1.875)));
}

TEST_CASE("a binomial test rejects what the exact interval excludes", "[statistics][test]") {
  const double alpha = 0.05;
  for (const double rate : {0.001, 0.0123, 0.2, 0.5, 0.93}) {
    for (std::uint64_t hits = 0; hits <= 400; hits += 3) {
      CAPTURE(rate, hits);
      const TestResult result = test_ensemble_rate(hits, {1, 400}, {rate, 0.0});
      REQUIRE(result.method == TestMethod::binomial);
      CHECK((result.p_value > alpha) == clopper_pearson(hits, 400, 1.0 - alpha).contains(rate));
    }
  }
}

TEST_CASE("many hits are judged by the normal law of the two-stage variance",
          "[statistics][test]") {
  const TestResult plain = test_ensemble_rate(501960, {1, 1000000}, {0.5, 0.0});
  CHECK(plain.method == TestMethod::normal);
  CHECK(plain.z == Approx(3.92));
  CHECK(plain.p_value == Approx(8.8544e-5).epsilon(1e-3));
  const RateLaw law{0.01, 1e-8};
  const Sampling sampling{1000, 1000000};
  const double deviation = std::sqrt(simulated::pooled_rate_variance(law, sampling));
  const auto hits = static_cast<std::uint64_t>(std::llround((0.01 + 2.0 * deviation) * 1e9));
  const TestResult spread = test_ensemble_rate(hits, sampling, law);
  CHECK(spread.method == TestMethod::normal);
  CHECK(spread.z == Approx(2.0).margin(0.5 / deviation / 1e9));
  CHECK(spread.p_value == Approx(0.0455003).epsilon(1e-3));
}

TEST_CASE("a certain prediction is met or missed", "[statistics][test]") {
  CHECK(test_ensemble_rate(0, {3, 100}, {0.0, 0.0}).p_value == 1.0);
  CHECK(test_ensemble_rate(0, {3, 100}, {0.0, 0.0}).z == 0.0);
  CHECK(test_ensemble_rate(0, {3, 100}, {0.0, 0.0}).method == TestMethod::certain);
  CHECK(test_ensemble_rate(1, {3, 100}, {0.0, 0.0}).p_value == 0.0);
  CHECK(test_ensemble_rate(1, {3, 100}, {0.0, 0.0}).z == std::numeric_limits<double>::infinity());
  CHECK(test_ensemble_rate(300, {3, 100}, {1.0, 0.0}).p_value == 1.0);
  CHECK(test_ensemble_rate(299, {3, 100}, {1.0, 0.0}).p_value == 0.0);
  CHECK(test_ensemble_rate(299, {3, 100}, {1.0, 0.0}).z ==
        -std::numeric_limits<double>::infinity());
}

TEST_CASE("false alarms over simulated filters keep to alpha", "[statistics][test][coverage]") {
  // One filter a run, 30 and 827 expected hits: design effects 1.45 and 13.5.
  const simulated::KnownFilter filter;
  const int runs = 20000;
  std::mt19937_64 random(21);
  const std::vector<double> rates = simulated::rates(filter, runs, random);
  for (const std::uint64_t queries : {3629U, 100000U}) {
    CAPTURE(queries);
    int alarms = 0;
    int pooled_alarms = 0;
    for (const std::uint64_t hits : simulated::hits(rates, queries, random)) {
      const TestResult result = test_ensemble_rate(hits, {1, queries}, filter.rate);
      REQUIRE(result.method == TestMethod::gamma_poisson);
      alarms += result.p_value <= 0.05 ? 1 : 0;
      pooled_alarms +=
          test_ensemble_rate(hits, {1, queries}, {filter.rate.rate, 0.0}).p_value <= 0.05 ? 1 : 0;
    }
    const double share = static_cast<double>(alarms) / runs;
    // Whole numbers keep the share below alpha, but not far below; 0.003 for the gamma's shape.
    CHECK(share < 0.053 + simulated::slack(0.05, runs));
    CHECK(share > 0.035 - simulated::slack(0.035, runs));
    // The binomial law, which knows no filters, alarms far too often.
    CHECK(static_cast<double>(pooled_alarms) / runs > 0.08);
  }
}

TEST_CASE("hits against the filters' own rates need no spread between filters",
          "[statistics][test][coverage]") {
  const simulated::KnownFilter filter;
  const int runs = 2000;
  std::mt19937_64 random(22);
  int alarms = 0;
  for (int run = 0; run < runs; ++run) {
    const std::vector<double> rates = simulated::rates(filter, 5, random);
    std::uint64_t hits = 0;
    for (const std::uint64_t count : simulated::hits(rates, 200000, random)) hits += count;
    const TestResult result = test_own_rates(hits, 200000, rates);
    REQUIRE(result.method == TestMethod::normal);
    alarms += result.p_value <= 0.05 ? 1 : 0;
  }
  CHECK(std::abs(static_cast<double>(alarms) / runs - 0.05) < simulated::slack(0.05, runs));

  const TestResult few = test_own_rates(5, 1000, std::vector<double>{0.001, 0.003});
  CHECK(few.method == TestMethod::binomial);
  CHECK(few.p_value == test_ensemble_rate(5, {2, 1000}, {0.002, 0.0}).p_value);
}

TEST_CASE("set bits of many filters are judged by z", "[statistics][test]") {
  const simulated::KnownFilter filter;
  const SetBitsLaw law{filter.mean_set_bits, filter.variance_set_bits, 700.0};
  const double deviation = std::sqrt(100 * filter.variance_set_bits);
  const auto bits = static_cast<std::uint64_t>(std::llround(50358.858656890071 + 3 * deviation));
  const TestResult result = test_set_bits(bits, 100, law);
  CHECK(result.method == TestMethod::normal);
  CHECK(result.z == Approx(3.0).margin(0.5 / deviation));
  CHECK(result.p_value == Approx(std::erfc(result.z / std::sqrt(2.0))).epsilon(1e-12));
  // Without a limit every size is.
  CHECK(test_set_bits(504, 1, {503.58858656890071, 77.377903237033839}).method ==
        TestMethod::normal);
}

TEST_CASE("set bits of few filters keep to alpha by the exact occupancy law",
          "[statistics][test][coverage]") {
  struct Setting {
    int bins, balls, filters;
  };
  // From nearly empty over half full to nearly full.
  for (const Setting& setting : {Setting{4000, 20, 1}, Setting{1000, 70, 3}, Setting{64, 40, 1},
                                 Setting{64, 40, 5}, Setting{200, 200, 2}, Setting{64, 300, 4}}) {
    CAPTURE(setting.bins, setting.balls, setting.filters);
    const std::vector<double> one = occupancy(setting.bins, setting.balls);
    const SetBitsLaw law = law_of(one, setting.bins, setting.balls);
    const std::vector<double> all = summed(one, setting.filters);
    for (const double alpha : {0.1, 0.05, 0.01, 1e-4, 1e-5}) {
      CAPTURE(alpha);
      double alarms = 0.0;
      double best_alarms = 0.0;  // of the doubled tails of the exact law itself
      double below = 0.0;
      for (std::size_t bits = 0; bits < all.size(); ++bits) {
        const double above = 1.0 - below;
        below += all[bits];
        if (all[bits] < 1e-30) continue;
        const TestResult result =
            test_set_bits(bits, static_cast<std::uint64_t>(setting.filters), law);
        if (result.p_value <= alpha) alarms += all[bits];
        if (2.0 * std::min(below, above) <= alpha) best_alarms += all[bits];
      }
      CHECK(alarms <= alpha * 1.05);
      if (alpha >= 0.01) CHECK(alarms >= 0.5 * best_alarms);
    }
  }
}

TEST_CASE("a collision in a nearly empty filter is no proof of a fault", "[statistics][test]") {
  // 700 balls in 1e8 bins: one bin hit twice has probability 0.24 %, although z = -20.
  const double expected_missing = 700.0 * 699.0 / 2e8;
  const SetBitsLaw law{700.0 - expected_missing, expected_missing, 700.0};
  const TestResult result = test_set_bits(699, 1, law);
  CHECK(result.z < -20.0);
  CHECK(result.p_value == Approx(2.0 * -std::expm1(-expected_missing)).epsilon(1e-6));
  CHECK(test_set_bits(700, 1, law).p_value == 1.0);
  CHECK(test_set_bits(701, 1, law).p_value == 0.0);
  // Where both laws give 0 the exact one is named.
  CHECK(test_set_bits(0, 1, {900.0, 100.0, 1000.0}).p_value == 0.0);
  CHECK(test_set_bits(0, 1, {900.0, 100.0, 1000.0}).method == TestMethod::binomial);
  // One ball: exactly one bit, whatever theory's rounding says.
  CHECK(test_set_bits(1, 1, {1.0 + 1e-15, -1e-17, 1.0}).p_value == 1.0);
  CHECK(test_set_bits(1, 1, {1.0 + 1e-15, -1e-17, 1.0}).z == 0.0);
  CHECK(test_set_bits(0, 1, {1.0 - 1e-16, 0.0, 1.0}).p_value < 1e-9);
  CHECK(test_set_bits(0, 1, {0.0, 0.0, 0.0}).p_value == 1.0);
}

TEST_CASE("the chi-square law is tested on both sides", "[statistics][test]") {
  // Sixty throws of a die, 5, 8, 9, 8, 10, 20 of each side: 13.4 with 5 degrees of freedom, above
  // which the law has 0.0199.
  CHECK(chi_square_two_sided(13.4, 5) == Approx(2 * 0.0199).epsilon(0.005));
  CHECK(chi_square_two_sided(1000, 999) > 0.9);
  // Too even is a fault as well.
  CHECK(chi_square_two_sided(0, 999) == 0);
  // A p-value too small for a double is zero: as even as 131 072 keys over 4095 places can be, all
  // keys in one place, and a sum between.
  CHECK(chi_square_two_sided(0.992, 4094) == 0);
  CHECK(chi_square_two_sided(4095.0 * 131'072, 4095) == 0);
  CHECK(chi_square_two_sided(6144, 4095) > 0);
  CHECK_THROWS_WITH(chi_square_two_sided(-1, 5),
                    "chi_square_two_sided: x is -1; it must be at least 0");
  CHECK_THROWS_WITH(chi_square_two_sided(1, 0),
                    "chi_square_two_sided: degrees is 0; it must be above 0");
}

TEST_CASE("a test's arguments are checked", "[statistics][test][errors]") {
  CHECK_THROWS_WITH(test_ensemble_rate(11, {1, 10}, {0.5, 0.0}),
                    "test_ensemble_rate: hits is 11; it must not exceed the queries, 10");
  CHECK_THROWS_WITH(test_ensemble_rate(1, {1, 10}, {-0.5, 0.0}),
                    "test_ensemble_rate: rate is -0.5; it must lie in [0, 1]");
  CHECK_THROWS_WITH(test_own_rates(1, 10, std::vector<double>{1.2}),
                    "test_own_rates: a rate is 1.2; it must lie in [0, 1]");
  CHECK_THROWS_WITH(test_own_rates(1, 10, std::vector<double>{}),
                    "test_own_rates: trials is 0; it must lie in 1 .. 2^53");
  CHECK_THROWS_WITH(test_set_bits(1, 1, {5.0, 1.0, 4.0}),
                    "test_set_bits: mean is 5; it must lie in [0, limit]");
  CHECK_THROWS_WITH(test_set_bits(1, 1, {5.0, -1.0}),
                    "test_set_bits: variance is -1; it must be finite and at least 0");
}
