// Where the bits of a key stand in filters that keep them inside one block: the layouts, which the
// block store is instantiated with.
//
// A digest word is used twice: its high bits choose the block, by a full 128-bit product, and the
// positions come from a stream of words that is seeded with it. Taking both from the same bits
// would make keys of one block alike: the rate then rises once there are many blocks.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bits/wide_product.hpp"

namespace bloomlab {

/// Largest block: a cache line [bits].
inline constexpr std::uint64_t max_block_bits = 512;

namespace detail {

/// Calls step() `times` times, at least once, with a branch of its own for each of the first eight:
/// such branches go the same way for every key, so that none is mispredicted, as the end of a short
/// loop may be.
template <class Step>
[[gnu::always_inline]] inline void repeat(std::uint64_t times, const Step& step) noexcept {
  for (;;) {
    step();
    if (times == 1) return;
    step();
    if (times == 2) return;
    step();
    if (times == 3) return;
    step();
    if (times == 4) return;
    step();
    if (times == 5) return;
    step();
    if (times == 6) return;
    step();
    if (times == 7) return;
    step();
    if (times == 8) return;
    times -= 8;
  }
}

}  // namespace detail

/// The bits that a key sets: `mask` from word number `word` of the filter on. As many words of the
/// mask are in use as the layout says.
struct BlockTarget {
  std::uint64_t word = 0;
  std::array<std::uint64_t, max_block_bits / 64> mask = {};

  /// Adds bit `bit` of the block, counted from the first bit of word `word`.
  void add(std::uint64_t bit) noexcept {
    mask[static_cast<std::size_t>(bit / 64)] |= std::uint64_t{1} << (bit % 64);
  }

  /// What a layout says of a digest.
  template <class Layout>
  [[nodiscard]] static BlockTarget of(const Layout& layout, std::uint64_t digest) noexcept {
    BlockTarget target{.word = layout.first_word(digest)};
    layout.for_each_mask(digest, [&target](std::uint64_t at, std::uint64_t bits) {
      target.mask[static_cast<std::size_t>(at)] |= bits;
    });
    return target;
  }
};

/// Numbers of few bits, as many as are wanted, from one word: splitmix64 seeded with it.
/// Source: Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators", OOPSLA.
class BitStream {
 public:
  explicit BitStream(std::uint64_t seed) noexcept : state_(seed) {}

  /// The next number of `bits` bits, 0 .. 63.
  [[nodiscard]] std::uint64_t take(unsigned bits) noexcept {
    if (left_ < bits) {
      word_ = next_word();
      left_ = 64;
    }
    const std::uint64_t number = word_ & ((std::uint64_t{1} << bits) - 1);
    word_ >>= bits;
    left_ -= bits;
    return number;
  }

  /// Calls use(word) for the next `count` numbers of `bits` bits, 1 .. 9: they are the lowest bits
  /// of the word, whatever stands above them. Precondition: none of another size was taken before.
  template <class Use>
  [[gnu::always_inline]] void for_each(std::uint64_t count, unsigned bits,
                                       const Use& use) noexcept {
    for (std::uint64_t left = count; left != 0;) {
      std::uint64_t word = next_word();
      std::uint64_t now = of_a_word[bits];
      if (left < now) now = left;
      left -= now;
      detail::repeat(
          now, [&]() __attribute__((always_inline)) {
            use(word);
            word >>= bits;
          });
    }
  }

 private:
  // 64 / bits; a key has no time for a division.
  static constexpr std::array<std::uint8_t, 10> of_a_word = {0, 64, 32, 21, 16, 12, 10, 9, 8, 7};

  std::uint64_t next_word() noexcept {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
  }

  std::uint64_t state_;
  std::uint64_t word_ = 0;
  unsigned left_ = 0;
};

/// Blocks of 32 to 512 bits; k positions in the block, drawn with replacement.
struct PlainBlocks {
  std::uint64_t blocks = 0;
  std::uint64_t block_bits = 0;  ///< a power of two, 32 .. 512
  std::uint64_t k = 0;
  friend bool operator==(const PlainBlocks&, const PlainBlocks&) = default;

