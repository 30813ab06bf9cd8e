// A polynomial of a key's bytes modulo 2^32. Include it in the .cpp file of a hash only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/hash/widened_32.hpp"

namespace bloomlab::detail {

/// h = 0, then h = multiplier * h + byte for every byte, modulo 2^32 (Horner's rule), widened; the
/// multiplier is Hash::multiplier(seed). Four bytes a step, so that one product of each step, not
/// four, waits for the step before.
template <class Hash>
class Polynomial32 {
 public:
  explicit Polynomial32(std::uint64_t seed) : power_(Hash::multiplier(seed)) {}

  std::array<std::uint64_t, 1> operator()(const std::byte* bytes,
                                          std::size_t length) const noexcept {
    const auto byte = [bytes](std::size_t i) { return std::to_integer<std::uint32_t>(bytes[i]); };
    std::uint32_t hash = 0;
    std::size_t i = 0;
    for (; i + 4 <= length; i += 4) {
      hash = power4_ * hash + (power3_ * byte(i) + power2_ * byte(i + 1)) +
             (power_ * byte(i + 2) + byte(i + 3));
    }
    for (; i < length; ++i) hash = power_ * hash + byte(i);
    return {widened_32(hash)};
  }

 private:
  // Powers of the multiplier.
  std::uint32_t power_;
  std::uint32_t power2_ = power_ * power_;
  std::uint32_t power3_ = power2_ * power_;
  std::uint32_t power4_ = power2_ * power2_;
};

}  // namespace bloomlab::detail
