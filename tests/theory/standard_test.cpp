#include "core/theory/standard.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/theory/brute_force.hpp"
#include "tests/theory/golden_file.hpp"
#include "tests/theory/reference.hpp"

using namespace bloomlab::theory;

namespace {

/// A filter size for the grids below.
struct Size {
  std::uint64_t m, n;
  int k;
};

/// Filters from one bit to 2^48, from one key to 10^12, where the reference has digits enough.
std::vector<Size> sizes(std::vector<int> all_k) {
  std::vector<Size> result;
  for (const std::uint64_t m :
       {1ULL, 2ULL, 3ULL, 7ULL, 64ULL, 1000ULL, 100000ULL, 3200000ULL, 1000000000ULL, 1ULL << 48}) {
    for (const std::uint64_t n :
         {1ULL, 2ULL, 10ULL, 76ULL, 1000ULL, 100000ULL, 50000000ULL, 1000000000000ULL}) {
      for (const int k : all_k) {
        const double load = k * static_cast<double>(n) / static_cast<double>(m);
        const double digits = 2 * k * std::log10(2.0 / -std::expm1(-load));
        if (load < 400 && digits < 400) result.push_back({m, n, k});
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("the exact rate equals the count of all outcomes", "[theory][standard]") {
  for (const auto& [m, n, k] : {Size{1, 1, 1},
                                {2, 1, 3},
                                {3, 2, 2},
                                {5, 1, 4},
                                {4, 2, 2},
                                {7, 2, 2},
                                {8, 3, 1},
                                {3, 3, 2}}) {
    CAPTURE(m, n, k);
    const double counted =
        counted_rate(masks_with_replacement(static_cast<int>(m), k), static_cast<int>(n));
    CHECK(relative_error(exact_fpr(m, n, static_cast<std::uint64_t>(k)), counted) < 1e-14);
  }
}

TEST_CASE("a conjunction is reported as often as all outcomes say", "[theory][standard]") {
  // Every outcome of n k positions among m, and of those of the keys of a query.
  constexpr std::uint64_t m = 3;
  constexpr std::uint64_t n = 2;
  for (const std::uint64_t k : {1ULL, 2ULL}) {
    for (const std::uint64_t keys : {1ULL, 2ULL, 3ULL}) {
      CAPTURE(k, keys);
      double sum = 0.0;
      double outcomes = 0.0;
      for (std::uint64_t code = 0; code < static_cast<std::uint64_t>(std::pow(m, n * k)); ++code) {
        unsigned set = 0;
        std::uint64_t rest = code;
        for (std::uint64_t i = 0; i < n * k; ++i, rest /= m) set |= 1U << (rest % m);
        sum += std::pow(std::popcount(set) / static_cast<double>(m), static_cast<double>(k * keys));
        ++outcomes;
      }
      CHECK(relative_error(conjunction_fpr(m, n, k, keys), sum / outcomes) < 1e-14);
    }
  }
  CHECK(conjunction_fpr(1024, 102, 7, 1) == exact_fpr(1024, 102, 7));
  CHECK(conjunction_fpr(1024, 102, 7, 3) > std::pow(exact_fpr(1024, 102, 7), 3));
  CHECK(conjunction_fpr(1024, 0, 7, 3) == 0.0);
  CHECK_THROWS_AS(conjunction_fpr(1024, 102, 7, 0), DomainError);
  CHECK_THROWS_AS(conjunction_fpr(1024, 102, 7, 37), DomainError);
}

TEST_CASE("the exact rate equals inclusion and exclusion in 700 digits", "[theory][standard]") {
  for (const auto& [m, n, k] : sizes({1, 2, 3, 5, 7, 10, 16, 24, 48})) {
    CAPTURE(m, n, k);
    const auto probes = static_cast<std::uint64_t>(k);
    const double expected = reference::moment(m, n * probes, k);
    if (expected < 1e-300) continue;
    CHECK(relative_error(exact_fpr(m, n, probes), expected) < 1e-13);
    CHECK(relative_error(classic_fpr(m, n, probes), reference::classic(m, n, k)) < 1e-13);
    CHECK(relative_error(approx_fpr(m, n, probes), reference::approx(m, n, k)) < 1e-13);
  }
}

TEST_CASE("the exact rate holds to k = 256", "[theory][standard]") {
  for (const auto& [m, n, k] : {Size{1000, 76, 100},
                                {1000, 76, 128},
                                {256, 1, 256},
                                {255, 2, 256},
                                {5000, 40, 200},
                                {100000, 271, 256},
                                {100000, 2000, 255},
                                {1ULL << 40, 3000000000, 256}}) {
    CAPTURE(m, n, k);
    const auto probes = static_cast<std::uint64_t>(k);
    CHECK(relative_error(exact_fpr(m, n, probes), reference::moment(m, n * probes, k)) < 1e-13);
    CHECK(std::abs(log2_exact_fpr(m, n, probes) - reference::log2_moment(m, n * probes, k)) <
          1e-13 * (1 + std::abs(log2_exact_fpr(m, n, probes))));
  }
}

TEST_CASE("a rate below the smallest double has a logarithm", "[theory][standard]") {
  CHECK(exact_fpr(100000, 1, 100) < 1e-290);
  CHECK(relative_error(log2_exact_fpr(100000, 1, 100), reference::log2_moment(100000, 100, 100)) <
        1e-13);
  CHECK(log2_exact_fpr(10, 0, 3) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("variance, deviation and distinct positions equal the reference", "[theory][standard]") {
  for (const auto& [m, n, k] : sizes({1, 2, 7, 24})) {
    CAPTURE(m, n, k);
    const auto probes = static_cast<std::uint64_t>(k);
    if (m > 1 && n * probes > 1) {
      CHECK(relative_error(var_set_bits(m, n, probes), reference::var_set_bits(m, n, k)) < 1e-12);
      CHECK(relative_error(sd_conditional_fpr(m, n, probes), reference::sd_rate(m, n, k)) < 1e-10);
    }
    const auto distinct = exact_fpr_without_replacement(m, n, probes);
    CHECK(distinct.has_value() == (probes <= m));
    if (distinct) {
      CHECK(relative_error(*distinct, reference::without_replacement(m, n, k)) < 1e-12);
    }
  }
}

TEST_CASE("distinct positions hold to k = 256", "[theory][standard]") {
  for (const auto& [m, n, k] : {Size{256, 3, 256},
                                {300, 5, 256},
                                {512, 1, 256},
                                {512, 9, 256},
                                {2560, 30, 256},
                                {65536, 2304, 256},
                                {1000000, 11718, 256},
                                {1000000000, 35156250, 256},
                                {1ULL << 48, 3298534883328, 256},
                                {1000, 30, 130}}) {
    CAPTURE(m, n, k);
    const auto probes = static_cast<std::uint64_t>(k);
    const auto found = exact_fpr_without_replacement(m, n, probes);
    REQUIRE(found);
    CHECK(relative_error(*found, reference::without_replacement(m, n, k)) < 1e-12);
  }
}

TEST_CASE("distinct positions equal the count of all outcomes", "[theory][standard]") {
  for (const auto& [m, n, k] :
       {Size{5, 2, 2}, {6, 2, 3}, {4, 3, 3}, {7, 1, 4}, {3, 2, 3}, {8, 3, 1}}) {
    CAPTURE(m, n, k);
    std::vector<std::uint32_t> choices;
    for (std::uint32_t mask = 0; mask < 1U << m; ++mask) {
      if (std::popcount(mask) == k) choices.push_back(mask);
    }
    const auto found = exact_fpr_without_replacement(m, n, static_cast<std::uint64_t>(k));
    REQUIRE(found);
    CHECK(relative_error(*found, counted_rate(choices, static_cast<int>(n))) < 1e-14);
  }
}

TEST_CASE("an empty filter rejects, a full one accepts", "[theory][standard]") {
  for (const std::uint64_t m : {1ULL, 2ULL, 1000ULL, 1ULL << 48}) {
    for (const std::uint64_t k : {1ULL, 7ULL, 256ULL}) {
      CAPTURE(m, k);
      CHECK(exact_fpr(m, 0, k) == 0.0);
      CHECK(approx_fpr(m, 0, k) == 0.0);
      CHECK(classic_fpr(m, 0, k) == 0.0);
      CHECK(mean_set_bits(m, 0, k) == 0.0);
      CHECK(var_set_bits(m, 0, k) == 0.0);
      CHECK(sd_conditional_fpr(m, 0, k) == 0.0);
      const std::uint64_t many = 1ULL << 63;
      CHECK(exact_fpr(m, many / k, k) == Approx(1.0).epsilon(1e-15));
      CHECK(exact_fpr(m, many, k) <= 1.0);
      CHECK(mean_set_bits(m, many / k, k) == Approx(static_cast<double>(m)));
    }
  }
  CHECK(exact_fpr(1, 5, 3) == 1.0);
  CHECK(exact_fpr(1, 1000000, 2) == 1.0);
  CHECK(log2_exact_fpr(1, 1000000, 2) == 0.0);
  CHECK(exact_fpr_without_replacement(8, 1, 8) == 1.0);
  CHECK_FALSE(exact_fpr_without_replacement(7, 1, 8));
}

TEST_CASE("the exact rate is above the classic, and that above the approximate",
          "[theory][standard]") {
  // Jensen's inequality, strict for k >= 2; differences are far above rounding in this grid.
  std::mt19937_64 random(20240501);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t m = 2 + random() % 5000;
    const std::uint64_t n = 1 + random() % (m / 2);
    const std::uint64_t k = 2 + random() % 14;
    CAPTURE(m, n, k);
    const double exact = exact_fpr(m, n, k);
    if (exact > 0.999) continue;
    CHECK(exact > classic_fpr(m, n, k));
    CHECK(classic_fpr(m, n, k) > approx_fpr(m, n, k));
  }
}

TEST_CASE("the exact rate rises with n and falls with m", "[theory][standard]") {
  for (const std::uint64_t k : {1ULL, 3ULL, 8ULL, 20ULL}) {
    for (std::uint64_t at = 20; at < 3000; at += 97) {
      CAPTURE(k, at);
      CHECK(exact_fpr(at + 1, 30, k) < exact_fpr(at, 30, k));
      CHECK(exact_fpr(2000, at / 4 + 1, k) > exact_fpr(2000, at / 4, k));
    }
  }
}

TEST_CASE("the exact rate excess over the approximate is one over m at ten bits per key",
          "[theory][standard]") {
  // For m/n = 10, k = 7: -8.3 % at n = 10, -0.88 % at 100, then 1/m to leading order.
  const auto shortfall = [](std::uint64_t n) {
    return 1.0 - approx_fpr(10 * n, n, 7) / exact_fpr(10 * n, n, 7);
  };
  CHECK(shortfall(10) == Approx(0.083).margin(5e-4));
  CHECK(shortfall(100) == Approx(0.0088).margin(5e-5));
  CHECK(shortfall(1000) * 1000 == Approx(0.88).margin(5e-3));
  CHECK(shortfall(10000) * 10000 == Approx(0.88).margin(5e-3));
}

TEST_CASE("the law of set bits has its known values and limits", "[theory][standard]") {
  // m = 1000, N = 700: far below the binomial's 250.
  CHECK(var_set_bits(1000, 100, 7) == Approx(77.4).margin(0.05));
  // m e^-a (1 - (1 + a) e^-a) for large m.
  const double a = 0.7;
  const double limit = 1e9 * std::exp(-a) * (1 - (1 + a) * std::exp(-a));
  CHECK(relative_error(var_set_bits(1000000000, 100000000, 7), limit) < 1e-8);
  // Few hashes: about N (N - 1) / 2m collisions.
  CHECK(relative_error(var_set_bits(1ULL << 48, 10, 10), 100.0 * 99.0 / 2.0 / 0x1p48) < 1e-9);
  CHECK(var_set_bits(1000, 1, 1) == 0.0);
  CHECK(sd_conditional_fpr(1000, 1, 1) == 0.0);
  CHECK(var_set_bits(2, 1, 2) == Approx(0.25).epsilon(1e-14));
  // One filter strays: simulation gave 1.0127e-3, theory 1.0111e-3.
  CHECK(sd_conditional_fpr(1000, 100, 7) == Approx(1.0111e-3).margin(1e-7));
}

TEST_CASE("with one probe the rate is the fill, and deviates as it does", "[theory][standard]") {
  for (const std::uint64_t m :
       {10ULL, 1000ULL, 100'000ULL, 3'000'000ULL, 9'000'000ULL, 20'000'000ULL, 1ULL << 40}) {
    for (const std::uint64_t n : {2 * m / 100 + 2, m / 2, m, 2 * m, 4 * m}) {
      CAPTURE(m, n);
      CHECK(relative_error(sd_conditional_fpr(m, n, 1),
                           std::sqrt(var_set_bits(m, n, 1)) / static_cast<double>(m)) < 3e-11);
    }
  }
}

TEST_CASE("nearly full filters keep the deviation of their rate", "[theory][standard]") {
  // On both sides of the change of method at kn/m = 3 + ln 2k.
  for (const std::uint64_t n : {650ULL, 700ULL, 750ULL, 800ULL, 850ULL, 900ULL, 2000ULL, 5000ULL}) {
    CAPTURE(n);
    CHECK(relative_error(sd_conditional_fpr(1000, n, 8), reference::sd_rate(1000, n, 8)) < 1e-10);
  }
  CHECK(sd_conditional_fpr(1000, 1000000000, 8) == 0.0);
}

TEST_CASE("a filter without bits or probes is refused", "[theory][standard]") {
  CHECK_THROWS_WITH(exact_fpr(0, 1, 1), "exact rate: m is 0; a filter has at least 1 bit");
  CHECK_THROWS_WITH(approx_fpr(1, 1, 0), "approximate rate: k is 0; a key has at least 1 probe");
  CHECK_THROWS_WITH(exact_fpr(10, 1, 257), "exact rate: k is 257; at most 256 is computed");
  CHECK_THROWS_AS(classic_fpr(0, 1, 1), DomainError);
  CHECK_THROWS_AS(mean_set_bits(0, 1, 1), DomainError);
  CHECK_THROWS_AS(var_set_bits(1, 1, 0), DomainError);
  CHECK_THROWS_AS(sd_conditional_fpr(9, 1, 257), DomainError);
  CHECK_THROWS_AS(exact_fpr_without_replacement(999, 1, 257), DomainError);
}
