// A decimal number read exactly: digits and a power of ten, with what stands behind it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bloomlab::planner {

/// The number digits * 10^exponent at the beginning of a text. Not negative.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;            ///< 0 where digits is 0
  std::string_view rest = {};  ///< what follows the number

  /// The nearest double.
  [[nodiscard]] double value() const;
};

/// What became of digits * 10^exponent * factor as an integer.
struct ScaledInteger {
  std::uint64_t value = 0;
  bool whole = true;       ///< nothing was cut off
  bool too_large = false;  ///< above 2^63; value means nothing then
};

/// The number that `text` begins with, such as 15, 1.5, 2e-3 or 2×10⁻³; nothing where it begins
/// with none, with a sign, or with more than 19 digits that count.
[[nodiscard]] std::optional<Decimal> read_decimal(std::string_view text);

/// floor(number * factor). @param factor at least 1
[[nodiscard]] ScaledInteger scaled(const Decimal& number, std::uint64_t factor);

}  // namespace bloomlab::planner
