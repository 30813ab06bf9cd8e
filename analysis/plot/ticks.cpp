#include "analysis/plot/ticks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>

#include "analysis/plot/text.hpp"

namespace bloomlab::analysis::plot {
namespace {

constexpr std::array<double, 3> round_mantissas = {1, 2, 5};
constexpr double rounding_slack = 1e-9;  // keeps 0.3 / 0.1 from being less than 3

double power_of_ten(int exponent) { return std::pow(10.0, exponent); }

int exponent_of(double value) {
  return static_cast<int>(std::floor(std::log10(value) + rounding_slack));
}

/// The least round number (1, 2 or 5 times a power of ten) that is not below `value` > 0.
double round_up(double value) {
  const double base = power_of_ten(exponent_of(value));
  for (const double mantissa : round_mantissas) {
    if (mantissa * base >= value * (1 - rounding_slack)) return mantissa * base;
  }
  return 10 * base;
}

/// The greatest round number that is not above `value` > 0.
double round_down(double value) {
  const double base = power_of_ten(exponent_of(value));
  double result = base;
  for (const double mantissa : round_mantissas) {
    if (mantissa * base <= value * (1 + rounding_slack)) result = mantissa * base;
  }
  return result;
}

View padded(Scale scale, double least, double greatest) {
  constexpr double air = 0.03;
  if (scale == Scale::log) {
    const double factor = std::max(std::pow(greatest / least, air), 1.02);
    return {least / factor, greatest * factor, scale};
  }
  const double span = greatest > least ? greatest - least : std::max(std::abs(least), 1.0);
  const double low = least - air * span;
  return {least >= 0 ? std::max(low, 0.0) : low, greatest + air * span, scale};
}

View rounded(Scale scale, double least, double greatest) {
  if (scale == Scale::log) {
    const double low = round_down(least / 1.1);
    const double high = round_up(greatest * 1.1);
    return {low, high, scale};
  }
  if (least >= 0 && least < 0.5 * greatest) least = 0;
  const double span = greatest > least ? greatest - least : std::max(std::abs(least), 1.0);
  const double step = round_up(span / 8);
  const double low = std::floor(least / step + rounding_slack) * step;
  const double high = std::ceil((greatest + 0.02 * span) / step - rounding_slack) * step;
  return {low, high, scale};
}

/// Labels of one form for the whole axis.
std::vector<Tick> labelled(const std::vector<double>& values, const View& view, double step) {
  const double greatest = std::max(std::abs(view.low), std::abs(view.high));
  const bool wide = view.scale == Scale::log && view.high / view.low > 2e3;
  const bool tiny = view.scale == Scale::log ? view.low < 0.9e-3 : greatest < 1e-3;
  const bool powers = tiny || greatest >= 1e7 || (wide && greatest > 1e4);
  const int decimals = step > 0 ? std::max(0, -exponent_of(step)) : 0;
  std::vector<Tick> ticks;
  for (const double value : values) {
    const std::string label = powers     ? power_label(value)
                              : step > 0 ? plain_label(value, decimals)
                                         : shortest_label(value);
    ticks.push_back({value, label});
  }
  return ticks;
}

Ticks linear_ticks(const View& view, double pixels, double spacing) {
  const double step = round_up((view.high - view.low) * spacing / pixels);
  std::vector<double> values;
  for (double i = std::ceil(view.low / step - rounding_slack);
       i * step <= view.high + rounding_slack * step; ++i) {
    values.push_back(i * step);
  }
  return {labelled(values, view, step), {}};
}

std::vector<double> decade_values(const View& view, int every, const std::vector<double>& factors) {
  std::vector<double> values;
  for (int e = exponent_of(view.low); e <= exponent_of(view.high); ++e) {
    if (e % every != 0) continue;
    for (const double factor : factors) {
      const double value = factor * power_of_ten(e);
      if (value >= view.low * (1 - rounding_slack) && value <= view.high * (1 + rounding_slack)) {
        values.push_back(value);
      }
    }
  }
  return values;
}

Ticks log_ticks(const View& view, double pixels, double spacing) {
  const double decade = pixels / std::log10(view.high / view.low);
  Ticks ticks;
  std::vector<double> values;
  if (decade * std::log10(2.0) >= spacing) {
    values = decade_values(view, 1, {1, 2, 5});
    if (values.size() < 3) return linear_ticks(view, pixels, spacing);
  } else {
    const int every = std::max(1, static_cast<int>(std::ceil(spacing / decade)));
    values = decade_values(view, every, {1});
    if (values.size() < 2) values = decade_values(view, 1, {1, 2, 5});
  }
  ticks.major = labelled(values, view, 0);
  if (decade < 60) return ticks;
  for (const double value : decade_values(view, 1, {2, 3, 4, 5, 6, 7, 8, 9})) {
    const auto numbered = [&](const Tick& tick) { return std::abs(tick.at / value - 1) < 1e-9; };
    if (std::none_of(ticks.major.begin(), ticks.major.end(), numbered)) {
      ticks.minor.push_back(value);
    }
  }
  return ticks;
}

/// The largest value of what the label names: no rate is above 1, and no share above 100 %. Ratios
/// of rates and changes in per cent pass it by their data.
std::optional<double> largest_of(std::string_view label) {
  if (label.find('%') != std::string_view::npos) return 100.0;
  if (label.find("FPR") != std::string_view::npos) return 1.0;
  return std::nullopt;
}

}  // namespace

double View::fraction(double value) const {
  if (scale == Scale::log) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

double View::value(double fraction) const {
  if (scale == Scale::log) return low * std::pow(high / low, fraction);
  return low + fraction * (high - low);
}

View find_view(const Axis& axis, double least, double greatest, Ends ends) {
  least = axis.low.value_or(least);
  greatest = axis.high.value_or(greatest);
  // A given end beyond all data: the other one follows it.
  if (least > greatest) (axis.low ? greatest : least) = axis.low ? least : greatest;
  const auto free = ends == Ends::padded ? padded(axis.scale, least, greatest)
                                         : rounded(axis.scale, least, greatest);
  double high = free.high;
  if (const auto most = largest_of(axis.label); most && greatest <= *most) {
    high = std::min(high, *most);
  }
  return {axis.low.value_or(free.low), axis.high.value_or(high), axis.scale};
}

Ticks find_ticks(const View& view, double pixels, double spacing) {
  return view.scale == Scale::log ? log_ticks(view, pixels, spacing)
                                  : linear_ticks(view, pixels, spacing);
}

}  // namespace bloomlab::analysis::plot
