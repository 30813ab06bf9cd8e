// Logarithm and exponential for the sizes of filters, from + - * / alone. IEEE 754 fixes those to
// the last bit; the last digits of std::log and std::exp are another on another machine, and a size
// that is rounded up from them may be one bit more there.
#pragma once

namespace bloomlab::portable {

/// Natural logarithm, within 1e-15 of it relatively or, near 1, absolutely.
/// @param x finite, normal, > 0. Never throws.
[[nodiscard]] double log(double x) noexcept;

/// ln(1 - x), relatively within 1e-15.
/// @param x in [0, 1). Never throws.
[[nodiscard]] double log_of_rest(double x) noexcept;

/// e^x, relatively within 1e-15.
/// @param x in [-708, 709]. Never throws.
[[nodiscard]] double exp(double x) noexcept;

}  // namespace bloomlab::portable
