// A number far outside the range of its type: mantissa and power of two apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bloomlab::theory::detail {

/// mantissa * 2^exponent, for `Real` double or a multiprecision type.
template <class Real>
struct ScaledReal {
  Real mantissa{};
  std::int64_t exponent = 0;

  /// Moves the mantissa into [1/2, 1).
  void normalise() {
    using std::frexp;
    int shift = 0;
    mantissa = frexp(mantissa, &shift);
    exponent += shift;
  }

  void multiply(const ScaledReal& other) {
    mantissa *= other.mantissa;
    exponent += other.exponent;
    normalise();
  }

  /// The value; 0 where it underflows.
  [[nodiscard]] Real value() const {
    using std::ldexp;
    constexpr std::int64_t bound = 1'000'000'000;
    return ldexp(mantissa, static_cast<int>(std::clamp(exponent, -bound, bound)));
  }

  /// log2 of the value, also where the value underflows; -infinity for 0.
  [[nodiscard]] double log2() const {
    return std::log2(static_cast<double>(mantissa)) + static_cast<double>(exponent);
  }
};

}  // namespace bloomlab::theory::detail
