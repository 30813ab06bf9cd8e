// Double hashing with any stride: k positions from two words.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/probe/strided.hpp"

namespace bloomlab {

/// Strides 0 .. m - 1.
struct AnyStride {
  static constexpr std::string_view theory_word = "any";
  template <class Reduction>
  static constexpr bool allows = Reduction::uniform;
  [[nodiscard]] static StrideSet of(std::uint64_t m) noexcept { return {0, 1, m}; }
  [[nodiscard]] static bool has_closed_form(std::uint64_t /*m*/) noexcept { return true; }
};

/// Position i is (a + i b) mod m, b any stride, 0 included (see Strided).
struct DoubleHashing : Strided<AnyStride> {
  static constexpr std::string_view name = "double_hashing";
  static constexpr std::string_view summary = "(a + i b) mod m from two words, any stride b";
};

}  // namespace bloomlab
