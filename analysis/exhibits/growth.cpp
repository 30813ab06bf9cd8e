// Filters while they fill: the rate and the memory of a standard filter and of growing ones, and
// what a standard filter of the same memory would have shown.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"
#include "core/parameters.hpp"
#include "core/theory/models.hpp"

namespace bloomlab::analysis {

namespace {

/// The last step of every cell.
std::vector<const Measurement*> final_steps(const Experiment& experiment) {
  std::vector<const Measurement*> last;
  for (const Measurement& m : experiment.measurements) {
    if (!last.empty() && last.back()->cell == m.cell) {
      last.back() = &m;
    } else {
      last.push_back(&m);
    }
  }
  return last;
}

/// Lowest exact rate of a standard filter with these bits and keys, over k.
double equal_memory_rate(std::uint64_t bits, std::uint64_t keys) {
  const auto rate = [&](std::uint64_t k) {
    return theory::evaluate({"standard_exact", {{"m", bits}, {"n", keys}, {"k", k}}}).number();
  };
  const double rule = std::numbers::ln2 * static_cast<double>(bits) / static_cast<double>(keys);
  const double most = static_cast<double>(max_probes) - 1;
  const auto low = static_cast<std::uint64_t>(std::clamp(std::floor(rule), 1.0, most));
  return std::min(rate(low), rate(low + 1));
}

double bits_per_stored_key(const Measurement& m) {
  return static_cast<double>(m.trials.front().bits) / static_cast<double>(m.inserted());
}

Table final_table(const Experiment& experiment, const Words& words) {
  const std::vector<Axis> axes = telling_axes(experiment.measurements);
  Table table{.name = "final",
              .caption = words("table.final.caption"),
              .columns = {{"filter", "filter"},
                          {"inserted", words("column.inserted"), "keys"},
                          {"rate", words("column.rate")},
                          {"exact", words("column.exact")},
                          {"layers", words("column.layers")},
                          {"bits", words("column.bits"), "bits"},
                          {"bits_per_key", words("column.bits_per_key")},
                          {"equal_memory", words("column.equal_memory")}},
              .rows = {}};
  for (const Measurement* m : final_steps(experiment)) {
    const statistics::Estimate& rate = m->estimate->rate;
    const Trial& trial = m->trials.front();
    table.rows.push_back({word_entry(label_of(m->cell, axes)), count_entry(m->inserted()),
                          interval_entry(rate.value, rate.interval.low, rate.interval.high),
                          number_entry(m->prediction->rate, 4), count_entry(trial.layers),
                          count_entry(trial.bits), number_entry(bits_per_stored_key(*m), 4),
                          number_entry(equal_memory_rate(trial.bits, m->inserted()), 4)});
  }
  return table;
}

double inserted_keys(const Measurement& m) { return static_cast<double>(m.inserted()); }

plot::Figure memory_figure(const Experiment& experiment, const Words& words) {
  const std::vector<Axis> axes = telling_axes(experiment.measurements);
  plot::Figure figure{.name = experiment.stem + "_memory",
                      .title = words("figure.growth_memory.title"),
                      .caption = words("figure.caption.memory", {{"file", experiment.file_name}}),
                      .x = {.label = words("axis.inserted")},
                      .y = {.label = words("axis.memory"), .scale = plot::Scale::log},
                      .series = {}};
  for (const Measurement& m : experiment.measurements) {
    const std::string name = label_of(m.cell, axes);
    if (figure.series.empty() || figure.series.back().name != name) {
      figure.series.push_back({.name = name, .kind = plot::Kind::step, .points = {}});
    }
    const auto bits = static_cast<double>(m.trials.front().bits);
    figure.series.back().points.push_back({.x = inserted_keys(m), .y = bits});
  }
  return figure;
}

std::vector<plot::Marker> target_markers(const Experiment& experiment, const Words& words) {
  for (const Measurement& m : experiment.measurements) {
    const double target = number_at(m.cell, "/filter/target");
    if (target > 0) {
      return {{.axis = plot::MarkerAxis::y, .at = target, .label = words("marker.target")}};
    }
  }
  return {};
}

std::string final_list(const Experiment& experiment, const Words& words) {
  const std::vector<Axis> axes = telling_axes(experiment.measurements);
  std::vector<std::string> texts;
  for (const Measurement* m : final_steps(experiment)) {
    texts.push_back(words("growth.item", {{"filter", label_of(m->cell, axes)},
                                          {"rate", rate_text(m)},
                                          {"bits", significant(bits_per_stored_key(*m), 3)}}));
  }
  return first_of(texts, 3, words);
}

}  // namespace

Content growth_exhibit(const Experiment& experiment, const Words& words) {
  const auto last = final_steps(experiment);
  const std::vector<Axis> axes = telling_axes(experiment.measurements);
  Content content;
  content.values = {{"final_keys", grouped(last.front()->inserted())},
                    {"final_list", final_list(experiment, words)}};
  content.tables = {final_table(experiment, words)};
  content.figures = {
      rate_figure(experiment, words,
                  {.name = experiment.stem,
                   .title = words("figure.growth.title"),
                   .x_label = words("axis.inserted"),
                   .x = inserted_keys,
                   .group = [axes](const Measurement& m) { return label_of(m.cell, axes); },
                   .dense_along = "inserted",
                   .markers = target_markers(experiment, words)}),
      memory_figure(experiment, words)};
  return content;
}

}  // namespace bloomlab::analysis
