#include "analysis/plot/labels.hpp"

#include <algorithm>
#include <cstddef>

#include "analysis/plot/style.hpp"
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

  /// Takes the best of the boxes, earlier ones first among equals, and returns it.
  Box take(const std::vector<Box>& candidates) {
    const auto best = std::min_element(
        candidates.begin(), candidates.end(),
        [&](const Box& left, const Box& right) { return cost(left) < cost(right); });
    boxes_.push_back(*best);
    return *best;
  }

 private:
  [[nodiscard]] long cost(const Box& box) const {
    constexpr long over_text = 1000;
    constexpr long over_line = 8;
    const Box& frame = panel_.box;
    long sum = std::count_if(pixels_.begin(), pixels_.end(),
                             [&](const Pixel& pixel) { return box.contains(pixel); });
    if (box.left < frame.left || box.right() > frame.right() + 20) sum += over_text;
    if (box.top < frame.top || box.bottom() > frame.bottom()) sum += over_text;
    for (const Box& other : boxes_) {
      const bool apart = other.left > box.right() || box.left > other.right() ||
                         other.top > box.bottom() || box.top > other.bottom();
      if (!apart) sum += over_text;
    }
    for (const Stroke& stroke : strokes_) {
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
  constexpr int rows = 4;
  for (int row = 0; row < rows; ++row) {
    const double top = frame.top + 4 + row * height;
    boxes.push_back({stroke.from.across + gap, top, width, height});
    boxes.push_back({stroke.from.across - gap - width, top, width, height});
  }
  const double low = frame.bottom() - 4 - height;
  boxes.push_back({stroke.from.across + gap, low, width, height});
  boxes.push_back({stroke.from.across - gap - width, low, width, height});
  return boxes;
}

std::vector<Box> beside_horizontal(const Stroke& stroke, const Box& frame, double width) {
  std::vector<Box> boxes;
  for (const double share : {1.0, 0.0, 0.75, 0.25, 0.5}) {
    const double left = frame.left + gap + share * (frame.width - 2 * gap - width);
    boxes.push_back({left, stroke.from.down - height - 1, width, height});
    boxes.push_back({left, stroke.from.down + 2, width, height});
  }
  return boxes;
}

std::vector<Box> around(Pixel pixel, double width) {
  constexpr double off = 11;
  constexpr double aside = 5;
  const double middle = pixel.down - height / 2;
  const double above = pixel.down - off - height;
  const double below = pixel.down + off;
  return {{pixel.across + off, middle, width, height},
          {pixel.across - off - width, middle, width, height},
          {pixel.across - width / 2, above, width, height},
          {pixel.across - width / 2, below, width, height},
          {pixel.across - aside - width, above, width, height},
          {pixel.across + aside, above, width, height},
          {pixel.across - aside - width, below, width, height},
          {pixel.across + aside, below, width, height}};
}

PlacedLabel in_box(const std::string& text, const Box& box) {
  return {text, {box.left, box.top + box.height / 2}};
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
    labels.push_back(in_box(
        marker.label, occupied.take(vertical ? beside_vertical(*stroke, panel.box, width)
                                             : beside_horizontal(*stroke, panel.box, width))));
  }
  for (const Series& one : series) {
    for (const Point& point : one.points) {
      if (point.label.empty() || panel.fate(point) != Fate::inside) continue;
      const double width = text_width(point.label, style::note_size);
      labels.push_back(
          in_box(point.label, occupied.take(around(panel.pixel(point.x, point.y), width))));
    }
  }
  return labels;
}

}  // namespace bloomlab::analysis::plot
