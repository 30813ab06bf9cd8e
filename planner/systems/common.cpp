#include "planner/systems/common.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace bloomlab::planner::detail {

namespace {

std::string digits_of(double value, int digits) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

constexpr int most_digits = 6;
constexpr double long_step = 0.7;

/// One in the last of the digits.
double last_digit(double value) {
  return std::pow(10.0, std::floor(std::log10(value)) - (most_digits - 1));
}

}  // namespace

std::string text_from(double value) {
  const double near = std::strtod(digits_of(value, most_digits).c_str(), nullptr);
  return digits_of(near < value ? near + last_digit(value) : near, most_digits);
}

std::string text_up_to(double value) {
  const double near = std::strtod(digits_of(value, most_digits).c_str(), nullptr);
  return digits_of(near > value ? near - last_digit(value) : near, most_digits);
}

std::string setting_text(double value) {
  constexpr double nearly_one = 0.9995;  // three digits would make it 1
  return value >= nearly_one && value < 1.0 ? text_up_to(value) : digits_of(value, 3);
}

std::vector<std::string> rates_around(const SystemRequest& request) {
  constexpr double step = 0.94;
  constexpr double highest = 0.9;
  constexpr double far = 1e-9;
  const double asked = *request.requested();
  std::vector<std::string> rates;
  double p = std::min(16.0 * asked, std::max(highest, asked));
  for (; p > asked / 50.0; p *= step) rates.push_back(setting_text(p));
  for (; p > asked * far; p *= long_step) rates.push_back(setting_text(p));
  return rates;
}

std::vector<std::string> rates_below(double p) {
  constexpr double lowest = 1e-18;
  std::vector<std::string> rates;
  while ((p *= long_step) > lowest) rates.push_back(setting_text(p));
  return rates;
}

}  // namespace bloomlab::planner::detail
