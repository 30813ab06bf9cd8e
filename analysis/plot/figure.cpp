#include "analysis/plot/figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

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

struct Symbol {
  int filled;
  int open;
};

constexpr std::array<const char*, 7> okabe_ito = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000"};
/// Six to seven colours: 42 groups pass before a pair comes again.
constexpr std::array<Symbol, 6> symbols = {{{7, 6}, {5, 4}, {9, 8}, {13, 12}, {15, 14}, {11, 10}}};
constexpr const char* solid = "solid";
constexpr std::array<const char*, 4> dashes = {solid, "(14,6)", "(4,5)", "(16,5,4,5)"};

struct Rgb {
  int red;
  int green;
  int blue;
};

/// Viridis at 0, 0.1, ..., 0.8.
constexpr std::array<Rgb, 9> viridis = {{{0x44, 0x01, 0x54},
                                         {0x48, 0x24, 0x75},
                                         {0x41, 0x44, 0x87},
                                         {0x35, 0x5f, 0x8d},
                                         {0x2a, 0x78, 0x8e},
                                         {0x21, 0x91, 0x8c},
                                         {0x22, 0xa8, 0x84},
                                         {0x44, 0xbf, 0x70},
                                         {0x7a, 0xd1, 0x51}}};

std::string hex_byte(double value) {
  constexpr const char* digits = "0123456789abcdef";
  const int byte = static_cast<int>(std::lround(value));
  return {digits[byte / 16], digits[byte % 16]};
}

/// The figure's series and those of its ratio panel.
std::vector<const Series*> all_series(const Figure& figure) {
  std::vector<const Series*> all;
  for (const Series& series : figure.series) all.push_back(&series);
  if (figure.ratio) {
    for (const Series& series : figure.ratio->series) all.push_back(&series);
  }
  return all;
}

/// Groups that hold a series of this kind of role; points only, or everything but points.
std::set<std::string> keys_with(const std::vector<const Series*>& all, Role role, bool points) {
  std::set<std::string> keys;
  for (const Series* series : all) {
    if (series->role == role && (series->kind == Kind::points) == points) {
      keys.insert(style_key(*series));
    }
  }
  return keys;
}

void give_colours(Styles& styles) {
  const std::size_t groups = styles.keys.size();
  for (std::size_t i = 0; i < groups; ++i) {
    GroupStyle& group = styles.by_key[styles.keys[i]];
    if (styles.sequential) {
      group.symbol = symbols[0].filled;
      group.open_symbol = symbols[0].open;
      group.colour = sequential_colour(
          groups > 1 ? static_cast<double>(i) / static_cast<double>(groups - 1) : 0);
      continue;
    }
    const Symbol& symbol = symbols[i % symbols.size()];
    group.colour = okabe_ito[i % okabe_ito.size()];
    group.symbol = symbol.filled;
    group.open_symbol = symbol.open;
  }
}

/// What is left of a name without its numbers: equal for "k = 1" and "k = 12".
std::string without_numbers(const std::string& key) {
  std::string text;
  for (const char character : key) {
    if (std::string_view("0123456789.").find(character) == std::string_view::npos) {
      text += character;
    }
  }
  return text;
}

/// Many groups that have an order.
bool needs_sequence(const std::vector<std::string>& keys) {
  return keys.size() > okabe_ito.size() &&
         std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
           return without_numbers(key) == without_numbers(keys.front());
         });
}

/// Three or more groups of a few points each, and nothing but references beside them.
bool is_scatter(const Figure& figure, const Styles& styles) {
  constexpr std::size_t few = 3;
  std::map<std::string, std::size_t> points;
  for (const Series& series : figure.series) {
    if (is_grey(series)) continue;
    if (series.kind != Kind::points || series.joined) return false;
    for (const Point& point : series.points) {
      if (!point.label.empty()) return false;
    }
    points[style_key(series)] += series.points.size();
  }
  return styles.keys.size() >= few && !figure.ratio &&
         std::all_of(points.begin(), points.end(),
                     [](const auto& entry) { return entry.second <= few; });
}

Naming naming_of(const Figure& figure, const Styles& styles) {
  constexpr std::size_t most_in_a_legend = 8;
  if (!figure.x.categories.empty() || !figure.panels.empty()) return Naming::legend;
  if (is_scatter(figure, styles)) return Naming::points;
  std::set<std::string> grey;  // lines that look alike can only be told by where their names stand
  for (const Series& series : figure.series) {
    if (is_grey(series)) grey.insert(series.name);
  }
  const bool many = styles.sequential || styles.keys.size() > most_in_a_legend || grey.size() > 1;
  return many ? Naming::ends : Naming::legend;
}

/// A measured line is distinguished from its own theory by the theory's dashes; lines with neither
/// symbols nor theory are distinguished from each other by theirs.
void give_dashes(Styles& styles, const std::vector<const Series*>& all) {
  const std::set<std::string> dotted = keys_with(all, Role::measured, true);
  const std::set<std::string> measured_lines = keys_with(all, Role::measured, false);
  const std::set<std::string> theory_lines = keys_with(all, Role::theory, false);
  std::size_t bare = 0;
  for (const std::string& key : styles.keys) {
    GroupStyle& group = styles.by_key[key];
    const bool both = measured_lines.contains(key) && theory_lines.contains(key);
    const bool alone = !dotted.contains(key) && !both && !styles.sequential;
    group.dash = alone ? dashes[bare++ % dashes.size()] : solid;
    group.theory_dash = both ? dashes[1] : group.dash;
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

bool is_filled(const Series& series) { return series.role == Role::measured && !series.open; }

std::string style_key(const Series& series) {
  return series.group.empty() ? "series " + series.name : "group " + series.group;
}

std::string sequential_colour(double fraction) {
  const double place = std::clamp(fraction, 0.0, 1.0) * (viridis.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), viridis.size() - 2);
  const double share = place - static_cast<double>(below);
  const auto mix = [&](int Rgb::*part) {
    return hex_byte(viridis[below].*part * (1 - share) + viridis[below + 1].*part * share);
  };
  std::string colour = "#";
  for (const auto part : {&Rgb::red, &Rgb::green, &Rgb::blue}) colour += mix(part);
  return colour;
}

Styles assign_styles(const Figure& figure) {
  Styles styles;
  const std::vector<const Series*> all = all_series(figure);
  for (const Series* series : all) {
    const std::string key = style_key(*series);
    if (styles.by_key.contains(key)) continue;
    styles.by_key[key] = {style::reference_grey, 2, 6, dashes[2], dashes[2]};
    if (!is_grey(*series)) styles.keys.push_back(key);
  }
  styles.sequential = figure.palette == Palette::sequential ||
                      (figure.palette == Palette::automatic && needs_sequence(styles.keys));
  give_colours(styles);
  give_dashes(styles, all);
  styles.naming = naming_of(figure, styles);
  return styles;
}

std::string line_dash(const Series& series, const GroupStyle& group) {
  if (series.role == Role::reference) return dashes[2];
  return series.role == Role::theory ? group.theory_dash : group.dash;
}

double line_width(const Series& series) { return series.role == Role::measured ? 2.6 : 1.8; }

}  // namespace bloomlab::analysis::plot
