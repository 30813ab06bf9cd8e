// Batches of keys against the bits of a filter of blocks, with the best instructions that the
// processor has. The layouts (core/bits/block_layouts.hpp) are the scalar reference: bits and
// answers are theirs on every target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/answer.hpp"
#include "core/bits/block_layouts.hpp"
#include "core/digest_stream.hpp"

namespace bloomlab::simd {

/// Keys that are worked on together.
inline constexpr std::size_t group_keys = 8;

/// What is asked of a kernel.
struct BlockBatch {
  DigestStream digests;  ///< one word per key
  std::size_t lookahead =
      0;  ///< keys between hint and use, rounded down to whole groups; 0: no hints
};

/// How many keys have all their bits set in `filter`; where `out` is not empty, also which ones.
/// Preconditions: filter.size() >= the words of the layout; out is empty or of the digests' size.
[[nodiscard]] std::uint64_t find(const PlainBlocks& layout, const BlockBatch& batch,
                                 std::span<const std::uint64_t> filter, std::span<Answer> out);
[[nodiscard]] std::uint64_t find(const SectorBlocks& layout, const BlockBatch& batch,
                                 std::span<const std::uint64_t> filter, std::span<Answer> out);
[[nodiscard]] std::uint64_t find(const LaneBlocks& layout, const BlockBatch& batch,
                                 std::span<const std::uint64_t> filter, std::span<Answer> out);

/// Sets the bits of every key in `filter`, in the keys' order; where `before` is not empty, also
/// says which had all of them set just before. Preconditions as of find().
void insert(const PlainBlocks& layout, const BlockBatch& batch, std::span<std::uint64_t> filter,
            std::span<Answer> before);
void insert(const SectorBlocks& layout, const BlockBatch& batch, std::span<std::uint64_t> filter,
            std::span<Answer> before);
void insert(const LaneBlocks& layout, const BlockBatch& batch, std::span<std::uint64_t> filter,
            std::span<Answer> before);

/// A block of k words with a position in each is one of k groups of one sector.
[[nodiscard]] inline SectorBlocks as_sectors(const WordBlocks& layout) noexcept {
  return {.blocks = layout.blocks,
          .sectors = layout.k,
          .sector_bits = WordBlocks::word_bits,
          .groups = layout.k,
          .bits_per_group = 1};
}
/// A block of at most 64 bits is one sector. Precondition: layout.block_bits <= 64.
[[nodiscard]] inline SectorBlocks as_sectors(const PlainBlocks& layout) noexcept {
  return {.blocks = layout.blocks,
          .sectors = 1,
          .sector_bits = layout.block_bits,
          .groups = 1,
          .bits_per_group = layout.k};
}

[[nodiscard]] inline std::uint64_t find(const WordBlocks& layout, const BlockBatch& batch,
                                        std::span<const std::uint64_t> filter,
                                        std::span<Answer> out) {
  return find(as_sectors(layout), batch, filter, out);
}
inline void insert(const WordBlocks& layout, const BlockBatch& batch,
                   std::span<std::uint64_t> filter, std::span<Answer> before) {
  insert(as_sectors(layout), batch, filter, before);
}

}  // namespace bloomlab::simd
