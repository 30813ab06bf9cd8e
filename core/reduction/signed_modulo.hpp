// The remainder of a signed 32-bit hash with the sign that it has in JavaScript, C and Java, where
// the bits are properties of an object and negative ones are further bits: the slip of an article's
// Bloom filter (2011, in JavaScript), which doubles the filter's memory.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/reduction/modulo.hpp"

namespace bloomlab {

/// For a filter of m = 2 s - 1 bits, where s is the size that its author meant: h mod s with the
/// sign of h, h the low 32 bits of the word as a signed number. Remainders 0 .. s - 1 are the
/// positions themselves, remainders -1 .. -(s - 1) the positions s .. 2 s - 2. Position 0 has both
/// signs' share.
class SignedModulo {
 public:
  static constexpr std::string_view name = "signed_modulo";
  static constexpr std::string_view summary =
      "low 32 bits of the word, signed, mod (m + 1)/2 with their sign; negative remainders are the "
      "upper positions; odd m only";
  /// Whether it takes every m >= 1, and which m it takes, as words.
  static constexpr bool any_size = false;
  static constexpr std::string_view sizes = "an odd number";
  /// Whether all positions get the same share of words, but for rounding.
  static constexpr bool uniform = false;

  [[nodiscard]] static constexpr bool accepts(std::uint64_t m) noexcept { return m % 2 == 1; }
  [[nodiscard]] static std::uint64_t reduce(std::uint64_t word, std::uint64_t m) noexcept {
    const auto hash = std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(word))};
    const auto size = static_cast<std::int64_t>(m / 2 + 1);
    const std::int64_t rest = hash % size;
    return static_cast<std::uint64_t>(rest >= 0 ? rest : size - 1 - rest);
  }

  /// Precondition: m is odd, below 2^63.
  explicit SignedModulo(std::uint64_t m) noexcept : size_(m / 2 + 1), modulo_(size_) {}
  /// reduce(word, m).
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept {
    const std::uint64_t hash = word & 0xffffffffU;
    const bool negative = (hash >> 31) != 0;
    const std::uint64_t rest = modulo_(negative ? (std::uint64_t{1} << 32) - hash : hash);
    return negative && rest != 0 ? size_ - 1 + rest : rest;
  }

 private:
  std::uint64_t size_;
  Modulo modulo_;
};

}  // namespace bloomlab
