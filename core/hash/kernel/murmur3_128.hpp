// The hash murmur3_128 of one key.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/hash/kernel/bytes.hpp"

namespace bloomlab::detail {

// The constants and the steps are the published ones: two words of state take 16 bytes a step; the
// tail is scrambled as partial words, and the finish mixes the sums of both words with the length.
struct Murmur3128Kernel {
  static constexpr std::uint64_t first_multiplier = 0x87c37b91114253d5ULL;
  static constexpr std::uint64_t second_multiplier = 0x4cf5ad432745937fULL;

  std::uint64_t seed;
  explicit Murmur3128Kernel(std::uint64_t value) noexcept
      : seed(static_cast<std::uint32_t>(value ^ (value >> 32))) {}

  static std::uint64_t scramble_first(std::uint64_t word) noexcept {
    return std::rotl(word * first_multiplier, 31) * second_multiplier;
  }
  static std::uint64_t scramble_second(std::uint64_t word) noexcept {
    return std::rotl(word * second_multiplier, 33) * first_multiplier;
  }
  static std::uint64_t finish(std::uint64_t word) noexcept {
    word = (word ^ (word >> 33)) * 0xff51afd7ed558ccdULL;
    word = (word ^ (word >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return word ^ (word >> 33);
  }

  [[gnu::always_inline]] std::array<std::uint64_t, 2> operator()(std::uint64_t key) const noexcept {
    const KeyBytes key_bytes(key);
    return (*this)(key_bytes.bytes, sizeof key_bytes.bytes);
  }
  [[gnu::always_inline]] std::array<std::uint64_t, 2> operator()(
      const std::byte* bytes, std::size_t length) const noexcept {
    std::uint64_t first = seed;
    std::uint64_t second = seed;
    const std::byte* const tail = bytes + length / 16 * 16;
    for (; bytes != tail; bytes += 16) {
      first ^= scramble_first(load_little_endian(bytes));
      first = (std::rotl(first, 27) + second) * 5 + 0x52dce729U;
      second ^= scramble_second(load_little_endian(bytes + 8));
      second = (std::rotl(second, 31) + first) * 5 + 0x38495ab5U;
    }
    const std::size_t rest = length % 16;
    if (rest >= 8) {
      first ^= scramble_first(load_little_endian(tail));
      second ^= scramble_second(load_rest<std::uint64_t>(tail + 8, rest - 8));
    } else {
      first ^= scramble_first(load_rest<std::uint64_t>(tail, rest));
    }
    first ^= length;
    second ^= length;
    first += second;
    second += first;
    first = finish(first);
    second = finish(second);
    first += second;
    return {first, second + first};
  }
};

}  // namespace bloomlab::detail
