#include "analysis/figures/rate_figure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/data/with_theory.hpp"
#include "record/number_text.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

constexpr std::size_t dense_points = 80;

using Members = std::vector<const Measurement*>;

/// Measurements by group, groups in the order of the grid.
std::vector<std::pair<std::string, Members>> by_group(const Experiment& experiment,
                                                      const RateFigure& layout) {
  std::vector<std::pair<std::string, Members>> groups;
  for (const Measurement& measurement : experiment.measurements) {
    if (!measurement.estimate || !std::isfinite(layout.x(measurement))) continue;
    const std::string name = layout.group(measurement);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& entry) { return entry.first == name; });
    if (group == groups.end()) group = groups.insert(groups.end(), {name, {}});
    group->second.push_back(&measurement);
  }
  return groups;
}

void sort_by_x(std::vector<plot::Point>& points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const plot::Point& a, const plot::Point& b) { return a.x < b.x; });
}

plot::Series measured_series(const Members& members, const RateFigure& layout, const Words& words) {
  plot::Series series{.name = words("series.measured"), .points = {}};
  for (const Measurement* measurement : members) {
    const auto& rate = measurement->estimate->rate;
    series.points.push_back({.x = layout.x(*measurement),
                             .y = rate.value,
                             .low = std::clamp(rate.interval.low, 0.0, rate.value),
                             .high = std::max(rate.interval.high, rate.value),
                             .label = layout.point_label ? layout.point_label(*measurement) : ""});
  }
  sort_by_x(series.points);
  return series;
}

/// The closed form between the ends of the group, along one integer of the cell.
std::vector<plot::Point> dense_line(const Members& members, const std::string& along) {
  const auto place = [&](const Measurement* member) {
    return along == "inserted" ? member->inserted()
                               : value_at(member->cell, along).get<std::uint64_t>();
  };
  const auto [first, last] =
      std::minmax_element(members.begin(), members.end(),
                          [&](const auto* a, const auto* b) { return place(a) < place(b); });
  std::vector<plot::Point> points;
  Json cell = members.front()->cell;
  for (const std::uint64_t value : spread(std::max<std::uint64_t>(place(*first), 1),
                                          std::max<std::uint64_t>(place(*last), 1), dense_points)) {
    std::uint64_t n = members.front()->inserted();
    if (along == "inserted" || along == "/n") {
      n = value;
    } else {
      cell[Json::json_pointer(along)] = value;
    }
    points.push_back({.x = static_cast<double>(value), .y = predicted_rate(cell, n)});
  }
  return points;
}

std::optional<plot::Series> theory_series(const Members& members, const RateFigure& layout,
                                          const Words& words) {
  plot::Series series{.name = words("series.theory"),
                      .kind = plot::Kind::line,
                      .role = plot::Role::theory,
                      .points = {}};
  if (!layout.dense_along.empty()) {
    series.points = dense_line(members, layout.dense_along);
  } else {
    for (const Measurement* member : members) {
      if (!member->prediction) continue;
      const double x = layout.theory_x ? layout.theory_x(*member) : layout.x(*member);
      series.points.push_back({.x = x, .y = member->prediction->rate});
    }
    sort_by_x(series.points);
  }
  std::erase_if(series.points, [](const plot::Point& point) {
    return !std::isfinite(point.x) || !std::isfinite(point.y);
  });
  for (plot::Point& point : series.points) point.low = point.high = point.y;
  if (series.points.empty()) return std::nullopt;
  return series;
}

std::optional<plot::Series> ratio_series(const Members& members, const RateFigure& layout,
                                         const Words& words) {
  plot::Series series{.name = words("series.measured"), .points = {}};
  for (const Measurement* member : members) {
    const auto& rate = member->estimate->rate;
    if (!member->prediction || !(member->prediction->rate > 0) || rate.value <= 0) continue;
    const double theory = member->prediction->rate;
    series.points.push_back({.x = layout.x(*member),
                             .y = rate.value / theory,
                             .low = std::min(rate.interval.low, rate.value) / theory,
                             .high = std::max(rate.interval.high, rate.value) / theory});
  }
  sort_by_x(series.points);
  if (series.points.empty()) return std::nullopt;
  return series;
}

std::vector<double> measured_rates(const Experiment& experiment) {
  std::vector<double> rates;
  for (const Measurement& measurement : experiment.measurements) {
    if (measurement.estimate && measurement.estimate->rate.value > 0) {
      rates.push_back(measurement.estimate->rate.value);
    }
  }
  return rates;
}

}  // namespace

plot::Figure rate_figure(const Experiment& experiment, const Words& words,
                         const RateFigure& layout) {
  plot::Figure figure{
      .name = layout.name,
      .title = layout.title,
      .caption = figure_caption(experiment, words, "figure.caption"),
      .x = {.label = layout.x_label, .scale = layout.x_scale},
      .y = {.label = words("axis.rate"), .scale = scale_for(measured_rates(experiment))},
      .series = {},
      .markers = layout.markers};
  figure.words = figure_words(words);
  plot::RatioPanel ratio{.label = words("axis.ratio"), .series = {}};
  for (const auto& [name, members] : by_group(experiment, layout)) {
    const std::string& group = name;
    const auto add = [&](std::vector<plot::Series>& to, std::optional<plot::Series> series) {
      if (!series) return;
      series->group = group;
      to.push_back(*std::move(series));
    };
    add(figure.series, theory_series(members, layout, words));
    add(figure.series, measured_series(members, layout, words));
    add(ratio.series, ratio_series(members, layout, words));
  }
  if (layout.with_ratio && !ratio.series.empty()) figure.ratio = std::move(ratio);
  return figure;
}

plot::Words figure_words(const Words& words) {
  return {.no_hit = words("figure.no_hit"),
          .outside = words("figure.outside"),
          .unnamed = words("figure.unnamed")};
}

std::string figure_caption(const Experiment& experiment, const Words& words, std::string_view key) {
  return words(key, {{"trials", grouped(experiment.measurements.front().trials.stopped_by.size())},
                     {"queries", grouped(experiment.measurements.front().trials.queries()[0])},
                     {"level", percent(statistics::thresholds::interval_level, 2)},
                     {"file", experiment.file_name}});
}

std::string axis_label(const std::string& path) {
  const std::string unit = unit_of(path);
  return short_name(path) + (unit.empty() ? "" : " [" + unit + "]");
}

plot::Scale scale_for(const std::vector<double>& values) {
  if (values.empty()) return plot::Scale::linear;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low > 0 && *high > 10 * *low ? plot::Scale::log : plot::Scale::linear;
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

}  // namespace bloomlab::analysis
