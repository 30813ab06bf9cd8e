#include "analysis/plot/panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <limits>
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

/// The least interval that holds what it was given.
struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();

  void add(double value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  [[nodiscard]] bool empty() const { return least > greatest; }
};

constexpr double reach_below = 4;  // factor that intervals and theory may reach below the points

void add_point(Extent& extent, const Point& point, bool log) {
  extent.add(log && point.y == 0 ? point.high : point.y);
  extent.add(point.high);
  if (!log) extent.add(point.low);
  if (log && point.y > 0) extent.add(std::max(point.low, point.y / reach_below));
}

void add_values(Extent& extent, const Series& series, bool log, double floor) {
  for (const Point& point : series.points) {
    if (!log || point.y > 0) extent.add(std::max(point.y, floor));
  }
}

Extent measured_extent(const Figure& figure, bool log) {
  constexpr double no_floor = -std::numeric_limits<double>::infinity();
  Extent extent;
  for (const Series& series : figure.series) {
    if (series.kind == Kind::points) {
      for (const Point& point : series.points) add_point(extent, point, log);
    } else if (series.role == Role::measured) {
      add_values(extent, series, log, no_floor);
    }
  }
  return extent;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

void cover_line(std::vector<Pixel>& covered, Pixel from, Pixel to) {
  constexpr double pace = 4;
  const double length = std::hypot(to.across - from.across, to.down - from.down);
  const double steps = std::clamp(std::ceil(length / pace), 1.0, 1000.0);
  for (double i = 0; i <= steps; ++i) {
    covered.push_back({from.across + (to.across - from.across) * i / steps,
                       from.down + (to.down - from.down) * i / steps});
  }
}

/// A symbol is a small square of pixels; the largest, a ring, has this radius.
void cover_symbol(std::vector<Pixel>& covered, Pixel centre) {
  constexpr double radius = 7.5;
  for (const double down : {-radius, 0.0, radius}) {
    for (const double across : {-radius, 0.0, radius}) {
      covered.push_back({centre.across + across, centre.down + down});
    }
  }
}

bool drawable(const Panel& panel, double y) { return panel.y.scale == Scale::linear || y > 0; }

void cover_points(std::vector<Pixel>& covered, const Panel& panel, const Series& series) {
  for (const Point& point : series.points) {
    const Fate fate = panel.fate(point);
    if (fate != Fate::inside && fate != Fate::no_hit) continue;
    const double bottom =
        fate == Fate::no_hit ? panel.y_less_by(point.high, 24) : std::max(point.low, panel.y.low);
    cover_line(covered, panel.pixel(point.x, bottom), panel.pixel(point.x, point.high));
    if (fate == Fate::inside) cover_symbol(covered, panel.pixel(point.x, point.y));
  }
}

void cover_curve(std::vector<Pixel>& covered, const Panel& panel, const Series& series) {
  for (std::size_t i = 0; i + 1 < series.points.size(); ++i) {
    const Point& from = series.points[i];
    const Point& to = series.points[i + 1];
    if (!drawable(panel, from.y) || !drawable(panel, to.y)) continue;
    const double reached = series.kind == Kind::step ? from.y : to.y;
    cover_line(covered, panel.pixel(from.x, from.y), panel.pixel(to.x, reached));
    cover_line(covered, panel.pixel(to.x, reached), panel.pixel(to.x, to.y));
  }
}

constexpr double arrow_length = 20;  // pixels
constexpr double bar_half = 5;       // of the bar at an upper limit
constexpr double head_length = 9;    // of an arrow out of the panel, at least

std::string row(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values) {
    if (!text.empty()) text += ' ';
    text += data_number(value);
  }
  return text;
}

/// x and y as across and up.
std::string place(const Panel& panel, double x, double y) {
  return panel.lying ? row({y, x}) : row({x, y});
}

/// A vector from one place to another.
std::string vector(const Panel& panel, double x, double y, double to_x, double to_y) {
  return place(panel, x, y) + ' ' + place(panel, to_x - x, to_y - y);
}

/// x after going `pixels` along its axis.
double x_more_by(const Panel& panel, double x, double pixels) {
  const double length = panel.lying ? panel.box.height : panel.box.width;
  return panel.x.value(panel.x.fraction(x) + pixels / length);
}

void add_no_hit(PointRows& rows, const Panel& panel, double x, double limit) {
  rows.limit.push_back(
      vector(panel, x_more_by(panel, x, -bar_half), limit, x_more_by(panel, x, bar_half), limit));
  rows.arrow.push_back(vector(panel, x, limit, x, panel.y_less_by(limit, arrow_length)));
}

