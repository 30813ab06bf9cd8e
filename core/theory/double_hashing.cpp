#include "core/theory/double_hashing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <vector>

#include "core/theory/detail/domain.hpp"
#include "core/theory/detail/multiprecision.hpp"
#include "core/theory/detail/strided_lines.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

using detail::Real50;

/// One filter geometry: m, k, and which strides keys and queries draw from.
struct Scheme {
  std::uint64_t m;
  std::uint64_t k;
  Stride stride;
  std::uint64_t blocks = 1;  ///< of m bits each

  [[nodiscard]] bool draws(std::uint64_t b) const {
    switch (stride) {
      case Stride::any:
        return true;
      case Stride::nonzero:
        return b != 0;
      case Stride::odd:
        return b % 2 == 1;
    }
    return false;
  }

  [[nodiscard]] std::uint64_t strides() const {
    return stride == Stride::any ? m : stride == Stride::nonzero ? m - 1 : m / 2;
  }
};

/// For a query at 0, g, 2g, ...: how many keys (a, b) hit exactly the set of query positions given
/// by each mask. Keys that hit none are left out.
std::vector<std::int64_t> keys_per_mask(const Scheme& scheme, std::uint64_t g,
                                        std::uint64_t positions) {
  const std::uint64_t m = scheme.m;
  std::vector<std::int64_t> keys(std::size_t{1} << positions, 0);
  std::vector<std::uint32_t> hit(m, 0);  // by offset a, for one stride
  std::vector<std::uint64_t> touched;
  for (std::uint64_t b = 0; b < m; ++b) {
    if (!scheme.draws(b)) continue;
    std::uint64_t reach = 0;  // i b mod m
    for (std::uint64_t i = 0; i < scheme.k; ++i) {
      std::uint64_t a = reach == 0 ? 0 : m - reach;  // the offset that puts probe i on position 0
      for (std::uint64_t at = 0; at < positions; ++at) {
        if (hit[a] == 0) touched.push_back(a);
        hit[a] |= std::uint32_t{1} << at;
        a = a + g < m ? a + g : a + g - m;
      }
      reach = reach + b < m ? reach + b : reach + b - m;
    }
    for (const std::uint64_t a : touched) {
      ++keys[hit[a]];
      hit[a] = 0;
    }
    touched.clear();
  }
  return keys;
}

/// In place: from values per mask to sums over all submasks.
void sum_over_submasks(std::vector<std::int64_t>& values) {
  for (std::size_t bit = 1; bit < values.size(); bit *= 2) {
    for (std::size_t mask = 0; mask < values.size(); ++mask) {
      if (mask & bit) values[mask] += values[mask ^ bit];
    }
  }
}

/// P(all positions of a query with stride g are set).
Real50 covered(const Scheme& scheme, std::uint64_t n, std::uint64_t g) {
  const std::uint64_t positions = std::min(scheme.k, scheme.m / g);
  std::vector<std::int64_t> inside = keys_per_mask(scheme, g, positions);
  const auto total = static_cast<std::int64_t>(scheme.m * scheme.strides());
  const std::int64_t touching = std::accumulate(inside.begin(), inside.end(), std::int64_t{0});
  sum_over_submasks(inside);
  // A key misses S when it touches no position, or only positions outside S. Many S have the same
  // number of such keys: their signs are added up first.
  std::map<std::int64_t, std::int64_t> signs;
  const std::size_t all = inside.size() - 1;
  for (std::size_t subset = 0; subset <= all; ++subset) {
    const std::int64_t missing = total - touching + inside[all ^ subset];
    signs[missing] += std::popcount(subset) % 2 == 0 ? 1 : -1;
  }
  Real50 sum(0);
  for (const auto& [missing, sign] : signs) {
    if (sign == 0) continue;
    const Real50 missed = 1 - (1 - Real50(missing) / Real50(total)) / Real50(scheme.blocks);
    if (missed > 0) sum += sign * Real50(pow(missed, n));
  }
  return sum;
}

/// How many residues b of m that the scheme draws have gcd(b, m) = g.
std::uint64_t strides_of_divisor(const Scheme& scheme, std::uint64_t g) {
  std::uint64_t count = 0;
  for (std::uint64_t b = 0; b < scheme.m; b += g) {
    if (scheme.draws(b) && std::gcd(b, scheme.m) == g) ++count;
  }
  return count;
}

void require_scheme(std::uint64_t m, std::uint64_t k, Stride stride) {
  detail::require_filter("double_hashing_exact", m, k);
  detail::require(m <= most_double_hashing_bits, "double_hashing_exact",
                  "m is above 32768; there double hashing is as good as independent probes");
  detail::require(k <= most_double_hashing_probes, "double_hashing_exact",
                  "k is above 16; the cost doubles with every probe");
  detail::require(stride == Stride::any || m >= 2, "double_hashing_exact",
                  "m is 1; it has no non-zero and no odd stride");
  detail::require(stride != Stride::odd || std::has_single_bit(m), "double_hashing_exact",
                  "m is no power of two; odd strides are for powers of two");
}

}  // namespace

DoubleHashingRate double_hashing_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                                     Stride stride) {
  return blocked_double_hashing_fpr(1, m, n, k, stride);
}

DoubleHashingRate blocked_double_hashing_fpr(std::uint64_t blocks, std::uint64_t block_bits,
                                             std::uint64_t n, std::uint64_t k, Stride stride) {
  require_scheme(block_bits, k, stride);
  detail::require(blocks >= 1, "double_hashing_exact", "there is no block");
  if (n == 0) return {};
  const Scheme scheme{block_bits, k, stride, blocks};
  Real50 rate(0);
  Real50 degenerate(0);
  for (std::uint64_t g = 1; g <= block_bits; ++g) {
    if (block_bits % g != 0) continue;
    const std::uint64_t strides = strides_of_divisor(scheme, g);
    if (strides == 0) continue;
    const Real50 part = covered(scheme, n, g) * Real50(strides) / Real50(scheme.strides());
    rate += part;
    if (block_bits / g < k) degenerate += part;
  }
  return {static_cast<double>(rate), static_cast<double>(degenerate)};
}

double strided_lines_fpr(std::uint64_t lines, std::uint64_t n, std::uint64_t k, double error) {
  constexpr unsigned few = 8;
  constexpr int batch = 32;
  constexpr int least = 8;
  constexpr int most = 1024;
  constexpr std::uint64_t bits = detail::StridedLine::bits;
  detail::require_filter("strided lines", lines, k);
  detail::require(k <= max_exact_probes, "strided lines", "more than 256 probes");
  if (n == 0) return 0.0;
  const Scheme scheme{bits, k, Stride::any, lines};
  double exact = 0.0;
  for (std::uint64_t g = bits / few; g <= bits; g *= 2) {
    exact += static_cast<double>(covered(scheme, n, g) * strides_of_divisor(scheme, g) / bits);
  }
  detail::StridedLines sampled(lines, n, k, few);
  double sum = 0.0;
  double squares = 0.0;
  int batches = 0;
  do {
    const double mean = sampled.mean(batch);
    sum += mean;
    squares += mean * mean;
    ++batches;
  } while (batches < least || (batches < most && squares - sum * sum / batches >
                                                     std::pow(error * (sum + exact * batches), 2)));
  return std::clamp(exact + sum / batches, 0.0, 1.0);
}

}  // namespace bloomlab::theory
