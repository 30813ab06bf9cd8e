#include "analysis/plot/style.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <string_view>

namespace bloomlab::analysis::plot {

namespace {

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
