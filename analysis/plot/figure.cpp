#include "analysis/plot/figure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>

#include "analysis/plot/text.hpp"

namespace bloomlab::analysis::plot {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw std::invalid_argument(where + ": " + what);
}

/// What the layout and gnuplot can compute with: squares and spans of it are finite.
bool can_be_drawn(double value) { return std::abs(value) <= 1e100; }

void check_name(const std::string& name) {
  constexpr const char* allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  if (name.empty() || name.find_first_not_of(allowed) != std::string::npos) {
    refuse("figure \"" + name + "\"", "bad name; allowed are letters, digits, '_' and '-'");
  }
}

void check_axis(const Axis& axis, const std::string& where) {
  const bool log = axis.scale == Scale::log;
  for (const auto& end : {axis.low, axis.high}) {
    if (!end) continue;
    if (!can_be_drawn(*end)) refuse(where, "an end of the range is beyond 1e100, or no number");
    if (log && *end <= 0) refuse(where, "an end of a log range must be > 0");
  }
  if (axis.low && axis.high && *axis.low >= *axis.high) refuse(where, "needs low < high");
}

void check_x(const Axis& axis, double x, const std::string& where) {
  if (axis.scale == Scale::log && x <= 0) {
    refuse(where, "x = " + data_number(x) + " on a log axis; must be > 0");
  }
  const auto categories = static_cast<double>(axis.categories.size());
  if (categories > 0 && (x != std::floor(x) || x < 0 || x >= categories)) {
    refuse(where, "x = " + data_number(x) + " is no category; allowed are 0 to " +
                      data_number(categories - 1));
  }
}

void check_point(const Axis& x, const Axis& y, const Point& point, const std::string& where) {
  for (const double value : {point.x, point.y, point.low, point.high}) {
    if (can_be_drawn(value)) continue;
    refuse(where, "a value is beyond 1e100, or no number, at x = " + data_number(point.x));
  }
  check_x(x, point.x, where);
  if (point.low > point.high) refuse(where, "low > high at x = " + data_number(point.x));
  if (y.scale == Scale::log && (point.y < 0 || point.low < 0)) {
    refuse(where, "negative y on a log axis at x = " + data_number(point.x) + "; must be >= 0");
  }
}

void check_series(const Axis& x, const Axis& y, const Series& series, const std::string& figure) {
  const std::string where = figure + ", series \"" + series.name + "\"";
  if (series.name.empty()) refuse(where, "has no name");
  if (series.points.empty()) refuse(where, "has no points");
  const bool zero_without_limit = y.scale == Scale::log && series.kind == Kind::points;
  double before = -HUGE_VAL;
  for (const Point& point : series.points) {
    check_point(x, y, point, where);
    if (zero_without_limit && point.y == 0 && point.high <= 0) {
      refuse(where, "y = 0 on a log axis needs an upper limit > 0 in high, at x = " +
                        data_number(point.x));
    }
    if (series.kind != Kind::points && point.x < before) {
      refuse(where, "x must not decrease along a line, at x = " + data_number(point.x));
    }
    before = point.x;
  }
}

void check_markers(const Figure& figure, const std::string& where) {
  for (const Marker& marker : figure.markers) {
    const bool log = (marker.axis == MarkerAxis::x ? figure.x.scale : figure.y.scale) == Scale::log;
    if (!can_be_drawn(marker.at) || (log && marker.at <= 0)) {
      refuse(where, "marker \"" + marker.label + "\" cannot stand at " + data_number(marker.at));
    }
  }
}

void check_ratio(const Figure& figure, const std::string& where) {
  const RatioPanel& ratio = *figure.ratio;
  if (!figure.x.categories.empty()) refuse(where, "a ratio panel cannot stand below categories");
  if (ratio.series.empty()) refuse(where, "its ratio panel has no series");
  if (!(ratio.band >= 0) || !can_be_drawn(ratio.band)) refuse(where, "its ratio band must be >= 0");
  for (const Series& series : ratio.series) check_series(figure.x, Axis{}, series, where);
}

/// What stands in for the names at the ends of curves is one legend, in which grey lines look
/// alike.
void check_small_panels(const Figure& figure, const std::string& where) {
  const std::size_t count = figure.panels.size();
  if (count == 0) return;
  if (figure.ratio) refuse(where, "small panels have no residual panel; leave one of both out");
  if (!figure.x.categories.empty()) refuse(where, "small panels cannot have categories");
  if (count > most_small_panels) {
    refuse(where, std::to_string(count) + " small panels; allowed are " +
                      std::to_string(most_small_panels));
  }
  std::set<std::size_t> filled;
  std::set<std::string> grey;
  for (const Series& series : figure.series) {
    filled.insert(series.panel);
    if (is_grey(series)) grey.insert(series.name);
  }
  if (filled.size() < count) refuse(where, "a small panel has no series");
  if (grey.size() > 1)
    refuse(where,
           "small panels have one reference, found several: grey lines look alike in a legend");
}

void check_panel_numbers(const Figure& figure, const std::string& where) {
  const std::size_t count = std::max<std::size_t>(1, figure.panels.size());
  const auto outside = [&](const auto& part) { return part.panel >= count; };
  if (std::any_of(figure.series.begin(), figure.series.end(), outside) ||
      std::any_of(figure.markers.begin(), figure.markers.end(), outside)) {
    refuse(where, "something is in a panel that the figure does not have; it has " +
                      std::to_string(count));
  }
}

}  // namespace

bool is_grey(const Series& series) {
  return series.group.empty() && series.role == Role::reference;
}

void check_figure(const Figure& figure) {
  check_name(figure.name);
  const std::string where = "figure " + figure.name;
  if (figure.series.empty()) refuse(where, "has no series");
  check_axis(figure.x, where + ", x axis");
  check_axis(figure.y, where + ", y axis");
  if (!figure.y.categories.empty()) refuse(where, "only the x axis may have categories");
  if (!figure.x.categories.empty() && figure.x.scale == Scale::log) {
    refuse(where, "categories cannot stand on a log axis");
  }
  constexpr std::size_t most_points = 20'000;  // a picture of more is many megabytes large
  std::size_t points = 0;
  for (const Series& series : figure.series) {
    check_series(figure.x, figure.y, series, where);
    points += series.points.size();
  }
  if (points > most_points) {
    refuse(where, std::to_string(points) + " points; at most " + std::to_string(most_points) +
                      " are drawn, so take fewer");
  }
  check_markers(figure, where);
  if (figure.ratio) check_ratio(figure, where);
  check_panel_numbers(figure, where);
  check_small_panels(figure, where);
}

}  // namespace bloomlab::analysis::plot