/// An arrow at the edge, as long as the interval reaches into the panel: a stub of any other length
/// would be read as an interval.
void add_outside(PointRows& rows, const Panel& panel, const Point& point, double x, Fate fate) {
  const bool below = fate == Fate::below;
  const double edge = below ? panel.y.low : panel.y.high;
  const double head = panel.y_less_by(edge, below ? -head_length : head_length);
  const double end = below ? std::max(head, std::min(point.high, panel.y.high))
                           : std::min(head, std::max(point.low, panel.y.low));
  rows.outside.push_back(vector(panel, x, end, x, edge));
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

Pixel Panel::pixel(double x_value, double y_value) const {
  const double along_x = x.fraction(x_value);
  const double along_y = y.fraction(y_value);
  if (lying) return {box.left + along_y * box.width, box.top + along_x * box.height};
  return {box.left + along_x * box.width, box.bottom() - along_y * box.height};
}

double Panel::y_less_by(double y_value, double pixels) const {
  return y.value(y.fraction(y_value) - pixels / (lying ? box.width : box.height));
}

Fate Panel::fate(const Point& point) const {
  if (!x.contains(point.x)) return Fate::hidden;
  const bool no_hit = y.scale == Scale::log && point.y == 0;
  const double shown = no_hit ? point.high : point.y;
  if (shown > y.high) return Fate::above;
  if (shown < y.low) return Fate::below;
  return no_hit ? Fate::no_hit : Fate::inside;
}

std::optional<Pixel> Panel::seen_at(const Point& point) const {
  switch (fate(point)) {
    case Fate::inside:
      return pixel(point.x, point.y);
    case Fate::no_hit:
      return pixel(point.x, point.high);
    case Fate::below:
      return pixel(point.x, y.low);
    case Fate::above:
      return pixel(point.x, y.high);
    case Fate::hidden:
      break;
  }
  return std::nullopt;
}

View x_view(const Figure& figure) {
  if (!figure.x.categories.empty()) {
    return {-0.5, static_cast<double>(figure.x.categories.size()) - 0.5, Scale::linear};
  }
  Extent extent;
  for (const Series& series : figure.series) {
    for (const Point& point : series.points) extent.add(point.x);
  }
  for (const Marker& marker : figure.markers) {
    if (marker.axis == MarkerAxis::x) extent.add(marker.at);
  }
  return find_view(figure.x, extent.least, extent.greatest, Ends::padded);
}

View y_view(const Figure& figure) {
  const bool log = figure.y.scale == Scale::log;
  Extent extent = measured_extent(figure, log);
  const double floor = log && !extent.empty() ? extent.least / reach_below
                                              : -std::numeric_limits<double>::infinity();
  for (const Series& series : figure.series) {
    if (series.kind != Kind::points) add_values(extent, series, log, floor);
  }
  for (const Marker& marker : figure.markers) {
    if (marker.axis == MarkerAxis::y) extent.add(marker.at);
  }
  // Nothing but zeros on a log axis: any range is as good as another.
  if (extent.empty()) extent = {0.1, 1};
  return find_view(figure.y, extent.least, extent.greatest, Ends::rounded);
}

View ratio_view(const RatioPanel& panel) {
  std::vector<double> off;
  std::vector<double> reach;
  for (const Series& series : panel.series) {
    for (const Point& point : series.points) {
      off.push_back(std::abs(point.y - 1));
      reach.push_back(std::max(std::abs(point.low - 1), std::abs(point.high - 1)));
    }
  }
  const double wanted =
      std::max({1.5 * panel.band, 1.1 * quantile(off, 0.9), 1.05 * quantile(reach, 0.6)});
  constexpr std::array<double, 9> widths = {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1};
  const auto* found =
      std::find_if(widths.begin(), widths.end(), [&](double w) { return w >= wanted; });
  const double half = found == widths.end() ? widths.back() : *found;
  return {1 - half, 1 + half, Scale::linear};
}

std::vector<Pixel> covered_pixels(const Panel& panel, const std::vector<Series>& all) {
  std::vector<Pixel> covered;
  for (const Series& series : all) {
    if (series.kind == Kind::points) {
      cover_points(covered, panel, series);
    } else {
      cover_curve(covered, panel, series);
    }
  }
  return covered;
}

PointRows point_rows(const Panel& panel, const Series& series, double shift) {
  PointRows rows;
  for (const Point& point : series.points) {
    const double x = x_more_by(panel, point.x, shift);
    const Fate fate = panel.fate(point);
    if (fate == Fate::inside) {
      const double low = std::max(point.low, panel.y.low);
      const double high = std::min(point.high, panel.y.high);
      rows.inside.push_back(place(panel, x, point.y) + ' ' + row({low, high}));
    } else if (fate == Fate::no_hit) {
      add_no_hit(rows, panel, x, point.high);
    } else if (fate != Fate::hidden) {
      add_outside(rows, panel, point, x, fate);
    }
  }
  return rows;
}

std::vector<std::string> line_rows(const Panel& panel, const Series& series) {
  std::vector<std::string> rows;
  for (const Point& point : series.points) {
    const bool gap = panel.y.scale == Scale::log && point.y <= 0;
    rows.push_back(gap ? std::string() : place(panel, point.x, point.y));
  }
  return rows;
}

}  // namespace bloomlab::analysis::plot
