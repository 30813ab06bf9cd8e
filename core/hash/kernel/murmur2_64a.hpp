// The hash murmur2_64a of one key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/hash/kernel/bytes.hpp"

namespace bloomlab::detail {

// The constants and the mixing are the published ones: a product, a shift and a product a word, the
// tail xored in as a partial word, and a finish of two shifts and a product.
struct Murmur264aKernel {
  static constexpr std::uint64_t multiplier = 0xc6a4a7935bd1e995ULL;
  static constexpr int shift = 47;

  std::uint64_t seed;
  explicit Murmur264aKernel(std::uint64_t value) noexcept : seed(value) {}

  static std::uint64_t scramble(std::uint64_t word) noexcept {
    word *= multiplier;
    word ^= word >> shift;
    return word * multiplier;
  }

  [[gnu::always_inline]] std::array<std::uint64_t, 1> operator()(std::uint64_t key) const noexcept {
    const KeyBytes key_bytes(key);
    return (*this)(key_bytes.bytes, sizeof key_bytes.bytes);
  }
  [[gnu::always_inline]] std::array<std::uint64_t, 1> operator()(
      const std::byte* bytes, std::size_t length) const noexcept {
    std::uint64_t hash = seed ^ (length * multiplier);
    const std::byte* const tail = bytes + length / 8 * 8;
    for (; bytes != tail; bytes += 8) {
      hash = (hash ^ scramble(load_little_endian(bytes))) * multiplier;
    }
    if (length % 8 != 0) {
      hash = (hash ^ load_rest<std::uint64_t>(tail, length % 8)) * multiplier;
    }
    hash = (hash ^ (hash >> shift)) * multiplier;
    return {hash ^ (hash >> shift)};
  }
};

}  // namespace bloomlab::detail
