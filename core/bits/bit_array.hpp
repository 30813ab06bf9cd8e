// The bits of a filter: up to 2^48 of them, addressed by 64-bit positions.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bits/zeroed_memory.hpp"

namespace bloomlab {

/// Number of set bits among `words`. Uses the processor's instruction where it has one.
[[nodiscard]] std::uint64_t count_set_bits(std::span<const std::uint64_t> words) noexcept;

/// A fixed number of bits, all zero at first. Bit i is bit i mod 64 of word i / 64. A
/// moved-from array may only be assigned to or destroyed.
class BitArray {
 public:
  /// @param size number of bits, 1 .. max_filter_bits   @param source where the memory comes from
  /// (core/bits/zeroed_memory.hpp). Throws std::length_error outside of the bounds and
  /// AllocationError where the memory cannot be had, before anything is touched.
  explicit BitArray(std::uint64_t size, FilterMemory* source = nullptr);

  /// Number of bits.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Bits allocated: size() rounded up to whole words.
  [[nodiscard]] std::uint64_t memory_bits() const noexcept { return memory_bits_for(size_); }
  /// Bits that an array of `size` bits allocates; size <= max_filter_bits.
  [[nodiscard]] static constexpr std::uint64_t memory_bits_for(std::uint64_t size) noexcept {
    return (size + 63) / 64 * 64;
  }

  /// Whether bit `position` is set. Precondition: position < size().
  [[nodiscard]] bool test(std::uint64_t position) const noexcept {
    assert(position < size_);
    return ((memory_.data()[position / 64] >> (position % 64)) & 1) != 0;
  }

  /// Sets bit `position`; true if it was not set before. Precondition: position < size().
  bool set(std::uint64_t position) noexcept {
    assert(position < size_);
    std::uint64_t& word = memory_.data()[position / 64];
    const std::uint64_t before = word;
    word = before | (std::uint64_t{1} << (position % 64));
    return word != before;
  }

  /// Sets the bits of `mask` in word `index`, that is bits 64 index .. 64 index + 63; true if one
  /// of them was not set before. Precondition: the bits of the mask are below size().
  bool set_word(std::uint64_t index, std::uint64_t mask) noexcept {
    assert(index * 64 < size_);
    std::uint64_t& word = memory_.data()[index];
    const std::uint64_t before = word;
    word = before | mask;
    return word != before;
  }

  /// Sets the bits that are set in `other`; true if one of them was not set before. Precondition:
  /// the same size.
  bool merge(const BitArray& other) noexcept { return merge_share(other, 0, 1); }
  /// The same in one of `count` runs of words, which several threads may merge at once.
  /// Precondition: index < count, too.
  bool merge_share(const BitArray& other, std::size_t index, std::size_t count) noexcept;
  /// Keeps only the bits that are set in `other` too; true if one was lost. Precondition: the same
  /// size.
  bool intersect(const BitArray& other) noexcept;

  /// Tells the processor that bit `position` will be needed soon.
  [[gnu::always_inline]] void prefetch(std::uint64_t position) const noexcept {
    __builtin_prefetch(memory_.data() + position / 64);
  }

  /// Tells the processor that bit `position` will be set soon.
  [[gnu::always_inline]] void prefetch_to_set(std::uint64_t position) noexcept {
    __builtin_prefetch(memory_.data() + position / 64, 1);
  }

  /// Number of set bits. Reads the whole array.
  [[nodiscard]] std::uint64_t popcount() const noexcept { return count_set_bits(words()); }

  /// Takes words that outlive the array in place of its own; it must then only be read.
  /// Precondition: as many words.
  void borrow(std::span<const std::uint64_t> words) noexcept {
    assert(words.size() == memory_.size());
    memory_ = ZeroedMemory::borrow(words);
  }

  /// Whether the bits behind size() are zero, as they must be: for those who did not write them.
  [[nodiscard]] bool ends_in_zeros() const noexcept {
    return size_ % 64 == 0 || words().back() >> (size_ % 64) == 0;
  }

  /// Makes every bit zero again.
  void clear() noexcept;

  /// The words; the bits behind size() are zero.
  [[nodiscard]] std::span<const std::uint64_t> words() const& noexcept { return memory_.words(); }
  void words() const&& = delete;
  /// The words, for those who leave the bits behind size() zero.
  [[nodiscard]] std::span<std::uint64_t> writable_words() & noexcept { return memory_.words(); }

 private:
  ZeroedMemory memory_;
  std::uint64_t size_;
};

}  // namespace bloomlab
