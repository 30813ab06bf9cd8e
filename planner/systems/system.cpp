#include "planner/systems/system.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "planner/systems/common.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/suggest.hpp"

namespace bloomlab::planner {

using record::InputError;

SystemRequest::SystemRequest(const System& system, std::optional<std::uint64_t> n,
                             std::optional<double> p,
                             std::map<std::string, std::string, std::less<>> settings)
    : system_(&system), p_(p), settings_(std::move(settings)) {
  const std::string name(system.name);
  if (!n) n = system.default_n;
  if (!n) {
    throw InputError(name + ": n is missing; give the number of keys, such as n=1M" +
                     (system.takes_p && !system.default_p ? " p=1%" : ""));
  }
  n_ = *n;
  if (system.takes_p && !p && !system.default_p) {
    throw InputError(name +
                     ": p is missing, and it has no default; give n and p, such as n=1M "
                     "p=1%");
  }
  usual_p_ = system.default_p.value_or(0.0);
  requested_ = p ? p : system.default_p;
  std::vector<std::string_view> known = {"n", "p"};
  for (const SystemSetting& one : system.settings) known.push_back(one.name);
  for (const auto& [setting, value] : settings_) {
    if (std::ranges::find(known, setting) == known.end()) {
      throw InputError(name + ": unknown quantity \"" + setting + "\"; " +
                       record::suggestion(setting, known));
    }
  }
  for (const SystemSetting& one : system.settings) {
    settings_.try_emplace(std::string(one.name), one.fallback);
  }
}

bool SystemRequest::has(std::string_view setting) const {
  return settings_.find(setting) != settings_.end();
}

std::string SystemRequest::word(std::string_view setting) const {
  const auto found = settings_.find(setting);
  return found == settings_.end() ? std::string() : found->second;
}

double SystemRequest::number(std::string_view setting) const {
  const std::string text = word(setting);
  double value = 0.0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || !(value > 0.0) ||
      !(value < 1e18)) {
    throw InputError(std::string(system_->name) + ": " + std::string(setting) + ": found \"" +
                     text + "\"; a number above 0 is allowed, such as 10");
  }
  return value;
}

std::uint64_t SystemRequest::count(std::string_view setting) const {
  return parse_count(std::string(system_->name) + ": " + std::string(setting), word(setting),
                     "things", std::uint64_t{1} << 53);
}

std::map<std::string, std::string, std::less<>> SystemRequest::values() const {
  std::map<std::string, std::string, std::less<>> all;
  if (p() > 0.0) all.emplace("p", detail::exact_text(p()));
  for (const auto& [setting, value] : settings_) {
    if (!value.empty()) all.emplace(setting, value);
  }
  return all;
}

SystemRequest SystemRequest::with(std::string_view setting, const std::string& value) const {
  SystemRequest changed = *this;
  if (setting == "p") {
    changed.p_ = std::strtod(value.c_str(), nullptr);
  } else {
    changed.settings_.insert_or_assign(std::string(setting), value);
  }
  return changed;
}

const System& system_called(std::string_view where, std::string_view name) {
  std::vector<std::string_view> known;
  for (const System& one : systems()) {
    if (one.name == name) return one;
    known.push_back(one.name);
  }
  throw InputError(std::string(where) + ": unknown system \"" + std::string(name) + "\"; " +
                   record::suggestion(name, known));
}

namespace detail {

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

std::string exact_text(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
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

}  // namespace detail
}  // namespace bloomlab::planner
