// The multiply-swap hash (core/hash/multiply_swap_64.hpp) of many integer keys at once.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace bloomlab::simd {

/// The hash for keys of one length: rounds of one product of 32 bits by 32 bits, which every
/// vector unit has, an exclusive or, and an exchange of the halves.
struct MultiplySwap {
  /// The first 32 fractional bits of the square roots of 2, 3, 5, 7 and 11, made even. With an even
  /// factor f the map x -> x ^ f x has an inverse, bit by bit from the lowest one, and so has a
  /// round.
  static constexpr std::array<std::uint64_t, 5> factors = {0x6a09e666U, 0xbb67ae84U, 0x3c6ef372U,
                                                           0xa54ff53aU, 0x510e527eU};

  std::uint64_t flip = 0;  ///< what seed and length of the keys made

  [[nodiscard]] constexpr std::uint64_t operator()(std::uint64_t key) const noexcept {
    std::uint64_t word = key ^ flip;
    for (const std::uint64_t factor : factors) {
      word = std::rotl(word ^ (word & 0xffffffffU) * factor, 32);
    }
    return word;
  }
};

/// out[j] = hash(keys[j]). Precondition: out has room for keys.size() words.
void multiply_swap(std::span<const std::uint64_t> keys, const MultiplySwap& hash,
                   std::uint64_t* out);

}  // namespace bloomlab::simd
