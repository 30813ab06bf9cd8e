// How many cache lines of 64 bytes a lookup reads, in expectation and under ideal hashing.
#pragma once

#include <cstdint>

#include "core/filters/sizing_goal.hpp"

namespace bloomlab {

/// Bits of a cache line.
inline constexpr std::uint64_t line_bits = 512;

/// A filter of m places in L lines that is read probe after probe until one is empty: an absent key
/// reads sum over j < k of (f (1 - 1/L))^j lines at the fill f, an inserted one the same at 1.
/// @param n keys in it, 0 allowed   @param bits_per_place 1 for bits, more for counters
[[nodiscard]] LinesRead probed_lines(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                                     std::uint64_t bits_per_place = 1);

/// Lines of a run of `run_bits` bits that begins at any multiple of `step_bits`.
[[nodiscard]] double run_lines(std::uint64_t run_bits, std::uint64_t step_bits);

/// Steps of a search that halves n sorted keys, of which those among the last `keys_per_line` stay
/// in one line; 1 at least.
[[nodiscard]] LinesRead halving_lines(std::uint64_t n, std::uint64_t keys_per_line);

}  // namespace bloomlab
