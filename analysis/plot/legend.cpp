#include "analysis/plot/legend.hpp"

#include <algorithm>
#include <set>

#include "analysis/plot/labels.hpp"
#include "analysis/plot/text.hpp"

namespace bloomlab::analysis::plot {

namespace {

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
