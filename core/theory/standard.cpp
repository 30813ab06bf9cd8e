#include "core/theory/standard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/theory/detail/domain.hpp"
#include "core/theory/detail/occupancy_contour.hpp"

namespace bloomlab::theory {
namespace {

/// fill^k, from the logarithm of the share of empty bits.
double fill_to_the_power(double log_empty, std::uint64_t k) {
  return std::pow(-std::expm1(log_empty), static_cast<double>(k));
}

double positions(std::uint64_t n, std::uint64_t k) {
  return static_cast<double>(k) * static_cast<double>(n);
}

/// E[(X/m)^probes].
detail::ScaledReal<double> exact_moment(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                                        std::uint64_t probes) {
  constexpr int digits = 17;
  const detail::OccupancyContour<double> contour(static_cast<double>(m), positions(n, k),
                                                 {static_cast<int>(probes)}, digits);
  return contour.moments()[0];
}

void require_exact(std::uint64_t m, std::uint64_t k) {
  detail::require_filter("exact rate", m, k);
  detail::require(k <= max_exact_probes, "exact rate",
                  "k is " + std::to_string(k) + "; at most 256 is computed");
}

}  // namespace

double approx_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  detail::require_filter("approximate rate", m, k);
  return fill_to_the_power(-positions(n, k) / static_cast<double>(m), k);
}

double classic_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  detail::require_filter("classic rate", m, k);
  if (n == 0) return 0.0;
  return fill_to_the_power(positions(n, k) * std::log1p(-1.0 / static_cast<double>(m)), k);
}

double exact_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  require_exact(m, k);
  if (n == 0) return 0.0;
  if (m == 1) return 1.0;
  return std::min(exact_moment(m, n, k, k).value(), 1.0);
}

double conjunction_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k, std::uint64_t keys) {
  require_exact(m, k);
  detail::require(keys >= 1 && keys <= max_exact_probes / k, "rate of a conjunction",
                  std::to_string(keys) + " keys of " + std::to_string(k) +
                      " probes; 1 key or more with at most 256 probes together is computed");
  if (n == 0) return 0.0;
  if (m == 1) return 1.0;
  return std::min(exact_moment(m, n, k, k * keys).value(), 1.0);
}

double log2_exact_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  require_exact(m, k);
  if (n == 0) return -std::numeric_limits<double>::infinity();
  if (m == 1) return 0.0;
  return std::min(exact_moment(m, n, k, k).log2(), 0.0);
}

double mean_set_bits(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  detail::require_filter("mean of set bits", m, k);
  if (n == 0) return 0.0;
  const auto bits = static_cast<double>(m);
  return -bits * std::expm1(positions(n, k) * std::log1p(-1.0 / bits));
}

}  // namespace bloomlab::theory
