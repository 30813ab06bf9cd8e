// Reduction of a 64-bit word to [0, m) by its high bits: floor(word * m / 2^64).
// Source: Lemire 2019, "Fast random integer generation in an interval", ACM TOMACS 29(1).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/bits/wide_product.hpp"
#include "core/simd/positions.hpp"

namespace bloomlab {

/// floor(word * m / 2^64): no division, any m. The probabilities of two positions differ by at most
/// 2^-64. Uses the high bits of the word.
class MultiplyShift {
 public:
  static constexpr std::string_view name = "multiply_shift";
  static constexpr std::string_view summary = "floor(word m / 2^64)";
  /// Whether it takes every m >= 1, and which m it takes, as words.
  static constexpr bool any_size = true;
  static constexpr std::string_view sizes = "any size";
  /// Whether all positions get the same share of words, but for rounding.
  static constexpr bool uniform = true;

  [[nodiscard]] static constexpr bool accepts(std::uint64_t m) noexcept { return m >= 1; }
  [[nodiscard]] static std::uint64_t reduce(std::uint64_t word, std::uint64_t m) noexcept {
    return multiply_high(word, m);
  }

  explicit MultiplyShift(std::uint64_t m) noexcept : m_(m) {}
  /// reduce(word, m).
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept {
    return multiply_high(word, m_);
  }

  /// reduce(words[j], m) of every word.
  void write(std::span<const std::uint64_t> words, std::uint64_t* positions) const {
    simd::reduce_words(words, m_, positions);
  }

 private:
  std::uint64_t m_;
};

}  // namespace bloomlab
