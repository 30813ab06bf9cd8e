// From data to an axis: the range it shows, and where its numbers stand.
#pragma once

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

}  // namespace bloomlab::analysis::plot
