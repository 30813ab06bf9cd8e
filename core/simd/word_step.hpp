// The step from one word of a key to the word of its next probe: of the hashing schemes `remix` and
// `products` (core/probe), which say why they are so.
#pragma once

#include <cstdint>

namespace bloomlab::simd {

/// w becomes (w ^ (w >> 32 & folded)) c + d: the scalar reference of the kernels.
struct WordStep {
  std::uint64_t multiplier = 0;  ///< c, odd
  std::uint64_t increment = 0;   ///< d
  std::uint64_t folded = 0;      ///< which of the high bits are xored into the low ones

  /// The word of the next probe.
  [[nodiscard]] constexpr std::uint64_t next(std::uint64_t word) const noexcept {
    return (word ^ ((word >> 32) & folded)) * multiplier + increment;
  }
};

/// Source: Steele, Vigna 2021, "Computationally easy, spectrally good multipliers for congruential
/// pseudorandom number generators".
inline constexpr std::uint64_t spectral_multiplier = 0xd1342543de82ef95ULL;

/// With the golden ratio as increment.
inline constexpr WordStep remix_step = {spectral_multiplier, 0x9e3779b97f4a7c15ULL, ~0ULL};
inline constexpr WordStep product_step = {spectral_multiplier, 0, 0};

}  // namespace bloomlab::simd
