// Addition modulo m without a division, for probes that walk.
#pragma once

#include <cstdint>

namespace bloomlab {

/// (a + b) mod m. Precondition: a < m, b < m, m <= 2^63.
[[nodiscard]] inline std::uint64_t modular_sum(std::uint64_t a, std::uint64_t b,
                                               std::uint64_t m) noexcept {
  const std::uint64_t sum = a + b;
  return sum >= m ? sum - m : sum;
}

}  // namespace bloomlab
