#include "analysis/plot/labels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>

#include "analysis/plot/figure.hpp"
#include "analysis/plot/text.hpp"

namespace bloomlab::analysis::plot {

namespace {

constexpr double height = style::line_height * style::note_size;
constexpr double gap = 7;

/// What is drawn already, and what was put on top of it.
class Occupied {
 public:
  Occupied(const Panel& panel, const std::vector<Series>& series,
           const std::vector<Marker>& markers)
      : panel_(panel), pixels_(covered_pixels(panel, series)) {
    for (const Marker& marker : markers) {
      if (const auto stroke = marker_stroke(panel, marker)) strokes_.push_back(*stroke);
    }
  }

  /// Takes the first of the boxes that covers nothing, or that which covers least, and returns it.
  Box take(const std::vector<Box>& candidates) {
    const Box* best = nullptr;
    long least = 0;
    for (const Box& candidate : candidates) {
      const long sum = cost(candidate);
      if (best != nullptr && sum >= least) continue;
      best = &candidate;
      least = sum;
      if (sum == 0) break;
    }
    boxes_.push_back(*best);
    return *best;
  }

  void add(const Stroke& stroke) { strokes_.push_back(stroke); }

 private:
  [[nodiscard]] long cost(const Box& box) const {
    constexpr long over_text = 1000;
    constexpr long over_line = 8;
    constexpr double word_space = 5;
    const Box& frame = panel_.box;
    long sum = std::count_if(pixels_.begin(), pixels_.end(),
                             [&](const Pixel& pixel) { return box.contains(pixel); });
    if (box.left < frame.left || box.right() > frame.right() + 20) sum += over_text;
    if (box.top < frame.top || box.bottom() > frame.bottom()) sum += over_text;
    for (const Box& other : boxes_) {
      const bool apart = other.left > box.right() + word_space ||
                         box.left > other.right() + word_space || other.top > box.bottom() ||
                         box.top > other.bottom();
      if (!apart) sum += over_text;
    }
    for (const Stroke& stroke : strokes_) {  // upright or level, but for leaders
      const bool crosses = std::max(stroke.from.across, stroke.to.across) >= box.left &&
                           std::min(stroke.from.across, stroke.to.across) <= box.right() &&
                           std::max(stroke.from.down, stroke.to.down) >= box.top &&
                           std::min(stroke.from.down, stroke.to.down) <= box.bottom();
      if (crosses) sum += over_line;
    }
    return sum;
  }

