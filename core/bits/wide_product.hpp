// Products of 64-bit words in full.
#pragma once

#include <cstdint>

namespace bloomlab {

/// The high half of a 128-bit product.
[[nodiscard]] inline std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using Product = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Product>(a) * b) >> 64);
}

}  // namespace bloomlab
