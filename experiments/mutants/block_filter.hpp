// A plain filter of blocks with places for defects. With a layout of core it has the same bits and
// answers as core's filters.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bits/bit_array.hpp"
#include "core/bits/block_layouts.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/reduction/multiply_shift.hpp"

namespace bloomlab::experiments {

/// The bits of blocks of one layout, which has bits(), probes(), words(), target(digest) and
/// conditional_rate(words), as those of core, and keeps(target): whether an insert is carried out.
template <class Layout>
class DefectiveBlocks {
 public:
  explicit DefectiveBlocks(const Layout& layout) : layout_(layout), bits_(layout.bits()) {}

  void insert(const DigestBatch& digests) {
    for (const std::uint64_t digest : digests.word(0)) {
      const BlockTarget target = layout_.target(digest);
      if (!layout_.keeps(target)) continue;
      for (std::size_t i = 0; i < layout_.words(); ++i) {
        bits_.set_word(target.word + i, target.mask[i]);
      }
    }
    inserted_ += digests.size;
  }

  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    std::uint64_t count = 0;
    for (const std::uint64_t digest : digests.word(0)) {
      const BlockTarget target = layout_.target(digest);
      const std::uint64_t* const block = bits_.words().data() + target.word;
      std::uint64_t missing = 0;
      for (std::size_t i = 0; i < layout_.words(); ++i) missing |= target.mask[i] & ~block[i];
      count += missing == 0 ? 1 : 0;
    }
    return count;
  }

  [[nodiscard]] FilterState state() const {
    const std::uint64_t bits_set = bits_.popcount();
    return {.bits = layout_.bits(),
            .bits_set = bits_set,
            .memory_bits = bits_.memory_bits(),
            .conditional_rate = layout_.conditional_rate(bits_.words()),
            .layers = {{layout_.bits(), bits_set, inserted_, layout_.probes()}}};
  }

  [[nodiscard]] const BitArray& bits() const& noexcept { return bits_; }
  void bits() const&& = delete;

 private:
  Layout layout_;
  BitArray bits_;
  std::uint64_t inserted_ = 0;
};

/// A right layout, whose inserts are all carried out.
template <class Layout>
struct Kept : Layout {
  static bool keeps(const BlockTarget& /*target*/) noexcept { return true; }
};

/// Blocks of 512 bits whose positions come from the bits that chose the block.
struct BlockBitsShared : Kept<PlainBlocks> {
  [[nodiscard]] BlockTarget target(std::uint64_t digest) const noexcept {
    BlockTarget target{.word = multiply_high(digest, blocks) * words()};
    for (std::uint64_t i = 0; i < k; ++i) target.add((digest >> (55 - 9 * i)) % 512);
    return target;
  }
};

/// Positions of 8 bits in blocks of 512: the upper half of each block is never used.
struct BlockHalfUsed : Kept<PlainBlocks> {
  [[nodiscard]] BlockTarget target(std::uint64_t digest) const noexcept {
    BlockTarget target{.word = multiply_high(digest, blocks) * words()};
    BitStream stream(digest);
    for (std::uint64_t i = 0; i < k; ++i) target.add(stream.take(8));
    return target;
  }
};

/// The block is the remainder of 16 bits: some blocks come more often, and many never.
struct BlockIndexOf16Bits : Kept<PlainBlocks> {
  [[nodiscard]] BlockTarget target(std::uint64_t digest) const noexcept {
    BlockTarget target = PlainBlocks::target(digest);
    target.word = (digest >> 48) % blocks * words();
    return target;
  }
};

/// The last block takes no keys.
struct LastBlockLost : PlainBlocks {
  [[nodiscard]] bool keeps(const BlockTarget& target) const noexcept {
    return target.word + words() < blocks * words();
  }
};

/// Every lane with the same constant, and so the same position.
struct EqualSalts : Kept<LaneBlocks> {
  [[nodiscard]] BlockTarget target(std::uint64_t digest) const noexcept {
    BlockTarget target{.word = (((digest >> 32) * blocks) >> 32) * words()};
    const auto low = static_cast<std::uint32_t>(digest);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      target.add(lane * lane_bits + ((low * salts[0]) >> 27));
    }
    return target;
  }
};

}  // namespace bloomlab::experiments
