// The least that any kernel of blocks can do: ask for a key's cache line and touch one word of it.
// What filters of one line cost is told as a multiple of this.
#pragma once

#include <cstdint>
#include <span>

#include "core/bits/wide_product.hpp"
#include "core/simd/block_kernels.hpp"

namespace bloomlab::simd {

/// Lines of 512 bits, of which multiply-shift gives each digest one, by its upper half as long as
/// that can distinguish them.
struct LineTouches {
  static constexpr std::uint64_t words_a_line = 8;

  std::uint64_t lines = 0;

  /// Where the line of a digest begins [words].
  [[nodiscard]] std::uint64_t first_word(std::uint64_t digest) const noexcept {
    const std::uint64_t line =
        lines >> 32 == 0 ? (digest >> 32) * lines >> 32 : multiply_high(digest, lines);
    return line * words_a_line;
  }
};

/// Reads the first word of every key's line, by the loop that filters of blocks are asked by.
/// @return of how many keys the lowest bit of that word is set
/// Precondition: memory.size() >= 8 lines.
[[nodiscard]] std::uint64_t read_lines(const LineTouches& touches, const BlockBatch& batch,
                                       std::span<const std::uint64_t> memory);

/// Adds 2 to the first word of every key's line, by the loop that they are filled by. Several
/// threads may do so to one memory; where two meet on a line, one addition may be lost.
void write_lines(const LineTouches& touches, const BlockBatch& batch,
                 std::span<std::uint64_t> memory);

}  // namespace bloomlab::simd
