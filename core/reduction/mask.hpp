// Reduction of a 64-bit word to [0, 2^j) by its low bits.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace bloomlab {

/// word and (m - 1); m must be a power of two.
class Mask {
 public:
  static constexpr std::string_view name = "mask";
  static constexpr std::string_view summary = "word and (m - 1), for m = 2^j only";
  /// Whether it takes every m >= 1, and which m it takes, as words.
  static constexpr bool any_size = false;
  static constexpr std::string_view sizes = "a power of two";
  /// Whether all positions get the same share of words, but for rounding.
  static constexpr bool uniform = true;

  [[nodiscard]] static constexpr bool accepts(std::uint64_t m) noexcept {
    return std::has_single_bit(m);
  }
  [[nodiscard]] static std::uint64_t reduce(std::uint64_t word, std::uint64_t m) noexcept {
    return word & (m - 1);
  }

  explicit Mask(std::uint64_t m) noexcept : mask_(m - 1) {}
  /// reduce(word, m).
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept { return word & mask_; }

 private:
  std::uint64_t mask_;
};

}  // namespace bloomlab
