// Double hashing in small filters, exactly.
#pragma once

#include <cstdint>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// How the stride b of g_i = (a + i b) mod m is drawn: any of [0, m), non-zero, or odd (m a power
/// of two).
enum class Stride { any, nonzero, odd };

/// Largest m and k that are computed: the cost is divisors(m) (m k^2 + k 2^k).
inline constexpr std::uint64_t most_double_hashing_bits = 32768;
inline constexpr std::uint64_t most_double_hashing_probes = 16;

/// The exact rate of a filter with double hashing.
struct DoubleHashingRate {
  double rate = 0.0;
  /// The part of it due to queries whose stride gives them fewer than k different positions.
  double degenerate_part = 0.0;
};

/// Keys and queries take positions (a + i b) mod m, i = 0..k-1, a uniform, b uniform over the
/// stride's set. The rate is the mean over queries of sum_S (-1)^|S| P(a key misses S)^n, S over
/// subsets of the query's positions; multiplying by a unit of the residues maps keys to keys, so
/// one query stride for each divisor of m stands for all.
/// @param m 1..32768   @param n distinct keys, 0 gives 0   @param k 1..16
/// @return relative error below 1e-10 for rates above 1e-30 (50-digit sums). Microseconds to
/// seconds. Throws DomainError. Source: derived here; the scheme is Dillinger and Manolios 2004,
/// "Bloom filters in probabilistic verification", and Kirsch and Mitzenmacher 2006, "Less hashing,
/// same performance".
[[nodiscard]] DoubleHashingRate double_hashing_fpr(std::uint64_t m, std::uint64_t n,
                                                   std::uint64_t k, Stride stride);

/// The same where a key picks one of `blocks` blocks of block_bits uniformly and double-hashes in
/// it: of n keys a binomial number shares the query's block, so that a miss of probability x there
/// is one of 1 - (1 - x)/blocks overall.
/// @param blocks >= 1   @param block_bits 1..32768
[[nodiscard]] DoubleHashingRate blocked_double_hashing_fpr(std::uint64_t blocks,
                                                           std::uint64_t block_bits,
                                                           std::uint64_t n, std::uint64_t k,
                                                           Stride stride);

}  // namespace bloomlab::theory
