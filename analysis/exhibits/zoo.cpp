// Every filter of the catalogue once: its rate beside its closed form, and its memory.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"
#include "core/catalogue.hpp"

namespace bloomlab::analysis {

namespace {

/// The kind, and where the config has several of it what tells them apart.
std::string zoo_label(const Measurement& m) {
  std::string label = word_at(m.cell, "/filter/kind");
  if (const std::string method = word_at(m.cell, "/filter/method"); !method.empty()) {
    label.append(", ").append(method);
  }
  if (const auto arity = as_count(value_at(m.cell, "/filter/arity"))) {
    label.append(", arity ").append(grouped(*arity));
  }
  return label;
}

double memory_per_key(const Measurement& m) {
  double bits = 0;
  for (const Trial& trial : m.trials) bits += static_cast<double>(trial.memory_bits);
  return bits / static_cast<double>(m.trials.size()) / static_cast<double>(m.inserted());
}

/// Filters of the catalogue that the config does not measure.
std::string not_measured(const Experiment& experiment) {
  std::vector<std::string> missing;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    const bool found = find_measurement(experiment, [](const Measurement& m) {
                         return word_at(m.cell, "/filter/kind") == Filter::name;
                       }) != nullptr;
    if (!found) missing.emplace_back(Filter::name);
  });
  return joined(missing);
}

Table zoo_table(const Experiment& experiment, const Words& words) {
  Table table{.name = "zoo",
              .caption = words("table.zoo.caption"),
              .columns = {{"filter", "filter"},
                          {"memory", words("column.memory_per_key")},
                          {"model", words("column.closed_form")},
                          {"exact", words("column.exact")},
                          {"rate", words("column.rate")},
                          {"deviation", words("column.deviation")}},
              .rows = {}};
  for (const Measurement& m : experiment.measurements) {
    if (!m.prediction) continue;
    const auto& rate = m.estimate->rate;
    table.rows.push_back({word_entry(zoo_label(m)), number_entry(memory_per_key(m), 4),
                          word_entry(m.prediction->model), number_entry(m.prediction->rate, 4),
                          interval_entry(rate.value, rate.interval.low, rate.interval.high),
                          rate.value > 0 ? deviation_entry_of(m) : no_entry()});
  }
  return table;
}

/// Measured over exact rate, a line a filter; without those that had no hit.
plot::Figure zoo_figure(const Experiment& experiment, const Words& words) {
  plot::Figure figure{.name = experiment.stem,
                      .title = words("figure.filter_zoo.title"),
                      .caption = figure_caption(experiment, words, "figure.caption.points"),
                      .x = {},
                      .y = {.label = words("axis.ratio")},
                      .series = {}};
  plot::Series series{.name = words("series.measured"), .points = {}};
  for (const Measurement& m : experiment.measurements) {
    const Deviation deviation = deviation_of(m);
    if (!deviation.known() || m.estimate->hits == 0) continue;
    const auto place = static_cast<double>(figure.x.categories.size());
    figure.x.categories.push_back(zoo_label(m));
    series.points.push_back({.x = place,
                             .y = 1 + deviation.value,
                             .low = 1 + std::min(deviation.low, deviation.value),
                             .high = 1 + std::max(deviation.high, deviation.value)});
  }
  if (series.points.empty()) return figure;
  figure.series = {std::move(series)};
  figure.markers = {{.axis = plot::MarkerAxis::y, .at = 1}};
  return figure;
}

}  // namespace

Content zoo_exhibit(const Experiment& experiment, const Words& words) {
  std::uint64_t with_hits = 0;
  std::uint64_t flagged = 0;
  for (const Measurement& m : experiment.measurements) {
    if (m.estimate->hits > 0) ++with_hits;
    if (m.estimate->rate_test && m.estimate->rate_test->flagged) ++flagged;
  }
  const Measurement* worst =
      most_deviant(experiment, [](const Measurement& m) { return m.estimate->hits > 0; });
  Content content;
  content.values = {{"filters", grouped(experiment.measurements.size())},
                    {"with_hits", grouped(with_hits)},
                    {"flagged", grouped(flagged)},
                    {"worst", worst == nullptr ? "–" : zoo_label(*worst)},
                    {"worst_deviation", worst == nullptr ? "–" : deviation_of(*worst).text()},
                    {"not_measured", not_measured(experiment)}};
  content.tables = {zoo_table(experiment, words)};
  content.figures = {zoo_figure(experiment, words)};
  return content;
}

}  // namespace bloomlab::analysis
