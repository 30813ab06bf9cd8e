// Bits and keys of standard filters by their exact rate.
#pragma once

#include <cstdint>

namespace bloomlab::planner {

/// Largest m that the planner answers with: 2^61. Beyond m of about 10^13 neighbouring sizes
/// differ by less than a double resolves, and "smallest" holds up to a few bits.
inline constexpr std::uint64_t largest_filter = std::uint64_t{1} << 61;

/// m rounded up to whole words of 64 bits.
[[nodiscard]] constexpr std::uint64_t whole_words(std::uint64_t m) { return (m + 63) / 64 * 64; }

/// Most keys that m bits hold with an exact rate of at most p, with the best k or with this one; 0
/// where not even one key fits.
[[nodiscard]] std::uint64_t capacity(std::uint64_t m, double p);
[[nodiscard]] std::uint64_t capacity(std::uint64_t m, double p, std::uint64_t k);

/// Fewest bits with an exact rate of at most p for n keys and this k. Throws theory::DomainError
/// where they would pass 2^61.
[[nodiscard]] std::uint64_t fewest_bits(std::uint64_t n, double p, std::uint64_t k);

}  // namespace bloomlab::planner
