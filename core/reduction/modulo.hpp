// Reduction of a 64-bit word to [0, m) by the remainder, as the textbooks write it.
// The remainder by multiplication: Barrett 1986, "Implementing the RSA public key encryption
// algorithm on a standard digital signal processor", CRYPTO '86.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/reduction/multiply_shift.hpp"

namespace bloomlab {

/// word mod m, any m. Uses the low bits of the word where m is a power of two.
class Modulo {
 public:
  static constexpr std::string_view name = "modulo";
  static constexpr std::string_view summary = "word mod m";
  /// Whether it takes every m >= 1, and which m it takes, as words.
  static constexpr bool any_size = true;
  static constexpr std::string_view sizes = "any size";
  /// Whether all positions get the same share of words, but for rounding.
  static constexpr bool uniform = true;

  [[nodiscard]] static constexpr bool accepts(std::uint64_t m) noexcept { return m >= 1; }
  [[nodiscard]] static std::uint64_t reduce(std::uint64_t word, std::uint64_t m) noexcept {
    return word % m;
  }

  /// Prepares the reciprocal. Precondition: 1 <= m <= 2^63.
  explicit Modulo(std::uint64_t m) noexcept : m_(m), reciprocal_(~std::uint64_t{0} / m) {}

  /// reduce(word, m). The estimated quotient is exact or one too small: with R = floor((2^64-1)/m),
  /// word/m - word R / 2^64 = word (2^64 - m R) / (m 2^64) <= word / 2^64 < 1.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept {
    const std::uint64_t rest = word - multiply_high(word, reciprocal_) * m_;
    return rest >= m_ ? rest - m_ : rest;
  }

 private:
  std::uint64_t m_;
  std::uint64_t reciprocal_;
};

}  // namespace bloomlab
