#include "record/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace bloomlab {

namespace {

constexpr double smallest_plain = 1e-4;
constexpr double largest_plain = 1e6;
constexpr double smallest_p = 1e-12;
constexpr std::string_view thin_space = "\u202f";

/// More decimals than a double has: further ones are zeros.
constexpr int most_decimals = 1100;

std::string print(const char* pattern, int precision, double value) {
  precision = std::clamp(precision, 0, most_decimals);
  const int size = std::snprintf(nullptr, 0, pattern, precision, value);
  std::string text(static_cast<std::size_t>(std::max(size, 0)), '\0');
  std::snprintf(text.data(), text.size() + 1, pattern, precision, value);
  return text;
}

/// Exponent of the leading decimal digit, after rounding to `digits` digits.
int decimal_exponent(double value, int digits) {
  const std::string text = print("%.*e", digits - 1, std::abs(value));
  return std::stoi(text.substr(text.find('e') + 1));
}

std::string superscript(int number) {
  static constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴",
                                                              "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number))) {
    text += digits[static_cast<std::size_t>(digit - '0')];
  }
  return text;
}

std::string power_of_ten(int exponent) { return "×10" + superscript(exponent); }

/// The minus sign of print, not the hyphen; a rounded zero has no sign.
std::string proper_sign(std::string text) {
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  if (!text.empty() && text.front() == '-') text.replace(0, 1, zero ? "" : "−");
  return text;
}

/// Number of decimals that an interval of this half width supports.
int supported_decimals(double half_width) {
  const int exponent = decimal_exponent(half_width, 2);
  const double leading = half_width / std::pow(10.0, exponent);
  return leading < 2.95 ? 1 - exponent : -exponent;
}

std::string signed_fixed(double value, int decimals) {
  const std::string text = proper_sign(print("%.*f", decimals, value));
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return value > 0 && !zero ? "+" + text : text;
}

}  // namespace

std::string significant(double value, int digits) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  if (value == 0) return "0";
  const int exponent = decimal_exponent(value, digits);
  const double size = std::abs(value);
  if (size < smallest_plain || size >= largest_plain) {
    const std::string text = print("%.*e", digits - 1, value);
    return proper_sign(text.substr(0, text.find('e'))) + power_of_ten(exponent);
  }
  if (digits - 1 - exponent >= 0) return fixed(value, digits - 1 - exponent);
  const double unit = std::pow(10.0, exponent - digits + 1);
  return fixed(std::round(value / unit) * unit, 0);
}

std::string fixed(double value, int decimals) {
  if (std::isnan(value)) return "–";
  return proper_sign(print("%.*f", decimals, value));
}

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  if (text.size() <= 4) return text;
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, thin_space);
  }
  return text;
}

std::string with_interval(double value, double low, double high) {
  if (std::isnan(value)) return "–";
  const double half_width = std::max(high - value, value - low);
  if (!(half_width > 0) || std::isinf(half_width)) return significant(value, 6);
  const double largest = std::max({std::abs(value), std::abs(low), std::abs(high)});
  int exponent = 0;
  if (largest < smallest_plain || largest >= largest_plain) {
    exponent = decimal_exponent(value == 0 ? largest : value, 3);
  }
  const double scale = std::pow(10.0, exponent);
  const int decimals = std::clamp(supported_decimals(half_width / scale), 0, 12);
  const std::string text = fixed(value / scale, decimals) + " [" + fixed(low / scale, decimals) +
                           ", " + fixed(high / scale, decimals) + "]";
  return exponent == 0 ? text : "(" + text + ")" + power_of_ten(exponent);
}

std::string signed_percent_with_interval(double value, double low, double high) {
  if (std::isnan(value)) return "–";
  const double half_width = 100 * std::max(high - value, value - low);
  const int decimals = half_width > 0 ? std::clamp(supported_decimals(half_width), 0, 8) : 2;
  return signed_fixed(100 * value, decimals) + " % [" + signed_fixed(100 * low, decimals) + " %, " +
         signed_fixed(100 * high, decimals) + " %]";
}

std::string percent(double fraction, int digits) {
  if (std::isnan(fraction)) return "–";
  return significant(100 * fraction, digits) + " %";
}

std::string parameter_text(double value) {
  if (std::isnan(value)) return "–";
  std::string text = significant(value, 6);
  const std::size_t power = text.find("×");
  std::string tail = power == std::string::npos ? "" : text.substr(power);
  text.resize(std::min(power, text.size()));
  if (text.find('.') != std::string::npos) {
    text.resize(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text + tail;
}

std::string signed_percent(double fraction, int digits) {
  std::string text = percent(fraction, digits);
  if (fraction > 0) text.insert(text.begin(), '+');
  return text;
}

std::string p_value_text(double p) {
  if (std::isnan(p)) return "–";
  if (p < smallest_p) return "< 10" + superscript(-12);
  if (p >= 0.995) return "1.0";
  return significant(p, 2);
}

std::string p_value_phrase(double p) { return (p < smallest_p ? "p " : "p = ") + p_value_text(p); }

std::string exact_text(double value) {
  if (std::isnan(value)) return "";
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

}  // namespace bloomlab
