// A polynomial of a key's bytes modulo 2^32. Include it in the .cpp file of a hash only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/hash/widened_32.hpp"

namespace bloomlab::detail {

/// h = 0, then h = multiplier * h + byte for every byte, modulo 2^32 (Horner's rule), widened; the
/// multiplier is Hash::multiplier(seed).
template <class Hash>
struct Polynomial32 {
  std::uint32_t multiplier;
  explicit Polynomial32(std::uint64_t seed) : multiplier(Hash::multiplier(seed)) {}

  std::array<std::uint64_t, 1> operator()(const std::byte* bytes,
                                          std::size_t length) const noexcept {
    std::uint32_t hash = 0;
    for (std::size_t i = 0; i < length; ++i) {
      hash = multiplier * hash + std::to_integer<std::uint32_t>(bytes[i]);
    }
    return {widened_32(hash)};
  }
};

}  // namespace bloomlab::detail
