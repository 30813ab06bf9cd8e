// Positions of many words at once by the reduction `multiply_shift` (core/reduction), and the steps
// of the probe `remix` (core/probe/remix.hpp), which are the scalar references: positions are the
// same on every target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomlab::simd {

/// positions[j] = floor(words[j] m / 2^64), for any m.
void reduce_words(std::span<const std::uint64_t> words, std::uint64_t m, std::uint64_t* positions);

/// Every word becomes that of the next probe, and then the same. Neither memory may overlap the
/// other.
void step_remixed(std::span<std::uint64_t> words, std::uint64_t m, std::uint64_t* positions);

}  // namespace bloomlab::simd
