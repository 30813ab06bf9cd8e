// Products of 64-bit words in full, and numbers that stand beside words.
#pragma once

#include <cstdint>

namespace bloomlab {

/// A number beside words. Where std::uint64_t is another type of 64 bits, the compiler knows that
/// to set bits of words changes no such number, and keeps it in a register from key to key.
using NumberBesideWords = unsigned long long;

/// The high half of a 128-bit product.
[[nodiscard]] inline std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using Product = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Product>(a) * b) >> 64);
}

}  // namespace bloomlab
