// From data to an axis: the range it shows, and where its numbers stand.
//
// One coordinate system of a figure: its rectangle on the canvas, where data falls in it, and the
// rows of gnuplot's data blocks that the points of a series become.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "analysis/plot/figure.hpp"

namespace bloomlab::analysis::plot {

/// The range that an axis shows; low < high, both > 0 on a log scale.
struct View {
  double low = 0;
  double high = 1;
  Scale scale = Scale::linear;

  /// 0 at `low`, 1 at `high`; beyond where the value is. `value` > 0 on a log scale.
  [[nodiscard]] double fraction(double value) const;

  /// The value at a fraction: the inverse of `fraction`.
  [[nodiscard]] double value(double fraction) const;

  [[nodiscard]] bool contains(double value) const { return value >= low && value <= high; }
};

/// A numbered tick; `label` is gnuplot's enhanced-mode markup without quotes.
struct Tick {
  double at = 0;
  std::string label;
};

/// All ticks of an axis.
struct Ticks {
  std::vector<Tick> major;
  std::vector<double> minor;  ///< without number
};

/// How the ends of a range that is not given are chosen.
enum class Ends {
  padded,   ///< the data and a little air: for what was set
  rounded,  ///< outward to round numbers, from 0 where 0 is near: for what came out
};

/// The range for the data from `least` to `greatest`, which the axis's own ends override.
[[nodiscard]] View find_view(const Axis& axis, double least, double greatest, Ends ends);

/// Ticks for an axis of `pixels` length with numbers at least `spacing` pixels apart.
[[nodiscard]] Ticks find_ticks(const View& view, double pixels, double spacing);

/// A place on the canvas [pixels], from its upper left corner.
struct Pixel {
  double across = 0;
  double down = 0;
};

/// A rectangle on the canvas [pixels].
struct Box {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;

  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
  [[nodiscard]] bool contains(Pixel pixel) const {
    return pixel.across >= left && pixel.across <= right() && pixel.down >= top &&
           pixel.down <= bottom();
  }
};

/// What becomes of a point in a panel.
enum class Fate {
  inside,  ///< drawn where it is
  no_hit,  ///< y = 0 on a log axis: an arrow hangs from its upper limit
  below,   ///< y left the panel: a triangle at the edge
  above,
  hidden,  ///< x is outside of the axis's range
};

/// A rectangle, the ranges of x and y, and whether x runs down its left side (categories).
struct Panel {
  Box box;
  View x;
  View y;
  bool lying = false;

  /// The pixel of a value pair; y > 0 on a log axis.
  [[nodiscard]] Pixel pixel(double x_value, double y_value) const;

  /// The y that lies `pixels` from `y_value` in the direction of smaller y.
  [[nodiscard]] double y_less_by(double y_value, double pixels) const;

  [[nodiscard]] Fate fate(const Point& point) const;

  /// Where the reader sees the point, or what stands for it; nothing where it is hidden.
  [[nodiscard]] std::optional<Pixel> seen_at(const Point& point) const;
};

/// The series, or the markers, of one small panel.
template <typename Part>
[[nodiscard]] std::vector<Part> of_panel(const std::vector<Part>& all, std::size_t panel) {
  std::vector<Part> own;
  std::copy_if(all.begin(), all.end(), std::back_inserter(own),
               [&](const Part& part) { return part.panel == panel; });
  return own;
}

/// The range of x over all series and markers of the figure.
[[nodiscard]] View x_view(const Figure& figure);

/// The range of y. On a log axis with measurements, theory and references reach at most a factor
/// four below the least measurement, and an interval likewise below its point.
[[nodiscard]] View y_view(const Figure& figure);

/// 1 and as much on either side as it takes: 90 % of the points and most of their intervals fit,
/// and the band fills at most two thirds.
[[nodiscard]] View ratio_view(const RatioPanel& panel);

/// Pixels that the series cover: every symbol, and lines at every few pixels. What a label had
/// better not hide.
[[nodiscard]] std::vector<Pixel> covered_pixels(const Panel& panel,
                                                const std::vector<Series>& series);

/// The rows of a series' points by their fate; each row is one line of numbers. A vector is
/// across, up, and its extent across and up.
struct PointRows {
  std::vector<std::string> inside;   ///< across, up, low, high
  std::vector<std::string> limit;    ///< vectors: the short bar at the upper limit of a no hit
  std::vector<std::string> arrow;    ///< vectors: the arrow that hangs from it
  std::vector<std::string> outside;  ///< vectors: the interval's part inside, to the edge left
};

/// Sorts the points of a series. `shift` moves them by pixels along x, to distinguish groups.
[[nodiscard]] PointRows point_rows(const Panel& panel, const Series& series, double shift);

/// The rows of a line or step: across, up; an empty row is a gap, where a log axis has no place
/// for the value.
[[nodiscard]] std::vector<std::string> line_rows(const Panel& panel, const Series& series);

}  // namespace bloomlab::analysis::plot
