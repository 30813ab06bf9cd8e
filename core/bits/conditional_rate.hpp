// The false-positive rate of a filter given its set bits, from + - * / only: the same double on
// every machine, which pow() does not promise.
#pragma once

#include <cstdint>

namespace bloomlab {

/// base^exponent by squaring. Never throws; 1 for exponent 0.
[[nodiscard]] constexpr double integer_power(double base, std::uint64_t exponent) noexcept {
  double power = 1.0;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) power *= base;
    base *= base;
  }
  return power;
}

/// (X/m)^k: the chance that k ideal probes all meet set bits.
/// @param bits_set X, 0 .. m   @param bits m, 1 .. 2^48   @param probes k, >= 1
[[nodiscard]] constexpr double conditional_rate(std::uint64_t bits_set, std::uint64_t bits,
                                                std::uint64_t probes) noexcept {
  return integer_power(static_cast<double>(bits_set) / static_cast<double>(bits), probes);
}

/// The rate of "one or the other" for two independent rates: 1 - (1 - a)(1 - b), without
/// cancellation.
[[nodiscard]] constexpr double either_rate(double a, double b) noexcept {
  return a + (1.0 - a) * b;
}

}  // namespace bloomlab
