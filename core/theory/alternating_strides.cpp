#include "core/theory/alternating_strides.hpp"

#include <algorithm>
#include <cmath>

#include "core/theory/detail/alternating_filter.hpp"
#include "core/theory/detail/domain.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

struct Size {
  std::uint64_t m;
  std::uint64_t n;
};

/// A filter of at most `most` keys with the same load, and the same m modulo 128.
Size stand_in(std::uint64_t m, std::uint64_t n, std::uint64_t most) {
  constexpr std::uint64_t modulus = 128;
  if (n <= most) return {m, n};
  const double scaled =
      static_cast<double>(m) * (static_cast<double>(most) / static_cast<double>(n));
  const auto turns = static_cast<std::uint64_t>(scaled / modulus);
  return {std::max(turns * modulus + m % modulus, std::uint64_t{1}), most};
}

}  // namespace

double alternating_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k, double error) {
  constexpr std::uint64_t most_keys = 1U << 14U;
  constexpr std::uint64_t all_queries = 1U << 23U;
  constexpr std::uint64_t least_queries = 64;
  constexpr std::uint64_t least = 8;
  constexpr double empty = 40.0;    // e^-40 of the bits are left
  constexpr double large = 0x1p23;  // bits
  detail::require_filter("alternating strides", m, k);
  detail::require(k <= max_exact_probes, "alternating strides", "more than 256 probes");
  detail::require(m <= std::uint64_t{1} << 62U, "alternating strides", "m is above 2^62");
  if (n == 0) return 0.0;
  if (static_cast<double>(k) * static_cast<double>(n) > empty * static_cast<double>(m)) return 1.0;
  const double bits_per_key = static_cast<double>(m) / static_cast<double>(n);
  detail::require(bits_per_key <= large, "alternating strides", "more than 2^23 bits per key");
  const Size size = stand_in(
      m, n,
      std::clamp<std::uint64_t>(static_cast<std::uint64_t>(large / bits_per_key), 1, most_keys));
  detail::AlternatingFilter filter(size.m, k);
  detail::Samples samples;
  const std::uint64_t queries = std::max(size.n * (k + 1) / 2, least_queries);
  double sum = 0.0;
  double squares = 0.0;
  std::uint64_t filters = 0;
  do {
    filter.fill(samples, size.n);
    const double one = filter.rate(samples, queries);
    sum += one;
    squares += one * one;
    ++filters;
  } while (filters < least ||
           (filters * queries < all_queries &&
            squares - sum * sum / static_cast<double>(filters) > std::pow(error * sum, 2)));
  return std::clamp(sum / static_cast<double>(filters), 0.0, 1.0);
}

}  // namespace bloomlab::theory
