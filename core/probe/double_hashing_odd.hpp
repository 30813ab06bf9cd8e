// Double hashing with odd strides, for sizes that are powers of two.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "core/probe/strided.hpp"

namespace bloomlab {

/// The odd strides below m; 0 where m is 1. For m = 2^j they are the units modulo m, for which
/// alone there is a closed form; other sizes are taken, though odd strides do nothing for them.
struct OddStride {
  static constexpr std::string_view theory_word = "odd";
  template <class Reduction>
  static constexpr bool allows = Reduction::uniform;
  [[nodiscard]] static StrideSet of(std::uint64_t m) noexcept {
    return m == 1 ? StrideSet{0, 0, 1} : StrideSet{1, 2, m / 2};
  }
  [[nodiscard]] static bool has_closed_form(std::uint64_t m) noexcept {
    return m >= 2 && std::has_single_bit(m);
  }
};

/// Position i is (a + i b) mod m, b odd (see Strided): for m = 2^j the k positions of a key are
/// distinct where k <= m.
struct DoubleHashingOdd : Strided<OddStride> {
  static constexpr std::string_view name = "double_hashing_odd";
  static constexpr std::string_view summary =
      "(a + i b) mod m from two words, stride b odd (for m = 2^j)";
};

}  // namespace bloomlab
