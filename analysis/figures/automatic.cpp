#include "analysis/figures/automatic.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/data/axes.hpp"
#include "analysis/figures/facets.hpp"
#include "analysis/figures/rate_figure.hpp"

namespace bloomlab::analysis {

namespace {

constexpr std::string_view inserted = "inserted";

/// The axes that make curves: all but x itself, and those that x settles (m = 8 n, for example).
std::vector<Axis> curve_axes(const Experiment& experiment, const std::vector<Axis>& axes,
                             const std::string& x) {
  std::vector<Axis> curves;
  for (const Axis& axis : axes) {
    if (axis.path != x && (x.empty() || !settled_by(experiment.measurements, axis.path, x))) {
      curves.push_back(axis);
    }
  }
  return curves;
}

bool is_integer_axis(const Axis& axis) {
  return std::all_of(axis.values.begin(), axis.values.end(), [](const Json& value) {
    return value.is_null() || as_count(value).value_or(0) > 0;
  });
}

/// Whether the closed form may be drawn by moving this one number of a cell alone: nothing else of
/// the cell moves with it.
bool moves_alone(const Experiment& experiment, const std::vector<Axis>& axes, const Axis& x) {
  return is_integer_axis(x) && std::none_of(axes.begin(), axes.end(), [&](const Axis& axis) {
           return axis.path != x.path && axis.numeric &&
                  settled_by(experiment.measurements, axis.path, x.path);
         });
}

std::vector<double> places(const Experiment& experiment, const RateFigure& layout) {
  std::vector<double> values;
  for (const Measurement& measurement : experiment.measurements) {
    const double x = layout.x(measurement);
    if (std::isfinite(x)) values.push_back(x);
  }
  return values;
}

/// The stem as a figure may be called: other bytes than letters, digits, '_' and '-' as -xHH.
std::string figure_name(const std::string& stem) {
  static constexpr std::string_view hex = "0123456789ABCDEF";
  std::string name;
  for (const char letter : stem) {
    const auto byte = static_cast<unsigned char>(letter);
    if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
        (byte >= 'a' && byte <= 'z') || letter == '_' || letter == '-') {
      name += letter;
    } else {
      name.append("-x").append(1, hex[byte / 16]).append(1, hex[byte % 16]);
    }
  }
  return name;
}

}  // namespace

std::vector<plot::Figure> automatic_figures(const Experiment& experiment, const Words& words) {
  const std::vector<Axis> axes = axes_of(experiment.measurements);
  const bool grows = experiment.measurements.front().step.has_value();
  const auto numeric =
      std::find_if(axes.begin(), axes.end(), [](const Axis& axis) { return axis.numeric; });
  if (!grows && numeric == axes.end()) return {};
  RateFigure layout{.name = figure_name(experiment.stem), .title = experiment.title, .x_label = {}};
  const std::string path = grows ? std::string() : numeric->path;
  if (grows) {
    layout.x_label = words("axis.inserted");
    layout.x = [](const Measurement& m) { return static_cast<double>(m.inserted()); };
    layout.dense_along = inserted;
  } else {
    layout.x_label = axis_label(path);
    layout.x = [path](const Measurement& m) { return number_at(m.cell, path); };
    if (moves_alone(experiment, axes, *numeric)) layout.dense_along = path;
  }
  layout.group = [curves = curve_axes(experiment, axes, path)](const Measurement& m) {
    return label_of(m.cell, curves);
  };
  const std::vector<double> values = places(experiment, layout);
  if (values.empty()) return {};
  layout.x_scale = scale_for(values);
  return faceted(rate_figure(experiment, words, layout), words);
}

}  // namespace bloomlab::analysis
