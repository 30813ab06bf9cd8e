#include "analysis/pages/figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/data/measurement.hpp"
#include "analysis/data/with_theory.hpp"
#include "analysis/pages/render.hpp"
#include "analysis/text/utf8.hpp"
#include "record/number_text.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::pages {

namespace {

constexpr std::size_t dense_points = 80;

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

/// Whether the closed form may be drawn by moving this one number of a cell alone: it is a whole
/// number above 0, and nothing else of the cell moves with it.
bool moves_alone(const Experiment& experiment, const std::vector<Axis>& axes, const Axis& x) {
  const bool is_integer = std::ranges::all_of(x.values, [](const Json& value) {
    return value.is_null() || as_count(value).value_or(0) > 0;
  });
  return is_integer && std::ranges::none_of(axes, [&](const Axis& axis) {
           return axis.path != x.path && axis.numeric &&
                  settled_by(experiment.measurements, axis.path, x.path);
         });
}

/// The stem as a figure may be called: other bytes than letters, digits, '_' and '-' as -xHH.
std::string name_of_stem(const std::string& stem) {
  static constexpr std::string_view hex = "0123456789ABCDEF";
  std::string name;
  for (const char letter : stem) {
    const auto byte = static_cast<unsigned char>(letter);
    if (is_letter_or_digit(letter) || letter == '_' || letter == '-') {
      name += letter;
    } else {
      name.append("-x").append(1, hex[byte / 16]).append(1, hex[byte % 16]);
    }
  }
  return name;
}

/// Where measurements stand: x along one number of the cell, or along the keys of a growing filter.
struct Ground {
  std::string path = {};  ///< JSON pointer of x; empty: the keys inserted
  std::string label = {};
  bool dense = false;  ///< x may be moved between the measurements
  std::vector<Axis> curves = {};

  [[nodiscard]] double x(const Measurement& m) const {
    return path.empty() ? static_cast<double>(m.inserted()) : number_at(m.cell(), path);
  }
};

std::optional<Ground> ground_of(const Experiment& experiment, const Words& words) {
  const std::vector<Axis> axes = axes_of(experiment.measurements);
  if (experiment.measurements.front().step) {
    return Ground{
        .label = words("axis.inserted"), .dense = true, .curves = curve_axes(experiment, axes, "")};
  }
  const auto x = std::ranges::find_if(axes, &Axis::numeric);
  if (x == axes.end()) return std::nullopt;
  const std::string unit = unit_of(x->path);
  return Ground{.path = x->path,
                .label = short_name(x->path) + (unit.empty() ? "" : " [" + unit + "]"),
                .dense = moves_alone(experiment, axes, *x),
                .curves = curve_axes(experiment, axes, x->path)};
}

/// The closed form between the ends of a curve, along x.
void add_dense_line(const std::vector<const Measurement*>& members, const Ground& ground,
                    const std::string& curve, Relation& lines) {
  const auto place = [&](const Measurement* member) {
    const auto count = static_cast<std::uint64_t>(ground.x(*member));
    return std::max<std::uint64_t>(count, 1);
  };
  const auto [first, last] = std::ranges::minmax_element(members, {}, place);
  Json cell = members.front()->cell();
  for (const std::uint64_t value : spread(place(*first), place(*last), dense_points)) {
    std::uint64_t n = members.front()->inserted();
    if (ground.path.empty() || ground.path == "/n") {
      n = value;
    } else {
      cell[Json::json_pointer(ground.path)] = value;
    }
    lines.rows.push_back({static_cast<double>(value), curve, predicted_rate(cell, n)});
  }
}

void add_line(const std::vector<const Measurement*>& members, const Ground& ground,
              const std::string& curve, Relation& lines) {
  // The numbers that a config expects of a filter from outside hold at its own n alone.
  const bool in_between = !is_from_outside(members.front()->cell());
  if (ground.dense && in_between) return add_dense_line(members, ground, curve, lines);
  for (const Measurement* member : members) {
    if (!member->prediction) continue;
    lines.rows.push_back({ground.x(*member), curve, member->prediction->rate});
  }
}

std::vector<std::string> groups_of(const plot::Figure& figure) {
  std::vector<std::string> groups;
  for (const plot::Series& series : figure.series) {
    if (series.group.empty()) continue;
    if (std::find(groups.begin(), groups.end(), series.group) == groups.end()) {
      groups.push_back(series.group);
    }
  }
  return groups;
}

/// Whether the names differ by numbers alone.
bool are_numbered(const std::vector<std::string>& groups) {
  return std::all_of(groups.begin(), groups.end(), [&](const std::string& group) {
    return phrase_of(group).pattern == phrase_of(groups.front()).pattern;
  });
}

void keep_groups(std::vector<plot::Series>& series, const std::set<std::string>& kept) {
  std::erase_if(series, [&](const plot::Series& one) {
    return !one.group.empty() && !kept.contains(one.group);
  });
}

/// All parts have the ends of the whole, as far as points give them.
void fix_ends(plot::Figure& figure) {
  if (!figure.x.categories.empty()) return;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const plot::Series& series : figure.series) {
    for (const plot::Point& point : series.points) {
      low = std::min(low, point.x);
      high = std::max(high, point.x);
    }
  }
  if (!(low < high)) return;
  if (!figure.x.low) figure.x.low = low;
  if (!figure.x.high) figure.x.high = high;
}

}  // namespace

