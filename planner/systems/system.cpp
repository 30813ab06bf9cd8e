#include "planner/systems/system.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/suggest.hpp"

namespace bloomlab::planner {

using record::InputError;

namespace {

constexpr std::uint64_t most_count = std::uint64_t{1} << 53;

}  // namespace

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
    std::string& value = settings_.try_emplace(std::string(one.name), one.fallback).first->second;
    if (one.unit.empty() || value.empty()) continue;
    const auto parse = one.unit == "bits" ? parse_whole_bits : parse_bytes;
    value = std::to_string(parse(name + ": " + std::string(one.name), value, most_count, 1));
  }
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
  return parse_count(std::string(system_->name) + ": " + std::string(setting), word(setting), "",
                     most_count);
}

std::map<std::string, std::string, std::less<>> SystemRequest::values() const {
  std::map<std::string, std::string, std::less<>> all;
  if (p() > 0.0) all.emplace("p", exact_text(p()));
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

}  // namespace bloomlab::planner
