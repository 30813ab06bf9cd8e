#include "analysis/pages/figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
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
  std::unordered_set<std::string_view> known;
  for (const plot::Series& series : figure.series) {
    if (series.group.empty() || !known.insert(series.group).second) continue;
    groups.push_back(series.group);
  }
  return groups;
}

/// Whether the names differ by numbers alone.
bool are_numbered(const std::vector<std::string>& groups) {
  return std::all_of(groups.begin(), groups.end(), [&](const std::string& group) {
    return phrase_of(group).pattern == phrase_of(groups.front()).pattern;
  });
}

/// How many figures these groups need.
std::size_t parts_for(const std::vector<std::string>& groups) {
  if (groups.size() <= most_groups) return 1;
  if (groups.size() <= most_numbered_groups && are_numbered(groups)) return 1;
  return (groups.size() + groups_per_part - 1) / groups_per_part;
}

/// The figure as one of its parts, counted from 0.
plot::Figure as_part(plot::Figure figure, std::size_t part, std::size_t parts, const Words& words) {
  const std::string number = std::to_string(part + 1);
  figure.name += "_" + number;
  figure.title += words("figure.part", {{"part", number}, {"parts", std::to_string(parts)}});
  return figure;
}

/// The series of every part: those of its groups, and those of no group.
std::vector<std::vector<plot::Series>> distributed(
    std::vector<plot::Series> series,
    const std::unordered_map<std::string_view, std::size_t>& part_of, std::size_t parts) {
  std::vector<std::vector<plot::Series>> all(parts);
  for (plot::Series& one : series) {
    if (one.group.empty()) {
      for (auto& part : all) part.push_back(one);
    } else if (const auto found = part_of.find(one.group); found != part_of.end()) {
      all[found->second].push_back(std::move(one));
    }
  }
  return all;
}

/// An axis without ends of its own ends with the points, where they are not all in one place.
void end_with(double low, double high, plot::Axis& x) {
  if (!(low < high)) return;
  if (!x.low) x.low = low;
  if (!x.high) x.high = high;
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
  end_with(low, high, figure.x);
}

void tell_left_out(std::size_t parts, plot::Figure& last, const Words& words) {
  if (parts == 0) return;
  last.caption += " " + words("figure.parts_left_out", {{"parts", grouped(parts)}});
}

/// The measurements of a curve of the automatic figure.
struct Curve {
  std::string name;
  std::vector<const Measurement*> members;
};

/// Whether a point of it can be drawn, or theory's beside it.
bool is_drawn(const Measurement& m) {
  return std::isfinite(m.estimate->rate.value) ||
         (m.prediction && std::isfinite(m.prediction->rate));
}

/// The automatic figure of an experiment.
class AutomaticFigure {
 public:
  AutomaticFigure(const Experiment& experiment, Ground ground, const Words& words)
      : experiment_(experiment), ground_(std::move(ground)), words_(words) {
    std::unordered_map<std::string, std::size_t> place_of;
    std::vector<double> places;
    std::vector<double> rates;
    for (const Measurement& m : experiment.measurements) {
      const double x = ground_.x(m);
      if (m.estimate->rate.value > 0) rates.push_back(m.estimate->rate.value);
      if (!std::isfinite(x)) continue;
      places.push_back(x);
      if (!is_drawn(m)) continue;
      const std::string name = label_of(m.cell(), ground_.curves);
      const auto [place, is_new] = place_of.try_emplace(name, curves_.size());
      if (is_new) curves_.push_back({.name = name, .members = {}});
      curves_[place->second].members.push_back(&m);
      low_ = std::min(low_, x);
      high_ = std::max(high_, x);
    }
    x_scale_ = scale_for(places);
    y_scale_ = scale_for(rates);
  }

