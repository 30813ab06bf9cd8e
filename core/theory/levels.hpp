// Bits for the filters of an LSM tree's levels. A lookup of an absent key reads a level once for
// every false positive there, so the sum of the levels' rates counts, and the last level, which
// has most of the keys, buys the least for a bit per key.
//
// For real bits the sum of rates p_i = exp(-b_i ln^2 2) under sum n_i b_i = M is least where
// p_i = min(1, c n_i): levels that would get more than 1 have no filter.
// Source: Dayan, Athanassoulis, Idreos 2017, "Monkey: Optimal navigable key-value store", SIGMOD
// (leveled merging, one run a level).
#pragma once

#include <cstdint>
#include <vector>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// Keys of each level, from the smallest: each `ratio` times as many as the one above, n together.
/// @param levels 2 to 30   @param ratio 2 to 1000
/// Throws DomainError where a level would have no key.
[[nodiscard]] std::vector<std::uint64_t> keys_of_levels(std::uint64_t n, std::uint64_t levels,
                                                        std::uint64_t ratio);

/// Bits of each level's filter with the same bits per key on every level, rounded down.
/// @param keys of each level   @param bits of all filters together
[[nodiscard]] std::vector<std::uint64_t> equal_bits(const std::vector<std::uint64_t>& keys,
                                                    std::uint64_t bits);

/// The same with the fewest false reads of a lookup of an absent key; 0: no filter.
[[nodiscard]] std::vector<std::uint64_t> best_bits(const std::vector<std::uint64_t>& keys,
                                                   std::uint64_t bits);

/// Bits, over all levels, with which the best split has so many false reads, rounded up.
/// @param reads above 0, below the number of levels
[[nodiscard]] std::uint64_t bits_for_reads(const std::vector<std::uint64_t>& keys, double reads);

}  // namespace bloomlab::theory
