#include "core/theory/hash_width.hpp"

#include <cmath>

#include "core/theory/detail/domain.hpp"

namespace bloomlab::theory {

HashWidthRate hash_width_rate(std::uint64_t hash_bits, std::uint64_t n, std::uint64_t m,
                              std::uint64_t k) {
  detail::require_filter("hash_width_floor", m, k);
  detail::require(hash_bits >= 1 && hash_bits <= 256, "hash_width_floor",
                  "hash_bits is outside 1 to 256");
  const double share = std::ldexp(1.0, -static_cast<int>(hash_bits));
  HashWidthRate result;
  result.collision = -std::expm1(static_cast<double>(n) * std::log1p(-share));
  result.distinct_fingerprints = result.collision / share;
  const auto probes = static_cast<double>(k);
  const double load = probes * result.distinct_fingerprints / static_cast<double>(m);
  const double inner = std::pow(-std::expm1(-load), probes);
  result.rate = result.collision + (1.0 - result.collision) * inner;
  return result;
}

}  // namespace bloomlab::theory
