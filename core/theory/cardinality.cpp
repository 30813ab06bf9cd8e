#include "core/theory/cardinality.hpp"

#include <cmath>

#include "core/theory/detail/domain.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

/// ln(1 - X/m), from whichever of X and m - X is the smaller.
double log_empty_share(std::uint64_t m, std::uint64_t set_bits) {
  const auto bits = static_cast<double>(m);
  if (set_bits <= m / 2) return std::log1p(-static_cast<double>(set_bits) / bits);
  return std::log(static_cast<double>(m - set_bits) / bits);
}

void require_popcount(std::uint64_t m, std::uint64_t k, std::uint64_t set_bits) {
  detail::require_filter("cardinality", m, k);
  detail::require(set_bits <= m, "cardinality",
                  "popcount is above m; a filter has at most m set bits");
}

}  // namespace

std::optional<double> estimated_keys(std::uint64_t m, std::uint64_t k, std::uint64_t set_bits) {
  require_popcount(m, k, set_bits);
  if (set_bits == 0) return 0.0;
  if (set_bits == m) return std::nullopt;
  return log_empty_share(m, set_bits) /
         (static_cast<double>(k) * std::log1p(-1.0 / static_cast<double>(m)));
}

std::optional<double> swamidass_baldi_keys(std::uint64_t m, std::uint64_t k,
                                           std::uint64_t set_bits) {
  require_popcount(m, k, set_bits);
  if (set_bits == 0) return 0.0;
  if (set_bits == m) return std::nullopt;
  return -static_cast<double>(m) / static_cast<double>(k) * log_empty_share(m, set_bits);
}

double sd_estimated_keys(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  detail::require_filter("cardinality", m, k);
  if (n == 0 || m == 1) return 0.0;
  const auto bits = static_cast<double>(m);
  const auto probes = static_cast<double>(k);
  const double log_step = std::log1p(-1.0 / bits);
  const double empty = std::exp(static_cast<double>(n) * probes * log_step);
  return std::sqrt(var_set_bits(m, n, k)) / (bits * empty * probes * -log_step);
}

}  // namespace bloomlab::theory
