#include "analysis/plot/ends.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

namespace bloomlab::analysis::plot {
namespace {

constexpr double apart = 1.2 * style::note_size;
constexpr double symbol_space = 8;

/// A place where a group may be named; greater is better.
struct End {
  int seen = 0;  ///< 2: drawn where it is; 1: an arrow stands for it
  double x = 0;
  std::size_t density = 0;  ///< a curve comes before its measurements, then the denser one
  Pixel pixel;

  [[nodiscard]] bool operator<(const End& other) const {
    if (seen != other.seen) return seen < other.seen;
    return x != other.x ? x < other.x : density < other.density;
  }
};

std::optional<End> end_at(const Panel& panel, const Series& series, const Point& point) {
  const Fate fate = panel.fate(point);
  const bool curve = series.kind != Kind::points;
  if (fate == Fate::hidden || (curve && fate != Fate::inside)) return std::nullopt;
  Pixel pixel = *panel.seen_at(point);
  pixel.across += curve ? 2 : symbol_space;
  return End{fate == Fate::inside ? 2 : 1, point.x, 2 * series.points.size() + (curve ? 1 : 0),
             pixel};
}

End end_of(const Panel& panel, const Series& series) {
  End best;
  for (const Point& point : series.points) {
    const auto end = end_at(panel, series, point);
    if (end && !(*end < best)) best = *end;
  }
  return best;
}

/// The first, the last and as many between as may be named, evenly.
void thin_out(std::vector<EndLabel>& labels) {
  if (labels.size() <= most_ends) return;
  std::vector<EndLabel> kept;
  for (std::size_t i = 0; i < most_ends; ++i) {
    kept.push_back(labels[i * (labels.size() - 1) / (most_ends - 1)]);
  }
  labels = std::move(kept);
}

/// Labels that are pushed apart together, and where the first of them then stands.
struct Cluster {
  double sum = 0;  ///< of the places wanted, each less what those above it take
  double count = 0;

  [[nodiscard]] double place() const { return sum / count; }
};

/// The labels from top to bottom, moved by least squares until none touches another (pool adjacent
/// violators: Ayer et al., 1955), then into the box.
void spread_apart(std::vector<EndLabel>& labels, const Box& box) {
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
  const double room = std::max(0.0, box.height - ends_height(labels.size()));
  std::size_t i = 0;
  for (const Cluster& cluster : clusters) {
    const double first =
        std::clamp(cluster.place(), box.top + apart / 2, box.top + apart / 2 + room);
    for (double of = 0; of < cluster.count; ++of, ++i) {
      labels[i].at.down = first + static_cast<double>(i) * apart;
    }
  }
}

}  // namespace

double ends_height(std::size_t labels) { return static_cast<double>(labels) * apart; }

bool is_named_at_end(const Styles& styles, const Panel& panel, const Series& series) {
  constexpr double near_end = 0.85;  // of the panel's width
  if (styles.naming != Naming::ends) return false;
  if (!is_grey(series)) return true;
  const End end = end_of(panel, series);
  return end.seen == 2 && panel.x.fraction(end.x) > near_end;
}

std::vector<EndLabel> end_labels(const Figure& figure, const Styles& styles, const Panel& panel) {
  std::vector<std::string> keys;  // by first appearance
  std::map<std::string, End> ends;
  std::map<std::string, EndLabel> by_key;
  for (const Series& series : figure.series) {
    if (!is_named_at_end(styles, panel, series)) continue;
    const End end = end_of(panel, series);
    const std::string key = style_key(series);
    if (!ends.contains(key)) keys.push_back(key);
    if (end < ends[key] || end.seen == 0) continue;
    ends[key] = end;
    by_key[key] = {series.group.empty() ? series.name : series.group,
                   styles.of(series).colour,
                   {panel.box.right() + ends_space, end.pixel.down},
                   end.pixel};
  }
  std::vector<EndLabel> labels;
  for (const std::string& key : keys) {
    if (by_key.contains(key)) labels.push_back(by_key.at(key));
  }
  thin_out(labels);
  spread_apart(labels, panel.box);
  return labels;
}

}  // namespace bloomlab::analysis::plot
