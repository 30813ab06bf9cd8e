// Reduction of a 32-bit hash to [0, m) by the remainder: what programs with 32-bit hashes do.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/reduction/modulo.hpp"

namespace bloomlab {

/// (word mod 2^32) mod m, any m. Biased: low positions are reached by one hash more than high ones,
/// a share of m / 2^32; and of more than 2^32 positions only the first 2^32 are reached at all.
class Modulo32 {
 public:
  static constexpr std::string_view name = "modulo_32";
  static constexpr std::string_view summary = "low 32 bits of the word mod m";
  /// Whether it takes every m >= 1, and which m it takes, as words.
  static constexpr bool any_size = true;
  static constexpr std::string_view sizes = "any size";
  /// Whether all positions get the same share of words, but for rounding.
  static constexpr bool uniform = true;

  [[nodiscard]] static constexpr bool accepts(std::uint64_t m) noexcept { return m >= 1; }
  [[nodiscard]] static std::uint64_t reduce(std::uint64_t word, std::uint64_t m) noexcept {
    return (word & 0xffffffffU) % m;
  }

  /// Precondition: 1 <= m <= 2^63.
  explicit Modulo32(std::uint64_t m) noexcept : modulo_(m) {}
  /// reduce(word, m).
  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const noexcept {
    return modulo_(word & 0xffffffffU);
  }

 private:
  Modulo modulo_;
};

}  // namespace bloomlab
