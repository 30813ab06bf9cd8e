// The seeds of a family of hash functions, made from one seed.
#pragma once

#include <cstdint>

#include "core/keys/keyed_permutation.hpp"

namespace bloomlab {

/// The seeds of the functions 0, 1, 2, ... of a family: number 0 is the seed itself, number i is
/// seed xor P(0) xor P(i) with P the KeyedPermutation of the seed. All are distinct.
class SeedFamily {
 public:
  explicit SeedFamily(std::uint64_t seed) : permutation_(seed), origin_(seed ^ permutation_(0)) {}

  /// The seed of function number `index`, >= 0.
  [[nodiscard]] std::uint64_t operator()(int index) const noexcept {
    return origin_ ^ permutation_(static_cast<std::uint64_t>(index));
  }

 private:
  KeyedPermutation permutation_;
  std::uint64_t origin_;
};

/// SeedFamily(seed)(index), for one seed at a time.
[[nodiscard]] inline std::uint64_t family_seed(std::uint64_t seed, int index) {
  return index == 0 ? seed : SeedFamily(seed)(index);
}

}  // namespace bloomlab
