#include "planner/decimal.hpp"

#include <array>
#include <charconv>
#include <string>

namespace bloomlab::planner {
namespace {

constexpr std::uint64_t most = std::uint64_t{1} << 63;
constexpr int most_digits = 19;
constexpr int largest_exponent = 400;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::string_view times_ten = "\u00d710";

/// One superscript digit or minus as programs print it, as the plain character and its bytes.
std::optional<std::pair<char, std::size_t>> plain_superscript(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 11> all = {{{"\u207b", '-'},
                                                                      {"\u2070", '0'},
                                                                      {"\u00b9", '1'},
                                                                      {"\u00b2", '2'},
                                                                      {"\u00b3", '3'},
                                                                      {"\u2074", '4'},
                                                                      {"\u2075", '5'},
                                                                      {"\u2076", '6'},
                                                                      {"\u2077", '7'},
                                                                      {"\u2078", '8'},
                                                                      {"\u2079", '9'}}};
  for (const auto& [printed, plain] : all) {
    if (text.starts_with(printed)) return std::pair{plain, printed.size()};
  }
  return std::nullopt;
}

/// The exponent of "×10⁻⁵", as numbers are printed, and how many bytes it takes.
std::optional<std::pair<int, std::size_t>> read_printed_exponent(std::string_view text) {
  constexpr std::size_t most_characters = 4;
  if (!text.starts_with(times_ten)) return std::nullopt;
  std::size_t end = times_ten.size();
  std::string digits;
  while (const auto next = plain_superscript(text.substr(end))) {
    digits += next->first;
    end += next->second;
  }
  int value = 0;
  const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool read = fault == std::errc() && stop == digits.data() + digits.size();
  if (!read || digits.size() > most_characters) return std::nullopt;
  return std::pair{value, end};
}

/// The exponent behind e or E, and how many characters it takes; nothing where there is none, so
/// that the E of 3E stays a prefix.
std::optional<std::pair<int, std::size_t>> read_exponent(std::string_view text) {
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  const std::size_t sign = text[1] == '-' || text[1] == '+' ? 1 : 0;
  std::size_t end = 1 + sign;
  int value = 0;
  for (; end < text.size() && is_digit(text[end]); ++end) {
    if (value < largest_exponent) value = 10 * value + (text[end] - '0');
  }
  if (end == 1 + sign) return std::nullopt;
  return std::pair{text[1] == '-' ? -value : value, end};
}

}  // namespace

double Decimal::value() const {
  const std::string text = std::to_string(digits) + "e" + std::to_string(exponent);
  double value = 0.0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Out of range leaves the value alone: too large or too small for a double.
  if (fault == std::errc::result_out_of_range && exponent > 0) return 1e308 * 10.0;
  return value;
}

std::optional<Decimal> read_decimal(std::string_view text) {
  Decimal number;
  std::size_t at = 0;
  std::size_t found = 0;
  int significant = 0;
  bool fraction = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (!is_digit(text[at])) break;
    ++found;
    if (number.digits > 0 || text[at] != '0') ++significant;
    if (significant > most_digits) {
      if (text[at] != '0') return std::nullopt;
      number.exponent += fraction ? 0 : 1;
      continue;
    }
    number.digits = 10 * number.digits + static_cast<std::uint64_t>(text[at] - '0');
    number.exponent -= fraction ? 1 : 0;
  }
  if (found == 0) return std::nullopt;
  auto power = read_exponent(text.substr(at));
  if (!power) power = read_printed_exponent(text.substr(at));
  if (power) {
    number.exponent += power->first;
    at += power->second;
  }
  if (number.digits == 0) number.exponent = 0;
  number.rest = text.substr(at);
  return number;
}

ScaledInteger scaled(const Decimal& number, std::uint64_t factor) {
  __extension__ using Wide = unsigned __int128;
  Wide value = static_cast<Wide>(number.digits) * factor;
  ScaledInteger result;
  for (int i = 0; i < number.exponent && value <= most; ++i) value *= 10;
  for (int i = 0; i > number.exponent && value > 0; --i) {
    result.whole = result.whole && value % 10 == 0;
    value /= 10;
  }
  result.too_large = value > most;
  result.value = static_cast<std::uint64_t>(value);
  return result;
}

}  // namespace bloomlab::planner