  const Panel& panel_;
  std::vector<Pixel> pixels_;
  std::vector<Stroke> strokes_;
  std::vector<Box> boxes_;
};

std::vector<Box> beside_vertical(const Stroke& stroke, const Box& frame, double width) {
  std::vector<Box> boxes;
  for (double top = frame.top + 4; top + height < frame.bottom(); top += height) {
    boxes.push_back({stroke.from.across + gap, top, width, height});
    boxes.push_back({stroke.from.across - gap - width, top, width, height});
  }
  return boxes;
}

std::vector<Box> beside_horizontal(const Stroke& stroke, const Box& frame, double width) {
  std::vector<Box> boxes;
  for (const double share : {1.0, 0.0, 0.75, 0.25, 0.5, 0.875, 0.125, 0.625, 0.375}) {
    const double left = frame.left + gap + share * (frame.width - 2 * gap - width);
    boxes.push_back({left, stroke.from.down - height - 1, width, height});
    boxes.push_back({left, stroke.from.down + 2, width, height});
  }
  return boxes;
}

/// From the pixel to the middle of the nearer end of the box.
double distance(const Box& box, Pixel pixel) {
  const double aside = std::max({box.left - pixel.across, pixel.across - box.right(), 0.0});
  return std::hypot(aside, box.top + box.height / 2 - pixel.down);
}

/// Close to the pixel, then anywhere, the nearer the sooner.
std::vector<Box> around(Pixel pixel, double width, const Box& frame) {
  constexpr double off = 11;
  constexpr double aside = 5;
  const double middle = pixel.down - height / 2;
  const double above = pixel.down - off - height;
  const double below = pixel.down + off;
  std::vector<Box> boxes = {{pixel.across + off, middle, width, height},
                            {pixel.across - off - width, middle, width, height},
                            {pixel.across - width / 2, above, width, height},
                            {pixel.across - width / 2, below, width, height},
                            {pixel.across - aside - width, above, width, height},
                            {pixel.across + aside, above, width, height},
                            {pixel.across - aside - width, below, width, height},
                            {pixel.across + aside, below, width, height}};
  const std::size_t near = boxes.size();
  for (double down = frame.top; down + height <= frame.bottom(); down += height) {
    for (double across = frame.left + 4; across + width <= frame.right(); across += height) {
      boxes.push_back({across, down, width, height});
    }
  }
  std::stable_sort(boxes.begin() + static_cast<std::ptrdiff_t>(near), boxes.end(),
                   [&](const Box& one, const Box& other) {
                     return distance(one, pixel) < distance(other, pixel);
                   });
  return boxes;
}

/// A text in a box beside the point: the end that is nearer to the point keeps its place.
Anchor anchor_beside(const Box& box, Pixel point) {
  if (box.left > point.across) return Anchor::left;
  return box.right() < point.across ? Anchor::right : Anchor::middle;
}

/// From the point to the nearer side of the label; nothing where that is beside the point.
std::optional<Stroke> leader_to(const PlacedLabel& label, Pixel point) {
  constexpr double beside = 16;
  constexpr double symbol = 7;
  constexpr double air = 3;
  constexpr double narrowest = 0.4;  // of the width, either side of the middle, in any usual font
  const Box& box = label.box;
  Pixel end = label.at();
  if (label.anchor == Anchor::middle) {
    const double reach = narrowest * box.width;
    end.across = std::clamp(point.across, end.across - reach, end.across + reach);
    end.down = box.top > point.down ? box.top - air : box.bottom() + air;
  } else {
    end.across += label.anchor == Anchor::left ? -air : air;
  }
  const Pixel off{end.across - point.across, end.down - point.down};
  const double length = std::hypot(off.across, off.down);
  if (length < beside) return std::nullopt;
  const double share = symbol / length;
  return Stroke{{point.across + share * off.across, point.down + share * off.down}, end};
}

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

std::optional<Stroke> marker_stroke(const Panel& panel, const Marker& marker) {
  const bool along_x = marker.axis == MarkerAxis::x;
  const View& view = along_x ? panel.x : panel.y;
  if (!view.contains(marker.at)) return std::nullopt;
  const Pixel at =
      along_x ? panel.pixel(marker.at, panel.y.low) : panel.pixel(panel.x.low, marker.at);
  if (along_x != panel.lying) {
    return Stroke{{at.across, panel.box.top}, {at.across, panel.box.bottom()}};
  }
  return Stroke{{panel.box.left, at.down}, {panel.box.right(), at.down}};
}

std::vector<PlacedLabel> place_labels(const Panel& panel, const std::vector<Series>& series,
                                      const std::vector<Marker>& markers) {
  Occupied occupied(panel, series, markers);
  std::vector<PlacedLabel> labels;
  for (const Marker& marker : markers) {
    const auto stroke = marker_stroke(panel, marker);
    if (!stroke || marker.label.empty()) continue;
    const double width = text_width(marker.label, style::note_size);
    const bool vertical = stroke->from.across == stroke->to.across;
    const Box box = occupied.take(vertical ? beside_vertical(*stroke, panel.box, width)
                                           : beside_horizontal(*stroke, panel.box, width));
    labels.push_back(
        {marker.label, box, vertical ? anchor_beside(box, stroke->from) : Anchor::left});
  }
  for (const Series& one : series) {
    for (const Point& point : one.points) {
      const auto pixel = panel.seen_at(point);
      if (point.label.empty() || !pixel) continue;
      const double width = text_width(point.label, style::note_size);
      const Box box = occupied.take(around(*pixel, width, panel.box));
      labels.push_back({point.label, box, anchor_beside(box, *pixel)});
      labels.back().leader = leader_to(labels.back(), *pixel);
      if (labels.back().leader) occupied.add(*labels.back().leader);
    }
  }
  return labels;
}

std::vector<Series> named_at_points(std::vector<Series> all) {
  std::set<std::string> seen;
  for (Series& series : all) {
    if (series.kind != Kind::points || !seen.insert(style_key(series)).second) continue;
    series.points.front().label = series.group.empty() ? series.name : series.group;
  }
  return all;
}

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
