// KeyedDraws by integers alone: the same on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/keys/keyed_permutation.hpp"
#include "core/reduction/multiply_shift.hpp"

namespace bloomlab::experiments {

/// Images of counters that no key has, nor the seed of the hash.
class KeyedDraws {
 public:
  /// @param seed the trial's seed
  explicit KeyedDraws(std::uint64_t seed) : permutation_(seed) {}

  /// Evenly from 0 .. size - 1; uneven by less than size / 2^64.
  std::uint64_t below(std::uint64_t size) { return MultiplyShift::reduce(number(), size); }
  /// 64 bits; none comes twice.
  std::uint64_t number() { return permutation_(next_++); }

 private:
  KeyedPermutation permutation_;
  std::uint64_t next_ = std::uint64_t{1} << 62;
};

/// Ranks 0 .. size - 1 by Zipf's law: rank r has a share of 1 / (r + 1), to 32 bits.
class ZipfRanks {
 public:
  explicit ZipfRanks(std::uint64_t size) {
    std::uint64_t sum = 0;
    for (std::uint64_t rank = 1; rank <= size; ++rank) {
      sums_.push_back(sum += (std::uint64_t{1} << 32) / rank);
    }
  }

  std::uint64_t operator()(KeyedDraws& draws) const {
    const std::uint64_t at = draws.below(sums_.back());
    return static_cast<std::uint64_t>(std::upper_bound(sums_.begin(), sums_.end(), at) -
                                      sums_.begin());
  }

 private:
  std::vector<std::uint64_t> sums_;
};

}  // namespace bloomlab::experiments
