// An array of small numbers of equal width, such as fingerprints, without gaps between them.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>

#include "core/bits/zeroed_memory.hpp"

namespace bloomlab {

/// `size` numbers of `width` bits, all zero at first. Number i takes bits width i .. width (i + 1)
/// - 1 of the words.
class PackedArray {
 public:
  /// @param size number of values, >= 0   @param width bits of each, 1 .. 63.
  /// Precondition: size * width < 2^63. Throws AllocationError.
  PackedArray(std::uint64_t size, unsigned width)
      : memory_(static_cast<std::size_t>(words_for(size, width))),
        size_(size),
        width_(width),
        mask_((std::uint64_t{1} << width) - 1) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] unsigned width() const noexcept { return width_; }
  /// Bits allocated: whole words, and one word more, so that reading never asks where it ends.
  [[nodiscard]] std::uint64_t memory_bits() const noexcept {
    return memory_bits_for(size_, width_);
  }
  /// Bits that an array of `size` values of `width` bits allocates.
  [[nodiscard]] static constexpr std::uint64_t memory_bits_for(std::uint64_t size,
                                                               unsigned width) noexcept {
    return words_for(size, width) * 64;
  }

  /// Value number `index`. Precondition: index < size().
  [[nodiscard]] std::uint64_t get(std::uint64_t index) const noexcept {
    return from(index) & mask_;
  }
  /// The 64 bits from value number `index` on: it, and what follows. Precondition: index < size().
  [[nodiscard]] std::uint64_t from(std::uint64_t index) const noexcept {
    assert(index < size_);
    const std::uint64_t bit = index * width_;
    const std::uint64_t* const word = memory_.data() + bit / 64;
    const unsigned shift = bit % 64;
    return (word[0] >> shift) | ((word[1] << 1) << (63 - shift));
  }

  /// The same, reading no word that holds nothing of the value: another thread may write to it.
  [[nodiscard]] std::uint64_t get_alone(std::uint64_t index) const noexcept {
    assert(index < size_);
    const std::uint64_t bit = index * width_;
    const std::uint64_t* const word = memory_.data() + bit / 64;
    const unsigned shift = bit % 64;
    std::uint64_t value = word[0] >> shift;
    if (shift + width_ > 64) value |= word[1] << (64 - shift);
    return value & mask_;
  }

  /// Makes value number `index` the low bits of `value`. Precondition: index < size().
  void set(std::uint64_t index, std::uint64_t value) noexcept {
    assert(index < size_ && (value & ~mask_) == 0);
    const std::uint64_t bit = index * width_;
    std::uint64_t* const word = memory_.data() + bit / 64;
    const unsigned shift = bit % 64;
    word[0] = (word[0] & ~(mask_ << shift)) | (value << shift);
    if (shift + width_ > 64) {
      const unsigned below = 64 - shift;
      word[1] = (word[1] & ~(mask_ >> below)) | (value >> below);
    }
  }

  /// Tells the processor that value number `index` will be needed soon. Inlined at any cost: GCC 12
  /// takes a function that only does this for one without effect, and leaves out its calls.
  [[gnu::always_inline]] void prefetch(std::uint64_t index) const noexcept {
    __builtin_prefetch(memory_.data() + index * width_ / 64);
  }

  /// Tells the processor that value number `index` will be set soon.
  [[gnu::always_inline]] void prefetch_to_set(std::uint64_t index) noexcept {
    __builtin_prefetch(memory_.data() + index * width_ / 64, 1);
  }

  /// Takes words that outlive the array in place of its own; it must then only be read.
  /// Precondition: as many words.
  void borrow(std::span<const std::uint64_t> words) noexcept {
    assert(words.size() == memory_.size());
    memory_ = ZeroedMemory::borrow(words);
  }

  /// Whether the bits behind the last value are zero, as they must be: for those who did not write
  /// them.
  [[nodiscard]] bool ends_in_zeros() const noexcept {
    const std::uint64_t end = size_ * width_;
    std::uint64_t behind = words()[end / 64] >> (end % 64);
    for (const std::uint64_t word : words().subspan(end / 64 + 1)) behind |= word;
    return behind == 0;
  }

  /// Makes every value zero again.
  void clear() noexcept {
    for (std::uint64_t& word : memory_.words()) word = 0;
  }

  /// The words; the bits behind the last value are zero.
  [[nodiscard]] std::span<const std::uint64_t> words() const& noexcept { return memory_.words(); }
  /// The words to write to; the bits behind the last value must stay zero.
  [[nodiscard]] std::span<std::uint64_t> words() & noexcept { return memory_.words(); }
  void words() const&& = delete;

 private:
  // In 64 bits also where a size has 32: filters are planned that this machine could not hold.
  static constexpr std::uint64_t words_for(std::uint64_t size, unsigned width) noexcept {
    return (size * width + 63) / 64 + 1;
  }

  ZeroedMemory memory_;
  std::uint64_t size_;
  unsigned width_;
  std::uint64_t mask_;
};

}  // namespace bloomlab