std::vector<plot::Figure> automatic_figures(const Experiment& experiment, const Words& words) {
  const auto ground = ground_of(experiment, words);
  if (!ground) return {};
  const std::string measured = words("series.measured");
  const std::string theory = words("series.theory");
  Relation points{
      .columns = {"x", "curve", measured, measured + "_low", measured + "_high", theory},
      .rows = {}};
  Relation lines{.columns = {"x", "curve", theory}, .rows = {}};
  std::vector<std::pair<std::string, std::vector<const Measurement*>>> curves;
  std::vector<double> places;
  std::vector<double> rates;
  for (const Measurement& m : experiment.measurements) {
    const double x = ground->x(m);
    const statistics::Estimate& rate = m.estimate->rate;
    if (rate.value > 0) rates.push_back(rate.value);
    if (!std::isfinite(x)) continue;
    const std::string name = label_of(m.cell(), ground->curves);
    auto curve = std::ranges::find(curves, name, [](const auto& entry) { return entry.first; });
    if (curve == curves.end()) curve = curves.insert(curve, {name, {}});
    curve->second.push_back(&m);
    places.push_back(x);
    // What no key met has no ratio to theory.
    const bool has_ratio = m.prediction && rate.value > 0;
    points.rows.push_back({x, name, rate.value, std::max(rate.interval.low, 0.0),
                           rate.interval.high,
                           has_ratio ? Value(m.prediction->rate) : Value(std::monostate{})});
  }
  if (places.empty()) return {};
  for (const auto& [name, members] : curves) add_line(members, *ground, name, lines);
  plot::Figure figure{.name = name_of_stem(experiment.stem),
                      .title = experiment.title,
                      .caption = figure_caption(experiment, words),
                      .x = {.label = ground->label, .scale = scale_for(places)},
                      .y = {.label = words("axis.rate"), .scale = scale_for(rates)},
                      .series = {},
                      .words = figure_words(words)};
  const FigureColumns columns{
      .x = "x", .y = measured, .series = "curve", .lines = {theory}, .residual = true};
  add_series(figure, columns, points, &lines, words, experiment.stem);
  if (figure.ratio) figure.ratio->label = words("axis.ratio");
  std::vector<plot::Figure> parts = faceted(std::move(figure), words);
  leave_out_beyond(most_parts, parts, words);
  return parts;
}

void leave_out_beyond(std::size_t most, std::vector<plot::Figure>& figures, const Words& words) {
  if (figures.size() <= most) return;
  const std::size_t left_out = figures.size() - most;
  figures.resize(most);
  figures.back().caption += " " + words("figure.parts_left_out", {{"parts", grouped(left_out)}});
}

std::string figure_caption(const Experiment& experiment, const Words& words) {
  const Trials& trials = experiment.measurements.front().trials;
  return words("figure.caption", {{"trials", grouped(static_cast<std::uint64_t>(trials.size()))},
                                  {"queries", grouped(trials.queries()[0])},
                                  {"level", percent(statistics::thresholds::interval_level, 2)},
                                  {"file", experiment.file_name}});
}

plot::Words figure_words(const Words& words) {
  return {.no_hit = words("figure.no_hit"),
          .outside = words("figure.outside"),
          .unnamed = words("figure.unnamed")};
}

plot::Scale scale_for(const std::vector<double>& values) {
  if (values.empty()) return plot::Scale::linear;
  const auto [low, high] = std::ranges::minmax(values);
  return low > 0 && high > 10 * low ? plot::Scale::log : plot::Scale::linear;
}

std::vector<std::uint64_t> spread(std::uint64_t low, std::uint64_t high, std::size_t count) {
  std::vector<std::uint64_t> values;
  if (high - low < count) {
    for (std::uint64_t value = low; value <= high; ++value) values.push_back(value);
    return values;
  }
  const double step = std::log(static_cast<double>(high) / static_cast<double>(low)) /
                      static_cast<double>(count - 1);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const double value = static_cast<double>(low) * std::exp(step * static_cast<double>(i));
    const auto rounded = static_cast<std::uint64_t>(std::llround(value));
    if (values.empty() || rounded > values.back()) values.push_back(rounded);
  }
  if (values.back() < high) values.push_back(high);
  return values;
}

std::vector<plot::Figure> faceted(plot::Figure figure, const Words& words) {
  const std::vector<std::string> groups = groups_of(figure);
  if (groups.size() <= (are_numbered(groups) ? most_numbered_groups : most_groups)) {
    return {std::move(figure)};
  }
  fix_ends(figure);
  const std::size_t count = (groups.size() + groups_per_part - 1) / groups_per_part;
  std::vector<plot::Figure> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = groups.begin() + static_cast<std::ptrdiff_t>(i * groups_per_part);
    const auto left = static_cast<std::size_t>(groups.end() - first);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(groups_per_part, left));
    const std::set<std::string> kept(first, last);
    plot::Figure part = figure;
    const std::string number = std::to_string(i + 1);
    part.name += "_" + number;
    part.title += words("figure.part", {{"part", number}, {"parts", std::to_string(count)}});
    keep_groups(part.series, kept);
    if (part.ratio) keep_groups(part.ratio->series, kept);
    if (part.ratio && part.ratio->series.empty()) part.ratio.reset();  // no key met a curve of it
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace bloomlab::analysis::pages
