// The hash multiply_mix_64 of one key, for those that share its steps. Include it in the .cpp file
// of a hash only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/hash/detail/digest_each.hpp"
#include "core/hash/multiply_mix_64.hpp"
#include "core/simd/multiply_mix.hpp"

namespace bloomlab::detail {

struct MultiplyMix64Kernel {
  // The first 64 fractional bits of the square roots of 11 and 13; c2 and c3 are those of 17 and
  // 19: odd, and chosen by nobody.
  static constexpr std::uint64_t c0 = 0x510e527fade682d1ULL;
  static constexpr std::uint64_t c1 = 0x9b05688c2b3e6c1fULL;
  static constexpr std::uint64_t c2 = simd::MultiplyMixEnd::c2;

  std::uint64_t start;
  explicit MultiplyMix64Kernel(std::uint64_t seed) noexcept
      : start(simd::fold_product(seed ^ c0, c1)) {}

  /// Up to 8 bytes as a number.
  static std::uint64_t load(const std::byte* bytes, std::size_t length) noexcept {
    if (length == 8) return load_little_endian(bytes);
    std::uint64_t word = 0;
    for (std::size_t i = length; i-- > 0;) {
      word = (word << 8) | std::to_integer<std::uint64_t>(bytes[i]);
    }
    return word;
  }

  MultiplyMix64::Digest operator()(const std::byte* bytes, std::size_t length) const noexcept {
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

  static std::uint64_t step(std::uint64_t state, const std::byte* lower,
                            const std::byte* upper) noexcept {
    return simd::fold_product(load_little_endian(lower) ^ c2, load_little_endian(upper) ^ state);
  }
};

}  // namespace bloomlab::detail
