#include "core/theory/hash_width.hpp"

#include <algorithm>
#include <cmath>

#include "core/theory/detail/domain.hpp"

namespace bloomlab::theory {
namespace {

/// 2^-H.
double share_of_one(std::uint64_t hash_bits) {
  detail::require(hash_bits >= 1 && hash_bits <= 512, "hash_width_floor",
                  "hash_bits is outside 1 to 512");
  return std::ldexp(1.0, -static_cast<int>(hash_bits));
}

/// 1 - (1 - share)^n.
double taken_share(double share, std::uint64_t n) {
  return -std::expm1(static_cast<double>(n) * std::log1p(-share));
}

}  // namespace

HashWidthRate hash_width_rate(std::uint64_t hash_bits, std::uint64_t n, std::uint64_t m,
                              std::uint64_t k) {
  detail::require_filter("hash_width_floor", m, k);
  const double share = share_of_one(hash_bits);
  HashWidthRate result;
  result.collision = taken_share(share, n);
  result.distinct_fingerprints = result.collision / share;
  const auto probes = static_cast<double>(k);
  const double load = probes * result.distinct_fingerprints / static_cast<double>(m);
  const double inner = std::pow(-std::expm1(-load), probes);
  result.rate = result.collision + (1.0 - result.collision) * inner;
  return result;
}

std::uint64_t different_hashes(std::uint64_t hash_bits, std::uint64_t n) {
  const double share = share_of_one(hash_bits);
  const double different = std::round(taken_share(share, n) / share);
  if (!(different < static_cast<double>(n))) return n;
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(different), 1);
}

}  // namespace bloomlab::theory
