#include "analysis/plot/legend.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "analysis/plot/text.hpp"

namespace bloomlab::analysis::plot {
namespace {

Sample sample_of(const Series& series, const GroupStyle& group) {
  Sample sample{group.colour};
  if (series.kind == Kind::points) {
    const bool filled = series.role == Role::measured;
    sample.symbol = filled ? group.symbol : group.open_symbol;
    sample.interval = std::any_of(series.points.begin(), series.points.end(),
                                  [](const Point& point) { return point.low < point.high; });
  } else if (series.kind == Kind::band) {
    sample.band = true;
  } else {
    sample.dash = line_dash(series, group);
    sample.width = line_width(series);
  }
  return sample;
}

/// A group's sample: its symbol if it has points, otherwise its line, otherwise its area.
Sample group_sample(const Figure& figure, const Styles& styles, const std::string& key) {
  Sample sample;
  for (const Series& series : figure.series) {
    if (style_key(series) != key) continue;
    const Sample other = sample_of(series, styles.of(series));
    const auto rank = [](const Sample& one) {
      return one.symbol != 0 ? 3 : !one.dash.empty() ? 2 : one.band ? 1 : 0;
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

void add_names(std::vector<LegendEntry>& entries, const Figure& figure, const Styles& styles) {
  std::set<std::string> seen;
  for (const Series& series : figure.series) {
    // A sequential palette names these at the ends of their curves.
    if (styles.sequential && series.group.empty() && series.role != Role::reference) continue;
    if (!seen.insert(series.name).second) continue;
    Sample sample = sample_of(series, styles.of(series));
    if (!series.group.empty()) {
      sample.colour = style::grey_ink;
      // The symbol differs between groups; a circle stands for all of them.
      if (sample.symbol != 0) sample.symbol = series.role == Role::measured ? 7 : 6;
    }
    entries.push_back({series.name, sample});
  }
}

bool any_fate(const std::vector<Series>& all, const Panel& panel, const std::set<Fate>& fates) {
  for (const Series& series : all) {
    if (series.kind != Kind::points) continue;
    for (const Point& point : series.points) {
      if (fates.contains(panel.fate(point))) return true;
    }
  }
  return false;
}

/// The last point of the group's densest curve that the panel shows at its right end.
bool curve_end(const Figure& figure, const Panel& panel, const std::string& key, EndLabel& label) {
  const Series* best = nullptr;
  for (const Series& series : figure.series) {
    if (style_key(series) != key || series.points.empty()) continue;
    if (best == nullptr || series.points.size() > best->points.size()) best = &series;
  }
  if (best == nullptr) return false;
  const Point& last = best->points.back();
  if (panel.fate(last) != Fate::inside) return false;
  label = {best->group.empty() ? best->name : best->group, panel.pixel(last.x, last.y)};
  return true;
}

/// Labels that are pushed apart together, and where the first of them then stands.
struct Cluster {
  double sum = 0;  ///< of the places wanted, each less what those above it take
  double count = 0;

  [[nodiscard]] double place() const { return sum / count; }
};

/// The labels from top to bottom, moved by least squares until none touches another (pool adjacent
/// violators: Ayer et al., 1955); nothing where one of them would leave its curve.
std::optional<std::vector<EndLabel>> spread_apart(std::vector<EndLabel> labels) {
  constexpr double apart = 1.2 * style::note_size;
  constexpr double farthest = 0.65 * style::note_size;
  std::stable_sort(labels.begin(), labels.end(), [](const EndLabel& above, const EndLabel& below) {
    return above.at.down < below.at.down;
  });
  std::vector<Cluster> clusters;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    clusters.push_back({labels[i].at.down - static_cast<double>(i) * apart, 1});
    while (clusters.size() > 1 && clusters.back().place() < clusters[clusters.size() - 2].place()) {
      const Cluster last = clusters.back();
      clusters.pop_back();
      clusters.back().sum += last.sum;
      clusters.back().count += last.count;
    }
  }
  std::size_t i = 0;
  for (const Cluster& cluster : clusters) {
    for (double of = 0; of < cluster.count; ++of, ++i) {
      const double down = cluster.place() + static_cast<double>(i) * apart;
      if (std::abs(down - labels[i].at.down) > farthest) return std::nullopt;
      labels[i].at.down = down;
    }
  }
  return labels;
}

}  // namespace

std::vector<LegendEntry> legend_entries(const Figure& figure, const Styles& styles,
                                        const std::vector<Panel>& panels) {
  std::vector<LegendEntry> entries;
  if (!styles.sequential) add_groups(entries, figure, styles);
  add_names(entries, figure, styles);
  if (any_fate(figure.series, panels.front(), {Fate::no_hit})) {
    Sample sample{style::grey_ink};
    sample.arrow = Arrow::open_down;
    entries.push_back({figure.words.no_hit, sample});
  }
  const std::set<Fate> outside = {Fate::below, Fate::above};
  if (any_fate(figure.series, panels.front(), outside) ||
      (figure.ratio && any_fate(figure.ratio->series, panels.back(), outside))) {
    Sample sample{style::grey_ink};
    sample.arrow = Arrow::filled_up;
    entries.push_back({figure.words.outside, sample});
  }
  return entries;
}

int flow_legend(std::vector<LegendEntry>& entries, double left, double right) {
  constexpr double gap = 26;
  double at = left;
  int row = 0;
  for (LegendEntry& entry : entries) {
    const double width = sample_space + text_width(entry.text, style::label_size);
    if (at > left && at + width > right) {
      at = left;
      ++row;
    }
    entry.left = at;
    entry.row = row;
    at += width + gap;
  }
  return entries.empty() ? 0 : row + 1;
}

std::vector<EndLabel> end_labels(const Figure& figure, const Styles& styles, const Panel& panel) {
  if (!styles.sequential) return {};
  std::vector<EndLabel> candidates;
  for (const std::string& key : styles.keys) {
    EndLabel label;
    if (curve_end(figure, panel, key, label)) candidates.push_back(label);
  }
  // First and last come first; then every other one that finds room.
  if (candidates.size() > 2) {
    std::rotate(candidates.begin() + 1, candidates.end() - 1, candidates.end());
  }
  std::vector<EndLabel> labels;
  std::vector<EndLabel> placed;
  for (const EndLabel& candidate : candidates) {
    labels.push_back(candidate);
    if (auto spread = spread_apart(labels)) {
      placed = std::move(*spread);
    } else {
      labels.pop_back();
    }
  }
  return placed;
}

}  // namespace bloomlab::analysis::plot
