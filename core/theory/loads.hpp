// Rates of filters whose positions are not simply k independent ones of m: a real-valued number of
// blocks, words marked by masks, positions reduced from a short range of hash values, and
// signatures that are queried with other draws than they were filled with. All are exact for ideal
// hashing, where not said otherwise. Throw DomainError outside their domain.
#pragma once

#include <cstdint>
#include <span>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// blocked_fpr where the number of blocks is not whole, or large: the load of a block is Poisson.
/// sum_i Poisson(keys_per_block)(i) exact_fpr(block_bits, i, k).
/// @param keys_per_block mean load, >= 0   @param block_bits 1..65536   @param k 1..256
/// Source: Putze, Sanders, Singler 2007, "Cache-, hash- and space-efficient Bloom filters".
[[nodiscard]] double poisson_blocked_fpr(double keys_per_block, std::uint64_t block_bits,
                                         std::uint64_t k);

/// The same for a filter of lanes: sum_i Poisson(keys_per_block)(i) (1 - (1 -
/// 1/lane_bits)^i)^lanes.
[[nodiscard]] double poisson_split_block_fpr(double keys_per_block, std::uint64_t lanes,
                                             std::uint64_t lane_bits);

/// A filter of words of 64 bits: a key picks a word, one of the masks, and a rotation of it by 0 to
/// 63 bits, all uniformly, and sets the mask's bits.
/// Mean over the masks of sum_S (-1)^|S| (1 - h(S)/words)^n, S over subsets of a mask's bits and
/// h(S) the share of rotated masks that meet S.
/// @param masks not empty, each of 1 to 8 bits   @param words > 0, may be fractional
/// Source: derived here; the layout is that of Apache Arrow's join filter.
[[nodiscard]] double masked_words_fpr(std::span<const std::uint64_t> masks, double words,
                                      std::uint64_t n);

/// A standard filter of m bits whose k positions are x mod m, x uniform over [0, range): where
/// range < m only so many bits are reachable, elsewhere the first range mod m are hit once more.
/// Exact where range <= m or m divides it; else to about max(k^2/m, (m/range)^2) relatively.
/// Source: derived here, from folding.hpp.
[[nodiscard]] double reduced_range_fpr(std::uint64_t range, std::uint64_t m, std::uint64_t n,
                                       std::uint64_t k);

/// reduced_range_fpr where all positions of a key derive from one hash of hash_bits, so that equal
/// hashes are false positives of their own: c + (1 - c) reduced_range_fpr(2^hash_bits, m, c 2^H, k)
/// with c = 1 - (1 - 2^-H)^n.
/// @param hash_bits H, 1..63
[[nodiscard]] double short_hash_fpr(std::uint64_t hash_bits, std::uint64_t m, std::uint64_t n,
                                    std::uint64_t k);

/// P(q positions are all set) in m bits after `draws` positions, all drawn with replacement:
/// E[(X/m)^q]. exact_fpr is the case draws = q n.
/// @param m >= 1   @param q 1..256   @param draws 0 gives 0
[[nodiscard]] double query_fpr(std::uint64_t m, std::uint64_t draws, std::uint64_t q);

/// The same for q different positions, 0 for q > min(m, draws).
/// @param draws at most 10^6
[[nodiscard]] double distinct_query_fpr(std::uint64_t m, std::uint64_t draws, std::uint64_t q);

}  // namespace bloomlab::theory
