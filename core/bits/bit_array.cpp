#include "core/bits/bit_array.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "core/parameters.hpp"

namespace bloomlab {
namespace {

std::size_t words_for(std::uint64_t bits) {
  if (bits < 1 || bits > max_filter_bits) {
    throw std::length_error("a bit array of " + std::to_string(bits) +
                            " bits was asked for; from 1 to " + std::to_string(max_filter_bits) +
                            " bits are possible");
  }
  return static_cast<std::size_t>(BitArray::memory_bits_for(bits) / 64);
}

std::uint64_t count_portable(std::span<const std::uint64_t> words) noexcept {
  std::uint64_t count = 0;
  for (const std::uint64_t word : words) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

#if defined(__x86_64__)
// The baseline of x86-64 lacks the instruction, every processor since 2008 has it.
__attribute__((target("popcnt"))) std::uint64_t count_by_instruction(
    std::span<const std::uint64_t> words) noexcept {
  std::uint64_t count = 0;
  for (const std::uint64_t word : words) {
    count += static_cast<std::uint64_t>(__builtin_popcountll(word));
  }
  return count;
}
#endif

}  // namespace

std::uint64_t count_set_bits(std::span<const std::uint64_t> words) noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("popcnt")) return count_by_instruction(words);
#endif
  return count_portable(words);
}

BitArray::BitArray(std::uint64_t size, FilterMemory* source)
    : memory_(words_for(size), source), size_(size) {}

bool BitArray::merge_share(const BitArray& other, std::size_t index, std::size_t count) noexcept {
  assert(size_ == other.size_ && index < count);
  std::uint64_t changed = 0;
  // Products do not overflow: an array has at most 2^42 words, and threads are few.
  const std::size_t last = memory_.size() * (index + 1) / count;
  for (std::size_t i = memory_.size() * index / count; i < last; ++i) {
    std::uint64_t& word = memory_.data()[i];
    const std::uint64_t more = other.memory_.data()[i];
    changed |= more & ~word;
    word |= more;
  }
  return changed != 0;
}

bool BitArray::intersect(const BitArray& other) noexcept {
  assert(size_ == other.size_);
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    std::uint64_t& word = memory_.data()[i];
    const std::uint64_t kept = other.memory_.data()[i];
    changed |= word & ~kept;
    word &= kept;
  }
  return changed != 0;
}

void BitArray::clear() noexcept { std::ranges::fill(memory_.words(), std::uint64_t{0}); }

}  // namespace bloomlab
