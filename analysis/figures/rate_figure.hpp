// The common shape of a figure of rates: measured points with intervals, the closed form as a line,
// and below them measured over theory.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/content.hpp"

namespace bloomlab::analysis {

/// What differs between figures of rates.
struct RateFigure {
  std::string name;  ///< file stem
  std::string title;
  std::string x_label;
  plot::Scale x_scale = plot::Scale::linear;
  /// Where a measurement stands.
  std::function<double(const Measurement&)> x = {};
  /// The curve that it belongs to.
  std::function<std::string(const Measurement&)> group = {};
  /// Where the closed form of a measurement stands; `x` if empty.
  std::function<double(const Measurement&)> theory_x = {};
  /// JSON pointer of the integer that x is, to draw the closed form densely; "inserted" moves along
  /// the keys of a growing filter; empty: the form is drawn at the measured places.
  std::string dense_along = {};
  /// Printed beside a point; few, and short.
  std::function<std::string(const Measurement&)> point_label = {};
  std::vector<plot::Marker> markers = {};
  bool with_ratio = true;
};

/// Draws every measurement that has an estimate and a place on the axis.
[[nodiscard]] plot::Figure rate_figure(const Experiment& experiment, const Words& words,
                                       const RateFigure& layout);

/// The caption of a figure of rates: what points and bars are, and lines if `key` does not end in
/// ".points", and the result file.
[[nodiscard]] std::string figure_caption(const Experiment& experiment, const Words& words,
                                         std::string_view key = "figure.caption");

/// What the drawing itself says, in the report's language.
[[nodiscard]] plot::Words figure_words(const Words& words);

/// "m [bits]": a place of a cell with its unit.
[[nodiscard]] std::string axis_label(const std::string& path);

/// Logarithmic where the values span more than a decade and all are above 0.
[[nodiscard]] plot::Scale scale_for(const std::vector<double>& values);

/// `count` values from `low` to `high`, both included: each integer where there are few, else
/// spaced evenly in the logarithm; rising, without repetition. 1 <= low <= high.
[[nodiscard]] std::vector<std::uint64_t> spread(std::uint64_t low, std::uint64_t high,
                                                std::size_t count);

}  // namespace bloomlab::analysis
