// The step from word to word of the probe `remix` (core/probe/remix.hpp), which says why it is so.
#pragma once

#include <cstdint>

namespace bloomlab::simd {

/// w becomes (w ^ (w >> 32)) c + d: the scalar reference of the kernels.
/// Source of c: Steele, Vigna 2021, "Computationally easy, spectrally good multipliers for
/// congruential pseudorandom number generators".
struct RemixStep {
  static constexpr std::uint64_t multiplier = 0xd1342543de82ef95ULL;
  static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15ULL;  ///< the golden ratio, odd

  /// The word of the next probe.
  [[nodiscard]] static constexpr std::uint64_t next(std::uint64_t word) noexcept {
    return (word ^ (word >> 32)) * multiplier + increment;
  }
};

}  // namespace bloomlab::simd