  [[nodiscard]] std::uint64_t bits() const noexcept { return blocks * block_bits; }
  [[nodiscard]] std::uint64_t probes() const noexcept { return k; }
  /// Words of a target that are in use.
  [[nodiscard]] std::size_t words() const noexcept {
    return static_cast<std::size_t>((block_bits + 63) / 64);
  }
  /// Where the words of the key's block begin.
  [[nodiscard]] std::uint64_t first_word(std::uint64_t digest) const noexcept {
    return multiply_high(digest, blocks) * block_bits / 64;
  }
  /// Calls use(word, number) for the key's positions: they are bit number % 64 of word `word` of
  /// its block. Precondition: words() > 1.
  template <class Use>
  [[gnu::always_inline]] void for_each_place(std::uint64_t digest, const Use& use) const noexcept {
    const std::uint64_t last = block_bits / 64 - 1;
    BitStream(digest).for_each(
        k, static_cast<unsigned>(std::countr_zero(block_bits)),
        [&](std::uint64_t number)
            __attribute__((always_inline)) { use((number / 64) & last, number); });
  }
  /// Calls use(word, bits) for bits of the key in word `word` of its block.
  template <class Use>
  [[gnu::always_inline]] void for_each_mask(std::uint64_t digest, const Use& use) const noexcept {
    if (words() > 1) {
      for_each_place(digest, [&](std::uint64_t word, std::uint64_t number) {
        use(word, std::uint64_t{1} << (number % 64));
      });
      return;
    }
    std::uint64_t bits = 0;
    BitStream(digest).for_each(
        k, static_cast<unsigned>(std::countr_zero(block_bits)),
        [&](std::uint64_t number) __attribute__((always_inline)) {
          bits |= std::uint64_t{1} << (number & (block_bits - 1));
        });
    // A block of 32 bits may be the upper half of its word.
    use(0, bits << (multiply_high(digest, blocks) * block_bits % 64));
  }
  [[nodiscard]] BlockTarget target(std::uint64_t digest) const noexcept {
    return BlockTarget::of(*this, digest);
  }
  /// The rate that these set bits imply: the mean over the blocks of (X/block_bits)^k.
  [[nodiscard]] double conditional_rate(std::span<const std::uint64_t> filter) const;
};

/// Blocks of sectors in groups: in each group of its block a key picks one sector and sets
/// bits_per_group positions in it, drawn with replacement.
struct SectorBlocks {
  std::uint64_t blocks = 0;
  std::uint64_t sectors = 0;         ///< of a block, a power of two
  std::uint64_t sector_bits = 0;     ///< a power of two; sectors sector_bits is 32 .. 512
  std::uint64_t groups = 0;          ///< a power of two, at most `sectors`
  std::uint64_t bits_per_group = 0;  ///< k / groups
  friend bool operator==(const SectorBlocks&, const SectorBlocks&) = default;

  [[nodiscard]] std::uint64_t block_bits() const noexcept { return sectors * sector_bits; }
  [[nodiscard]] std::uint64_t bits() const noexcept { return blocks * block_bits(); }
  [[nodiscard]] std::uint64_t probes() const noexcept { return groups * bits_per_group; }
  [[nodiscard]] std::size_t words() const noexcept {
    return static_cast<std::size_t>((block_bits() + 63) / 64);
  }
  /// Where the words of the key's block begin.
  [[nodiscard]] std::uint64_t first_word(std::uint64_t digest) const noexcept {
    return multiply_high(digest, blocks) * block_bits() / 64;
  }
  /// Calls use(word, bits) for the key's bits in a sector, which stands in word `word` of the
  /// block.
  template <class Use>
  [[gnu::always_inline]] void for_each_mask(std::uint64_t digest, const Use& use) const noexcept {
    // A block of 32 bits may be the upper half of its word.
    const std::uint64_t begin = multiply_high(digest, blocks) * block_bits() % 64;
    BitStream stream(digest);
    const std::uint64_t choices = sectors / groups;
    const auto choice_width = static_cast<unsigned>(std::countr_zero(choices));
    const auto width = static_cast<unsigned>(std::countr_zero(sector_bits));
    for (std::uint64_t group = 0; group < groups; ++group) {
      const std::uint64_t sector = group * choices + stream.take(choice_width);
      std::uint64_t bits = 0;
      for (std::uint64_t i = 0; i < bits_per_group; ++i) {
        bits |= std::uint64_t{1} << stream.take(width);
      }
      const std::uint64_t first = begin + sector * sector_bits;
      use(first / 64, bits << (first % 64));
    }
  }
  [[nodiscard]] BlockTarget target(std::uint64_t digest) const noexcept {
    return BlockTarget::of(*this, digest);
  }
  /// The mean over the blocks of prod over groups of the mean over the group's sectors of
  /// (X/sector_bits)^bits_per_group.
  [[nodiscard]] double conditional_rate(std::span<const std::uint64_t> filter) const;
};

/// Blocks of k words of 64 bits; one position in every word.
struct WordBlocks {
  static constexpr std::uint64_t word_bits = 64;

