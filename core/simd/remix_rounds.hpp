// Batches of keys against bits, or counters, at the positions that the hashing schemes `remix` and
// `products` (core/probe) have with the reduction `multiply_shift`, which are the scalar reference:
// bits and answers are the same on every target.
//
// A lookup goes in rounds: the first probes of all keys, then the next ones of those that are left,
// and so on. The words of the keys that are left are packed together after every round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/answer.hpp"
#include "core/simd/word_step.hpp"

namespace bloomlab::simd {

/// Cells at `k` positions per key, of `m` cells of 2^cell_width bits each. Sliced, probe number i
/// has the i-th of k slices to itself, of floor(m/k) cells, the first m mod k of them of one more.
struct RemixedBits {
  std::uint64_t m = 0;              ///< 1 .. 2^32 - 1
  int k = 0;                        ///< >= 1; sliced, at most m
  std::size_t lookahead = 0;        ///< keys between the hint and the use of a bit; 0: no hints
  bool in_memory = false;           ///< the cells are more than caches hold: inserts ask for bits
  bool lookups_ask = false;         ///< they are so many more that lookups ask for bits as well
  bool narrow_lookups_ask = false;  ///< and that those by vectors of fewer than 64 bytes do
  unsigned cell_width = 0;          ///< 0 .. 4: bits, or counters of 2 to 16 bits
  bool sliced = false;
  WordStep step = remix_step;  ///< from probe to probe

  /// Cells among which probe number `i` chooses.
  [[nodiscard]] std::uint64_t cells_of(int i) const noexcept {
    if (!sliced) return m;
    const auto slices = static_cast<std::uint64_t>(k);
    return m / slices + (static_cast<std::uint64_t>(i) < m % slices ? 1 : 0);
  }
  /// The first of them.
  [[nodiscard]] std::uint64_t first_of(int i) const noexcept {
    if (!sliced) return 0;
    const auto slices = static_cast<std::uint64_t>(k);
    const auto before = static_cast<std::uint64_t>(i);
    return before * (m / slices) + (before < m % slices ? before : m % slices);
  }
};

/// Keys of one chunk of the functions below.
inline constexpr std::size_t remix_round_keys = 1024;

/// Whether the processor has vectors that are worth it, and m fits into their lanes. Where not, the
/// functions below must not be called.
[[nodiscard]] bool has_remix_rounds(std::uint64_t m);

/// How many of the keys, one digest word each, have all their bits set, or all their counters above
/// zero, in `filter`, which holds at least m cells.
[[nodiscard]] std::uint64_t count_remixed(const RemixedBits& bits,
                                          std::span<const std::uint64_t> digests,
                                          std::span<const std::uint64_t> filter);

/// The answers for them. Precondition: out.size() == digests.size().
void find_remixed(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                  std::span<const std::uint64_t> filter, std::span<Answer> out);

/// Sets the bits of every key, in the keys' order; where `before` is not empty, also says which had
/// all of them set just before. Preconditions: cell_width is 0; before is empty or of the digests'
/// size.
void insert_remixed(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                    std::span<std::uint64_t> filter, std::span<Answer> before);

}  // namespace bloomlab::simd
