// The hash fnv1a_64 of one key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/hash/kernel/bytes.hpp"

namespace bloomlab::detail {

struct Fnv1a64Kernel {
  static constexpr std::uint64_t offset_basis = 0xcbf29ce484222325ULL;
  static constexpr std::uint64_t prime = 0x100000001b3ULL;

  std::uint64_t state = offset_basis;  // after the seed bytes

  explicit Fnv1a64Kernel(std::uint64_t seed) noexcept {
    if (seed == 0) return;
    for (int i = 0; i < 8; ++i) step(state, (seed >> (8 * i)) & 0xff);
  }

  static void step(std::uint64_t& hash, std::uint64_t byte) noexcept {
    hash = (hash ^ byte) * prime;
  }

  [[gnu::always_inline]] std::array<std::uint64_t, 1> operator()(std::uint64_t key) const noexcept {
    const KeyBytes key_bytes(key);
    return (*this)(key_bytes.bytes, sizeof key_bytes.bytes);
  }
  [[gnu::always_inline]] std::array<std::uint64_t, 1> operator()(
      const std::byte* bytes, std::size_t length) const noexcept {
    std::uint64_t hash = state;
    for (std::size_t i = 0; i < length; ++i) step(hash, std::to_integer<std::uint64_t>(bytes[i]));
    return {hash};
  }
};

}  // namespace bloomlab::detail