  std::uint64_t blocks = 0;
  std::uint64_t k = 0;  ///< words of a block, 1 .. 8
  friend bool operator==(const WordBlocks&, const WordBlocks&) = default;

  [[nodiscard]] std::uint64_t bits() const noexcept { return blocks * k * word_bits; }
  [[nodiscard]] std::uint64_t probes() const noexcept { return k; }
  [[nodiscard]] std::size_t words() const noexcept { return static_cast<std::size_t>(k); }
  /// Where the words of the key's block begin.
  [[nodiscard]] std::uint64_t first_word(std::uint64_t digest) const noexcept {
    return multiply_high(digest, blocks) * words();
  }
  /// Calls use(word, number) for the key's positions: they are bit number % 64 of word `word` of
  /// its block.
  template <class Use>
  [[gnu::always_inline]] void for_each_place(std::uint64_t digest, const Use& use) const noexcept {
    std::uint64_t word = 0;
    BitStream(digest).for_each(
        k, 6, [&](std::uint64_t number) __attribute__((always_inline)) { use(word++, number); });
  }
  /// Calls use(word, bits) for the key's bit in word `word` of its block.
  template <class Use>
  [[gnu::always_inline]] void for_each_mask(std::uint64_t digest, const Use& use) const noexcept {
    for_each_place(digest, [&](std::uint64_t word, std::uint64_t number) {
      use(word, std::uint64_t{1} << (number % 64));
    });
  }
  [[nodiscard]] BlockTarget target(std::uint64_t digest) const noexcept {
    return BlockTarget::of(*this, digest);
  }
  /// The mean over the blocks of prod over their words of X/64.
  [[nodiscard]] double conditional_rate(std::span<const std::uint64_t> filter) const;
};

/// Blocks of 8 lanes of 32 bits; one position in every lane, as the Parquet specification has it:
/// the digest's upper half chooses the block, its lower half times an odd constant a lane's bit.
struct LaneBlocks {
  static constexpr std::uint64_t lanes = 8;
  static constexpr std::uint64_t lane_bits = 32;
  static constexpr std::uint64_t block_bits = lanes * lane_bits;
  /// Bits of the digest that the bits in all lanes come from.
  static constexpr std::uint64_t position_bits = 32;
  static constexpr std::array<std::uint32_t, lanes> salts = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU,
                                                             0xa2b7289dU, 0x705495c7U, 0x2df1424bU,
                                                             0x9efc4947U, 0x5c6bfb31U};

  NumberBesideWords blocks = 0;  ///< below 2^31
  friend bool operator==(const LaneBlocks&, const LaneBlocks&) = default;

  [[nodiscard]] std::uint64_t bits() const noexcept { return blocks * block_bits; }
  [[nodiscard]] std::uint64_t probes() const noexcept { return lanes; }
  [[nodiscard]] std::size_t words() const noexcept { return block_bits / 64; }
  /// Where the words of the key's block begin.
  [[nodiscard]] std::uint64_t first_word(std::uint64_t digest) const noexcept {
    return (((digest >> 32) * blocks) >> 32) * words();
  }
  /// The same, faster where `blocks` waits in a register, as it does when nothing is written.
  [[nodiscard]] std::uint64_t first_word_to_read(std::uint64_t digest) const noexcept {
    return multiply_high(digest >> 32, blocks << 32) * words();
  }
  /// Calls use(word, bits) for the key's bit in a lane, which stands in word `word` of the block.
  template <class Use>
  [[gnu::always_inline]] void for_each_mask(std::uint64_t digest, const Use& use) const noexcept {
    const auto low = static_cast<std::uint32_t>(digest);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::uint64_t bit = lane * lane_bits + ((low * salts[lane]) >> 27);
      use(bit / 64, std::uint64_t{1} << (bit % 64));
    }
  }
  [[nodiscard]] BlockTarget target(std::uint64_t digest) const noexcept {
    return BlockTarget::of(*this, digest);
  }
  /// The mean over the blocks of prod over the lanes of X/32.
  [[nodiscard]] double conditional_rate(std::span<const std::uint64_t> filter) const;
};

}  // namespace bloomlab
