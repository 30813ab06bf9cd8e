// Numbers for people: never more digits than are known, the same everywhere.
//
// Plain decimals from 0.0001 up to a million, powers of ten outside ("2.12×10⁻⁷"). Programs read
// the CSV files, which hold every number in full.
#pragma once

#include <cstdint>
#include <string>

namespace bloomlab {

/// `value` rounded to `digits` significant digits, digits >= 1: 0.0081937 -> "0.00819" for 3.
/// Zero is "0", infinity "∞", NaN "–".
[[nodiscard]] std::string significant(double value, int digits = 3);

/// `value` with exactly `decimals` digits after the point, as printed tables have it.
[[nodiscard]] std::string fixed(double value, int decimals);

/// A whole number with thin spaces between groups of three from five digits on: "1 000 000".
[[nodiscard]] std::string grouped(std::uint64_t value);

/// An estimate and its interval, all rounded to the digit that the interval supports: the leading
/// digit of its half width, and one more where that is 1 or 2. "0.00819 [0.00815, 0.00823]".
/// An interval without width gives six significant digits.
[[nodiscard]] std::string with_interval(double value, double low, double high);

/// The same for a fraction shown in per cent: "+11.4 % [+11.1 %, +11.7 %]", with signs.
[[nodiscard]] std::string signed_percent_with_interval(double value, double low, double high);

/// A fraction in per cent: 0.0123 -> "1.23 %".
[[nodiscard]] std::string percent(double fraction, int digits = 3);

/// The same with its sign: "+1.2 %"; 0 has none.
[[nodiscard]] std::string signed_percent(double fraction, int digits = 2);

/// A number that somebody set: up to six significant digits, without zeros at the end; "0.85".
[[nodiscard]] std::string parameter_text(double value);

/// A p-value: two digits; "< 10⁻¹²" below that.
[[nodiscard]] std::string p_value_text(double p);

/// The same in a sentence: "p = 0.0012", "p < 10⁻¹²".
[[nodiscard]] std::string p_value_phrase(double p);

/// Shortest text that reads back as the same double; for CSV. NaN is empty.
[[nodiscard]] std::string exact_text(double value);

}  // namespace bloomlab