  /// The figure, or the first of its parts: of many curves only those are made that are shown.
  [[nodiscard]] std::vector<plot::Figure> parts() const {
    std::vector<std::string> names;
    for (const Curve& curve : curves_) names.push_back(curve.name);
    const std::size_t count = parts_for(names);
    if (count == 1) return {figure_of(curves_)};
    std::vector<plot::Figure> figures;
    const std::span<const Curve> all = curves_;
    for (std::size_t i = 0; i < std::min(count, most_parts); ++i) {
      const auto rest = all.subspan(i * groups_per_part);
      plot::Figure part = figure_of(rest.first(std::min(groups_per_part, rest.size())));
      end_with(low_, high_, part.x);
      figures.push_back(as_part(std::move(part), i, count, words_));
    }
    tell_left_out(count - figures.size(), figures.back(), words_);
    return figures;
  }
  [[nodiscard]] bool empty() const { return curves_.empty(); }

 private:
  [[nodiscard]] plot::Figure figure_of(std::span<const Curve> curves) const {
    const std::string measured = words_("series.measured");
    const std::string theory = words_("series.theory");
    Relation points{
        .columns = {"x", "curve", measured, measured + "_low", measured + "_high", theory},
        .rows = {}};
    Relation lines{.columns = {"x", "curve", theory}, .rows = {}};
    for (const Curve& curve : curves) {
      for (const Measurement* m : curve.members) {
        const statistics::Estimate& rate = m->estimate->rate;
        // What no key met has no ratio to theory.
        const bool has_ratio = m->prediction && rate.value > 0;
        points.rows.push_back({ground_.x(*m), curve.name, rate.value,
                               std::max(rate.interval.low, 0.0), rate.interval.high,
                               has_ratio ? Value(m->prediction->rate) : Value(std::monostate{})});
      }
      add_line(curve.members, ground_, curve.name, lines);
    }
    plot::Figure figure{.name = name_of_stem(experiment_.stem),
                        .title = experiment_.title,
                        .caption = figure_caption(experiment_, words_),
                        .x = {.label = ground_.label, .scale = x_scale_},
                        .y = {.label = words_("axis.rate"), .scale = y_scale_},
                        .series = {},
                        .words = figure_words(words_)};
    const FigureColumns columns{
        .x = "x", .y = measured, .series = "curve", .lines = {theory}, .residual = true};
    add_series(figure, columns, points, &lines, words_, experiment_.stem);
    if (figure.ratio) figure.ratio->label = words_("axis.ratio");
    return figure;
  }

  const Experiment& experiment_;
  Ground ground_;
  const Words& words_;
  std::vector<Curve> curves_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
  plot::Scale x_scale_ = plot::Scale::linear;
  plot::Scale y_scale_ = plot::Scale::linear;
};

}  // namespace

std::vector<plot::Figure> automatic_figures(const Experiment& experiment, const Words& words) {
  auto ground = ground_of(experiment, words);
  if (!ground) return {};
  const AutomaticFigure figure(experiment, *std::move(ground), words);
  return figure.empty() ? std::vector<plot::Figure>{} : figure.parts();
}

void leave_out_beyond(std::size_t most, std::vector<plot::Figure>& figures, const Words& words) {
  if (figures.size() <= most) return;
  const std::size_t left_out = figures.size() - most;
  figures.resize(most);
  tell_left_out(left_out, figures.back(), words);
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
  const std::size_t count = parts_for(groups);
  if (count == 1) return {std::move(figure)};
  fix_ends(figure);
  std::unordered_map<std::string_view, std::size_t> part_of;
  for (std::size_t i = 0; i < groups.size(); ++i) part_of.emplace(groups[i], i / groups_per_part);
  auto series = distributed(std::exchange(figure.series, {}), part_of, count);
  std::vector<std::vector<plot::Series>> ratios(count);
  if (figure.ratio) ratios = distributed(std::exchange(figure.ratio->series, {}), part_of, count);
  std::vector<plot::Figure> parts;
  for (std::size_t i = 0; i < count; ++i) {
    plot::Figure part = as_part(figure, i, count, words);
    part.series = std::move(series[i]);
    if (part.ratio) part.ratio->series = std::move(ratios[i]);
    if (part.ratio && part.ratio->series.empty()) part.ratio.reset();  // no key met a curve of it
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace bloomlab::analysis::pages
