// A polynomial of a key's bytes modulo 2^32. Include it in the .cpp file of a hash only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bloomlab::detail {

/// h = 0, then h = multiplier * h + byte for every byte, modulo 2^32 (Horner's rule).
inline std::uint32_t polynomial_32(std::uint32_t multiplier, const std::byte* bytes,
                                   std::size_t length) noexcept {
  std::uint32_t hash = 0;
  for (std::size_t i = 0; i < length; ++i) {
    hash = multiplier * hash + std::to_integer<std::uint32_t>(bytes[i]);
  }
  return hash;
}

}  // namespace bloomlab::detail
