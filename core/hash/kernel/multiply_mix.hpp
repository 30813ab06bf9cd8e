// The hashes multiply_mix_64 and multiply_swap_64 of one key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bits/wide_product.hpp"
#include "core/hash/kernel/bytes.hpp"
#include "core/simd/multiply_mix.hpp"
#include "core/simd/multiply_swap.hpp"

namespace bloomlab::detail {

struct MultiplyMix64Kernel {
  // The first 64 fractional bits of the square roots of 11 and 13; c2 and c3 are those of 17 and
  // 19: odd, and chosen by nobody.
  static constexpr std::uint64_t c0 = 0x510e527fade682d1ULL;
  static constexpr std::uint64_t c1 = 0x9b05688c2b3e6c1fULL;
  static constexpr std::uint64_t c2 = simd::MultiplyMixEnd::c2;

  std::uint64_t start;
  NumberBesideWords factor;  // of a key of up to 8 bytes
  [[gnu::always_inline]] explicit MultiplyMix64Kernel(std::uint64_t seed) noexcept
      : start(simd::fold_product(seed ^ c0, c1)), factor(start | 1) {}

  /// Up to 8 bytes as a number.
  static std::uint64_t load(const std::byte* bytes, std::size_t length) noexcept {
    if (length == 8) return load_little_endian(bytes);
    return load_rest<std::uint64_t>(bytes, length);
  }

  [[gnu::always_inline]] std::array<std::uint64_t, 1> operator()(std::uint64_t key) const noexcept {
    return {simd::MultiplyMixEnd{.factor = factor, .length = 8}(key)};
  }
  std::array<std::uint64_t, 1> operator()(const std::byte* bytes,
                                          std::size_t length) const noexcept {
    std::uint64_t state = start;
    const std::byte* const end = bytes + length;
    while (end - bytes > 16) {
      state = step(state, bytes, bytes + 8);
      bytes += 16;
    }
    if (end - bytes > 8) {
      state = step(state, bytes, end - 8);
      bytes = end;
    }
    const std::uint64_t last = load(bytes, static_cast<std::size_t>(end - bytes));
    return {simd::MultiplyMixEnd{.factor = state | 1, .length = length}(last)};
  }

  [[gnu::always_inline]] static std::uint64_t step(std::uint64_t state, const std::byte* lower,
                                                   const std::byte* upper) noexcept {
    return simd::fold_product(load_little_endian(lower) ^ c2, load_little_endian(upper) ^ state);
  }
};

struct MultiplySwap64Kernel {
  MultiplyMix64Kernel mix;
  [[gnu::always_inline]] explicit MultiplySwap64Kernel(std::uint64_t seed) noexcept : mix(seed) {}

  [[gnu::always_inline]] [[nodiscard]] simd::MultiplySwap word(std::size_t length) const noexcept {
    return {.flip = simd::fold_product(mix.start ^ length, simd::MultiplyMixEnd::c3)};
  }
  [[gnu::always_inline]] std::array<std::uint64_t, 1> operator()(std::uint64_t key) const noexcept {
    return {word(8)(key)};
  }
  std::array<std::uint64_t, 1> operator()(const std::byte* bytes,
                                          std::size_t length) const noexcept {
    if (length > 8) return mix(bytes, length);
    return {word(length)(MultiplyMix64Kernel::load(bytes, length))};
  }
};

}  // namespace bloomlab::detail
