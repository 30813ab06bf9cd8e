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

namespace bloomlab::planner {

/// A level; both filters are standard filters of whole bits with their best k and exact rates.
struct LsmLevel {
  std::uint64_t n = 0;           ///< keys
  std::uint64_t equal_bits = 0;  ///< with the same bits per key on every level
  double equal_rate = 0.0;
  std::uint64_t best_bits = 0;  ///< with the best split; 0: no filter
  double best_rate = 0.0;       ///< 1 without a filter
};

struct LsmSplit {
  std::vector<LsmLevel> levels = {};  ///< from the smallest
  double equal_reads = 0.0;           ///< expected false reads of a lookup of an absent key
  double best_reads = 0.0;
  double equal_any = 0.0;  ///< probability of at least one
  double best_any = 0.0;
  /// Bits, over all levels, with which the best split has the reads of the equal one.
  std::uint64_t bits_for_equal_reads = 0;
};

/// The split of `bits` over `levels` levels, each `ratio` times as large as the one above, that
/// hold n keys together. Throws record::InputError where a level would have no key.
/// @param levels 2 to 30   @param ratio 2 to 1000   @param bits >= 1
[[nodiscard]] LsmSplit lsm_split(std::uint64_t n, std::uint64_t bits, std::uint64_t levels,
                                 std::uint64_t ratio);

}  // namespace bloomlab::planner
