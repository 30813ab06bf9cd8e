// Positions of many words at once by the reduction `multiply_shift` (core/reduction), and the steps
// of core/simd/word_step.hpp, which are the scalar references: positions are the same on every
// target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/simd/word_step.hpp"

namespace bloomlab::simd {

/// positions[j] = floor(words[j] m / 2^64), for any m.
void reduce_words(std::span<const std::uint64_t> words, std::uint64_t m, std::uint64_t* positions);

/// next[j] becomes the word of the probe after words[j], and positions[j] what that one gives.
/// `next` may be where the words are; no other memory may overlap.
void step_words(std::span<const std::uint64_t> words, const WordStep& step, std::uint64_t m,
                std::uint64_t* next, std::uint64_t* positions);

}  // namespace bloomlab::simd
