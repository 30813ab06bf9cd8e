// Double hashing whose stride is never 0.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/probe/strided.hpp"

namespace bloomlab {

/// Strides 1 .. m - 1; 0 where m is 1. Takes reductions to m - 1 values, so not `mask`.
struct NonzeroStride {
  static constexpr std::string_view theory_word = "nz";
  template <class Reduction>
  static constexpr bool allows = Reduction::uniform&& Reduction::any_size;
  [[nodiscard]] static StrideSet of(std::uint64_t m) noexcept {
    return m == 1 ? StrideSet{0, 0, 1} : StrideSet{1, 1, m - 1};
  }
  [[nodiscard]] static bool has_closed_form(std::uint64_t m) noexcept { return m >= 2; }
};

/// Position i is (a + i b) mod m, b from 1 to m - 1 (see Strided): for prime m the k positions of a
/// key are distinct where k <= m.
struct DoubleHashingNz : Strided<NonzeroStride> {
  static constexpr std::string_view name = "double_hashing_nz";
  static constexpr std::string_view summary = "(a + i b) mod m from two words, stride b not 0";
};

}  // namespace bloomlab
