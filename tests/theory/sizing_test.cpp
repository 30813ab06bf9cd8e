#include "core/theory/sizing.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "core/theory/standard.hpp"
#include "tests/theory/golden_file.hpp"
#include "tests/theory/reference.hpp"

using namespace bloomlab::theory;

TEST_CASE("no k is better than optimal_k", "[theory][sizing]") {
  std::mt19937_64 random(20240502);
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t n = 1 + random() % 60;
    const std::uint64_t m = 1 + random() % (30 * n);
    CAPTURE(m, n);
    const OptimalProbes best = optimal_k(m, n);
    CHECK(best.rate == exact_fpr(m, n, best.k));
    for (std::uint64_t k = 1; k <= 60; ++k) {
      const double rate = exact_fpr(m, n, k);
      CHECK(rate >= best.rate * (1 - 1e-12));
      if (k < best.k) CHECK(rate > best.rate * (1 + 1e-14));
    }
  }
}

TEST_CASE("the best k for few keys is below (m/n) ln 2", "[theory][sizing]") {
  // By the reference, over every k to well past (m/n) ln 2.
  for (const auto& [m, n] : std::initializer_list<std::pair<std::uint64_t, std::uint64_t>>{
           {33, 1}, {37, 1}, {54, 2}, {97, 4}, {40, 2}, {32, 4}, {32, 6}, {64, 8}, {128, 16}}) {
    int best = 1;
    for (int k = 2; k < 40; ++k) {
      const auto rate = [m = m, n = n](int probes) {
        return reference::moment(m, n * static_cast<std::uint64_t>(probes), probes);
      };
      if (rate(k) < rate(best)) best = k;
    }
    CAPTURE(m, n);
    CHECK(optimal_k(m, n).k == static_cast<std::uint64_t>(best));
    CHECK(best < optimal_k_real(m, n));
  }
  // The claim that 1/2 is always the best fill fails here: 5 against 6 by the formula.
  CHECK(optimal_k(32, 4).k == 5);
  CHECK(optimal_k(32, 6).k == 3);
  CHECK(optimal_k(64, 8).k == 5);
  CHECK(optimal_k(128, 16).k == 5);
}

TEST_CASE("optimal_k has limits where rates are 1 or too small for a double", "[theory][sizing]") {
  CHECK(optimal_k(1, 1).k == 1);
  CHECK(optimal_k(1, 1000).k == 1);
  CHECK(optimal_k(100, 1000000000).k == 1);
  CHECK(optimal_k(1ULL << 40, 1).k == 256);
  CHECK(optimal_k(1ULL << 40, 1).rate == 0.0);
  CHECK(optimal_k(10000000, 1000000).k == 7);
  CHECK(optimal_k(1ULL << 62, 1ULL << 59).k == 6);
  CHECK(optimal_k_real_classic(1, 5) == 0.0);
  CHECK_THROWS_WITH(optimal_k(10, 0), "optimal k: m or n is 0; both are at least 1");
}

TEST_CASE("the smallest filter meets p, and with one bit less no k does", "[theory][sizing]") {
  std::mt19937_64 random(20240503);
  for (int i = 0; i < 1000; ++i) {
    const double exponent = static_cast<double>(random() % 10000) / 10000.0;
    const auto n = static_cast<std::uint64_t>(std::pow(10.0, 6.5 * exponent));
    const double p = std::pow(10.0, -7.0 * static_cast<double>(1 + random() % 9999) / 10000.0);
    CAPTURE(n, p);
    const FilterSize size = smallest_filter_exact(n, p);
    CHECK(exact_fpr(size.m, n, size.k) <= p);
    CHECK(size.rate == exact_fpr(size.m, n, size.k));
    CHECK(exact_fpr(size.m, n, size.fewest_probes) <= p);
    for (std::uint64_t k = 1; k < 40; ++k) {
      if (size.m > 1) CHECK(exact_fpr(size.m - 1, n, k) > p);
      CHECK(exact_fpr(size.m, n, k) >= size.rate);
      if (k < size.fewest_probes) CHECK(exact_fpr(size.m, n, k) > p);
    }
  }
}

TEST_CASE("sizes hold for extreme rates and numbers of keys", "[theory][sizing]") {
  for (const double p : {0.999999, 0.9, 0.5, 1e-10, 1e-70}) {
    for (const std::uint64_t n : {1ULL, 2ULL, 1000ULL, 1000000000000ULL}) {
      CAPTURE(p, n);
      for (const auto& smallest :
           {smallest_filter_exact, smallest_filter_approx, smallest_filter_classic}) {
        const FilterSize size = smallest(n, p);
        CHECK(size.m >= 1);
        CHECK(size.rate <= p);
        CHECK(size.fewest_probes >= 1);
        CHECK(size.fewest_probes <= size.k);
      }
    }
  }
  CHECK(smallest_filter_exact(1, 0.5).m == 2);
  CHECK(smallest_filter_exact(1, 0.999999).m == 2);  // one bit accepts everything
  CHECK(smallest_filter_exact(1000000, 1.0 - 0x1p-53).m > 1);
  CHECK_THROWS_WITH(smallest_filter_exact(0, 0.5),
                    "sizing: n is 0; a filter is sized for at least 1 key");
  CHECK_THROWS_WITH(smallest_filter_exact(5, 1.0), "sizing: p is outside (0, 1)");
  CHECK_THROWS_WITH(smallest_filter_exact(5, 0.0), "sizing: p is outside (0, 1)");
  CHECK_THROWS_WITH(smallest_filter_exact(5, std::nan("")), "sizing: p is outside (0, 1)");
  CHECK_THROWS_WITH(smallest_filter_exact(1ULL << 62, 0.01),
                    "sizing: the filter would pass 2^61 bits");
}

TEST_CASE("the slides' example is reproduced, and misses its rate", "[theory][sizing]") {
  // n = 4000, p = 1e-7: 134191 bits, k = 23, 1 in 9994297; the true minimum is 134202.
  const FilterSize popular = popular_calculator(4000, 1e-7);
  CHECK(popular.m == 134191);
  CHECK(popular.k == 23);
  CHECK(std::floor(1.0 / popular.rate) == 9994297);
  CHECK(popular.rate > 1e-7);
  CHECK(popular.fewest_probes == 0);
  CHECK(smallest_filter_exact(4000, 1e-7).m == 134202);
  CHECK(smallest_filter_exact(4000, 1e-7).k == 23);
  CHECK(smallest_filter_approx(4000, 1e-7).m == 134196);
  // 10^7 keys at 1e-4: 22.852562 MiB.
  CHECK(static_cast<double>(popular_calculator(10000000, 1e-4).m) / 8 / 1048576 ==
        Approx(22.852562).margin(1e-6));
}

TEST_CASE("a note's claim of 13 bits and 8 probes for one per cent is wrong", "[theory][sizing]") {
  const FilterSize size = smallest_filter_exact(1000000, 0.01);
  CHECK(static_cast<double>(size.m) / 1e6 == Approx(9.593).margin(1e-3));
  CHECK(size.k == 7);
  CHECK(approx_fpr(13, 1, 8) == Approx(0.00199).margin(5e-6));
}
