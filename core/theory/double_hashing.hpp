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

/// The same for blocks of 512 bits and up to 256 probes, any stride: exact for the strides that
/// give a query at most 8 positions, means over fixed samples of lines for the others, in each of
/// which all their queries are counted. Up to 16 probes blocked_double_hashing_fpr is exact.
/// @param lines >= 1   @param n distinct keys, 0 gives 0   @param k probes, 1..256
/// @param error relative standard error at which the samples end, if not before at 2^15 of them
/// @return in [0, 1]. Hundredths of a second. Throws DomainError.
/// Source: derived here; the layout is that of RocksDB before format_version 5.
[[nodiscard]] double strided_lines_fpr(std::uint64_t lines, std::uint64_t n, std::uint64_t k,
                                       double error = 0.003);

}  // namespace bloomlab::theory
