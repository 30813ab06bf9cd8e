#include "analysis/plot/style.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <string_view>

#include "analysis/plot/labels.hpp"
#include "analysis/plot/text.hpp"

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

Sample sample_of(const Series& series, const GroupStyle& group) {
  Sample sample{group.colour};
  if (series.kind == Kind::points) {
    sample.symbol = is_filled(series) ? group.symbol : group.open_symbol;
    sample.interval = std::any_of(series.points.begin(), series.points.end(),
                                  [](const Point& point) { return point.low < point.high; });
  } else {
    sample.dash = line_dash(series, group);
    sample.width = line_width(series);
  }
  return sample;
}

/// A group's sample: its symbol if it has points, otherwise its line.
Sample group_sample(const Figure& figure, const Styles& styles, const std::string& key) {
  Sample sample;
  for (const Series& series : figure.series) {
    if (style_key(series) != key) continue;
    const Sample other = sample_of(series, styles.of(series));
    const auto rank = [](const Sample& one) {
      return one.symbol != 0 ? 2 : !one.dash.empty() ? 1 : 0;
    };
    if (rank(other) > rank(sample)) sample = other;
  }
  sample.interval = false;
  return sample;
}

void add_groups(std::vector<LegendEntry>& entries, const Figure& figure, const Styles& styles) {
  std::set<std::string> seen;
  for (const Series& series : figure.series) {
    if (series.group.empty() || !seen.insert(series.group).second) continue;
    entries.push_back({series.group, group_sample(figure, styles, style_key(series))});
  }
}

/// Whether the panel itself has the series' own name.
bool is_named_in_panel(const Series& series, const Styles& styles, const Panel& panel) {
  if (!series.group.empty()) return false;
  if (styles.naming == Naming::points) return series.kind == Kind::points;
  return is_named_at_end(styles, panel, series);
}

void add_names(std::vector<LegendEntry>& entries, const Figure& figure, const Styles& styles,
               const Panel& panel) {
  std::set<std::string> seen;
  for (const Series& series : figure.series) {
    if (is_named_in_panel(series, styles, panel)) continue;
    if (!seen.insert(series.name).second) continue;
    Sample sample = sample_of(series, styles.of(series));
    if (!series.group.empty()) {
      sample.colour = style::grey_ink;
      // The symbol differs between groups; a circle stands for all of them.
      if (sample.symbol != 0) sample.symbol = is_filled(series) ? 7 : 6;
    }
    entries.push_back({series.name, sample});
  }
}

/// `panels` are those of the series, by their numbers.
bool any_fate(const std::vector<Series>& all, const std::vector<Panel>& panels,
              const std::set<Fate>& fates) {
  for (const Series& series : all) {
    const Panel& panel = panels.at(series.panel);
    if (series.kind != Kind::points) continue;
    for (const Point& point : series.points) {
      if (fates.contains(panel.fate(point))) return true;
    }
  }
  return false;
}

}  // namespace

bool is_grey(const Series& series) {
  return series.group.empty() && series.role == Role::reference;
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

std::vector<LegendEntry> legend_entries(const Figure& figure, const Styles& styles,
                                        const std::vector<Panel>& panels) {
  std::vector<LegendEntry> entries;
  if (styles.naming == Naming::legend) add_groups(entries, figure, styles);
  add_names(entries, figure, styles, panels.front());
  if (any_fate(figure.series, panels, {Fate::no_hit})) {
    Sample sample{style::grey_ink};
    sample.arrow = Arrow::open_down;
    entries.push_back({figure.words.no_hit, sample});
  }
  const std::set<Fate> outside = {Fate::below, Fate::above};
  if (any_fate(figure.series, panels, outside) ||
      (figure.ratio && any_fate(figure.ratio->series, {panels.back()}, outside))) {
    Sample sample{style::grey_ink};
    sample.arrow = Arrow::filled_up;
    entries.push_back({figure.words.outside, sample});
  }
  if (figure.ratio && figure.ratio->band > 0) {
    Sample sample{style::band_ink};
    sample.band = true;
    entries.push_back({"\u00B1" + shortest_label(100 * figure.ratio->band) + " %", sample});
  }
  if (styles.naming == Naming::ends && styles.keys.size() > most_ends) {
    entries.push_back({figure.words.unnamed, Sample{style::grey_ink}});
  }
  return entries;
}

int flow_legend(std::vector<LegendEntry>& entries, double left, double right) {
  constexpr double gap = 26;
  double at = left;
  int row = 0;
  int rows = 0;
  for (LegendEntry& entry : entries) {
    entry.lines = wrap_text(entry.text, right - left - sample_space, style::label_size);
    double width = 0;
    for (const std::string& line : entry.lines) {
      width = std::max(width, sample_space + text_width(line, style::label_size));
    }
    if (at > left && at + width > right) {
      at = left;
      row = rows;
    }
    entry.left = at;
    entry.row = row;
    rows = std::max(rows, row + static_cast<int>(entry.lines.size()));
    at += width + gap;
  }
  return rows;
}

}  // namespace bloomlab::analysis::plot
