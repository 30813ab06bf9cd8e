// Hashes of few bits reduced to many positions: how far the unevenness raises the rate.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/data/ladder.hpp"
#include "analysis/data/with_statistics.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"
#include "analysis/tables/ladder_table.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

/// "truncated_32, modulo_32".
std::string reduction_label(const Measurement& m) {
  return word_at(m.cell, "/hash/name") + ", " + word_at(m.cell, "/hash/reduction");
}

/// The rate with the uneven reduction, or NaN where the form knows none.
double biased_rate(const Measurement& m) {
  const auto forms = closed_forms(m.cell, m.inserted());
  return forms.empty() || forms.back().name != "reduction" ? unknown : forms.back().rate;
}

/// A deviation from another rate than the exact one, with an interval at that level.
Deviation deviation_from(const Measurement& m, double rate, double level) {
  const statistics::Estimate measured = ensemble_rate(m, level);
  return {measured.value / rate - 1, measured.interval.low / rate - 1,
          measured.interval.high / rate - 1};
}

/// The level at which all intervals of the biased cells hold together.
double biased_level(const Experiment& experiment) {
  const auto cells =
      std::count_if(experiment.measurements.begin(), experiment.measurements.end(),
                    [](const Measurement& m) { return !std::isnan(biased_rate(m)); });
  return statistics::bonferroni_level(statistics::thresholds::simultaneous_level,
                                      std::max<std::size_t>(static_cast<std::size_t>(cells), 1));
}

Table reductions_table(const Experiment& experiment, const Words& words) {
  const double level = biased_level(experiment);
  Table table{.name = "reductions",
              .caption = words("table.reductions.caption",
                               {{"level", percent(statistics::thresholds::simultaneous_level, 2)}}),
              .columns = {{"hash", words("column.hash_and_reduction")},
                          {"m", "m", "bits"},
                          {"n", "n", "keys"},
                          {"exact", words("column.exact")},
                          {"biased", words("column.biased")},
                          {"rate", words("column.rate")},
                          {"deviation", words("column.deviation")},
                          {"over_biased", words("column.over_biased")}},
              .rows = {}};
  for (const Measurement& m : experiment.measurements) {
    if (!m.prediction) continue;
    const double biased = biased_rate(m);
    const auto& rate = m.estimate->rate;
    Entry over = no_entry();
    if (!std::isnan(biased)) {
      const Deviation deviation = deviation_from(m, biased, level);
      over = {deviation.text(), deviation.value, deviation.low > 0 || deviation.high < 0};
    }
    table.rows.push_back({word_entry(reduction_label(m)),
                          count_entry(as_count(value_at(m.cell, "/filter/m")).value_or(0)),
                          count_entry(m.inserted()), number_entry(m.prediction->rate, 6),
                          std::isnan(biased) ? no_entry() : number_entry(biased, 6),
                          interval_entry(rate.value, rate.interval.low, rate.interval.high),
                          deviation_entry_of(m), std::move(over)});
  }
  return table;
}

plot::Figure reductions_figure(const Experiment& experiment, const Words& words) {
  plot::Figure figure{.name = experiment.stem,
                      .title = words("figure.reduction_bias.title"),
                      .caption = figure_caption(experiment, words),
                      .x = {.label = axis_label("/filter/m"), .scale = plot::Scale::log},
                      .y = {.label = words("axis.ratio")},
                      .series = {}};
  std::vector<std::string> done;
  for (const Measurement& first : experiment.measurements) {
    const std::string label = reduction_label(first);
    if (std::find(done.begin(), done.end(), label) != done.end()) continue;
    done.push_back(label);
    plot::Series line{.name = words("series.own_form"),
                      .kind = plot::Kind::line,
                      .role = plot::Role::theory,
                      .points = {},
                      .group = label};
    plot::Series points{.name = words("series.measured"), .points = {}, .group = label};
    for (const Measurement& m : experiment.measurements) {
      const Deviation deviation = deviation_of(m);
      if (reduction_label(m) != label || !deviation.known()) continue;
      const double x = number_at(m.cell, "/filter/m");
      points.points.push_back({.x = x,
                               .y = 1 + deviation.value,
                               .low = 1 + std::min(deviation.low, deviation.value),
                               .high = 1 + std::max(deviation.high, deviation.value)});
      const double ratio = biased_rate(m) / m.prediction->rate;
      if (!std::isnan(ratio))
        line.points.push_back({.x = x, .y = ratio, .low = ratio, .high = ratio});
    }
    for (plot::Series* series : {&line, &points}) {
      if (!series->points.empty()) figure.series.push_back(std::move(*series));
    }
  }
  figure.markers = {{.axis = plot::MarkerAxis::y, .at = 1}};
  return figure;
}

double largest_size(const Experiment& experiment) {
  double largest = 0;
  for (const Measurement& m : experiment.measurements) {
    largest = std::fmax(largest, number_at(m.cell, "/filter/m"));
  }
  return largest;
}

/// Every hash and reduction at the largest size.
std::string largest_list(const Experiment& experiment, const Words& words) {
  const double largest = largest_size(experiment);
  std::vector<std::string> texts;
  for (const Measurement& m : experiment.measurements) {
    if (number_at(m.cell, "/filter/m") != largest || !m.prediction) continue;
    const double biased = biased_rate(m);
    const std::string text = reduction_label(m) + " " + deviation_of(m).text();
    texts.push_back(std::isnan(biased)
                        ? text
                        : text + " (" +
                              words("reduction.predicted",
                                    {{"bias", signed_percent(biased / m.prediction->rate - 1)}}) +
                              ")");
  }
  return first_of(texts, 3, words);
}

}  // namespace

Content reduction_exhibit(const Experiment& experiment, const Words& words) {
  const auto largest = static_cast<std::uint64_t>(largest_size(experiment));
  Content content;
  content.values = {{"largest", grouped(largest)},
                    {"largest_list", largest_list(experiment, words)}};
  content.tables = {reductions_table(experiment, words),
                    budget_table(experiment, words,
                                 [](const Measurement& m) { return !std::isnan(biased_rate(m)); })};
  content.figures = {reductions_figure(experiment, words)};
  return content;
}

}  // namespace bloomlab::analysis
