// How a hash of 32 bits fills a word of 64.
#pragma once

#include <cstdint>

namespace bloomlab {

/// The hash as it was published in the low half, for reductions that read low bits, and the hash
/// times an odd number, modulo 2^32, in the high half, for those that read high bits: either half
/// takes each of the 2^32 values once, and the word carries 32 bits.
/// Not the hash twice: that is a multiple of 2^32 + 1 = 641 * 6700417, so that the remainders
/// modulo a filter size divisible by 641 would leave 640 positions of 641 unused.
[[nodiscard]] constexpr std::uint64_t widened_32(std::uint32_t hash) noexcept {
  constexpr std::uint32_t golden_ratio = 0x9e3779b9U;  // Knuth 1973, multiplicative hashing
  return (static_cast<std::uint64_t>(hash * golden_ratio) << 32) | hash;
}

}  // namespace bloomlab
