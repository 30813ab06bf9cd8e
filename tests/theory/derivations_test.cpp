// The derivations that textbooks and reports print, as identities between numbers.

#include <catch2/catch.hpp>
#include <cmath>

#include "core/theory/bounds.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "tests/theory/golden_file.hpp"

using namespace bloomlab::theory;

namespace {

/// log2 C(top, n) for real top, by lgamma.
double log2_choose(double top, double n) {
  return (std::lgamma(top + 1) - std::lgamma(n + 1) - std::lgamma(top - n + 1)) / std::log(2.0);
}

}  // namespace

TEST_CASE("ln f in terms of the share of zeros is symmetric at one half", "[theory][derivations]") {
  // f = exp(k ln(1 - e^(-kn/m))); with p = e^(-kn/m): g(p) = -(m/n) ln p ln(1 - p) = ln f.
  const double bits_per_key = 8.0;
  const auto g = [&](double p) { return -bits_per_key * std::log(p) * std::log1p(-p); };
  for (const double p : {0.01, 0.1, 0.25, 0.4, 0.499}) {
    CHECK(g(p) == Approx(g(1 - p)).epsilon(1e-14));
    CHECK(g(p) > g(0.5));
  }
  for (const std::uint64_t k : {1ULL, 3ULL, 6ULL, 11ULL}) {
    const double p = std::exp(-static_cast<double>(k) / bits_per_key);
    CHECK(-g(p) == Approx(-std::log(approx_fpr(8, 1, k))).epsilon(1e-13));
  }
}

TEST_CASE("the derivative of ln f in k vanishes at (m/n) ln 2", "[theory][derivations]") {
  const auto slope = [](double k, double bits_per_key) {
    const double p = std::exp(-k / bits_per_key);
    return std::log1p(-p) + k / bits_per_key * p / (1 - p);
  };
  for (const double bits_per_key : {2.0, 8.0, 10.0, 64.0}) {
    const double best = bits_per_key * std::log(2.0);
    CHECK(std::abs(slope(best, bits_per_key)) < 1e-15);
    CHECK(slope(0.9 * best, bits_per_key) < 0.0);
    CHECK(slope(1.1 * best, bits_per_key) > 0.0);
    CHECK(std::abs(optimal_k_real(static_cast<std::uint64_t>(bits_per_key) * 1000, 1000) - best) <
          1e-13);
  }
}

TEST_CASE("at the best real k the rate is 0.6185 to the bits per key", "[theory][derivations]") {
  CHECK(std::exp2(-std::log(2.0)) == Approx(0.618503138).margin(5e-10));
  for (const double bits_per_key : {1.0, 8.0, 10.0, 20.0}) {
    const double k = bits_per_key * std::log(2.0);
    const double rate = std::pow(-std::expm1(-k / bits_per_key), k);
    CHECK(rate == Approx(std::exp2(-k)).epsilon(1e-13));
    CHECK(rate == Approx(std::pow(0.6185, bits_per_key)).epsilon(1e-5 * bits_per_key));
  }
}

TEST_CASE("the classic rate has its optimum at half fill too", "[theory][derivations]") {
  // g' = ln p' ln(1 - p') / (n ln(1 - 1/m)), p' = (1 - 1/m)^(kn).
  for (const std::uint64_t m : {50ULL, 1000ULL, 1ULL << 40}) {
    const std::uint64_t n = m / 10;
    const double zeros = std::exp(optimal_k_real_classic(m, n) * static_cast<double>(n) *
                                  std::log1p(-1.0 / static_cast<double>(m)));
    CHECK(zeros == Approx(0.5).epsilon(1e-14));
  }
}

TEST_CASE("a filter pays log2 e times the lower bound", "[theory][derivations]") {
  for (const double eps : {0.5, 0.1, 0.01, 1e-6}) {
    const double bloom_bits_per_key = -std::log(eps) / (std::log(2.0) * std::log(2.0));
    CHECK(bloom_bits_per_key * 1000 / lower_bound_bits(1000, eps) ==
          Approx(1.442695).epsilon(1e-6));
  }
  CHECK(lower_bound_bits(1000, 1.0) == 0.0);
  CHECK(lower_bound_bits(0, 0.01) == 0.0);
  CHECK(lower_bound_bits(1000, 0.25) == 2000.0);
}

TEST_CASE("the counting bound holds, and a report's misprint does not", "[theory][derivations]") {
  // 2^m C(n + eps (u - n), n) >= C(u, n): so m >= the finite bound, here 6.6367 bits per key.
  const double u = 1e9;
  const double n = 1e5;
  const double eps = 0.01;
  const double bits = lower_bound_finite_bits(1000000000, 100000, eps);
  CHECK(bits / n == Approx(6.6367).margin(5e-5));
  CHECK(bits < lower_bound_bits(100000, eps));
  CHECK(lower_bound_bits(100000, eps) / n == Approx(6.6439).margin(5e-5));
  CHECK(bits + log2_choose(n + eps * (u - n), n) == Approx(log2_choose(u, n)).epsilon(1e-9));
  // Printed: C(u, n) / (eps^n u^n). Without the n! of C(eps u, n) it is negative.
  const double misprint = (log2_choose(u, n) - n * std::log2(eps * u)) / n;
  CHECK(misprint == Approx(-8.52).margin(5e-3));
  const double corrected = (log2_choose(u, n) - log2_choose(eps * u, n)) / n;
  CHECK(corrected == Approx(6.651).margin(5e-4));  // n log2(1/eps) for n much below u
}

TEST_CASE("the finite bound has its known values and limits", "[theory][derivations]") {
  CHECK(lower_bound_finite_bits(100000, 1000, 0.01) / 1000 == Approx(6.089).margin(5e-4));
  CHECK(lower_bound_finite_bits(1000000, 1000, 0.01) / 1000 == Approx(6.575).margin(5e-4));
  CHECK(lower_bound_finite_bits(1000000000, 1000, 0.01) / 1000 == Approx(6.6438).margin(5e-5));
  CHECK(relative_error(lower_bound_finite_bits(1ULL << 63, 1, 0.01), std::log2(100.0)) < 1e-14);
  CHECK(relative_error(lower_bound_finite_bits(10, 3, 0.0), std::log2(120.0)) < 1e-14);
  CHECK(relative_error(lower_bound_finite_bits(64, 1, 0.0), 6.0) < 1e-14);
  CHECK(lower_bound_finite_bits(50, 50, 0.1) == 0.0);
  CHECK(std::abs(lower_bound_finite_bits(50, 20, 1.0)) < 1e-30);
  CHECK(lower_bound_finite_bits(50, 0, 0.1) == 0.0);
  CHECK_THROWS_WITH(lower_bound_finite_bits(5, 6, 0.1),
                    "lower bound: n is above u; a universe of u keys has no such set");
  CHECK_THROWS_AS(lower_bound_bits(5, 0.0), DomainError);
  CHECK_THROWS_AS(lower_bound_finite_bits(5, 2, 1.5), DomainError);
}
