// Scalable filters over growth, tightening and first capacity, beside the standard filter that was
// sized for n and standard filters of as many bits: rate, memory, time.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"

namespace bloomlab::analysis {

namespace {

/// Whether the compound rate stays at or below the target, as far as its interval tells.
enum class Kept { holds, exceeds, open };

std::uint64_t bits_of(const Measurement& m) { return m.trials.front().bits; }

std::string kind_of(const Measurement& m) { return word_at(m.cell, "/filter/kind"); }

double bits_per_inserted_key(const Measurement& m) {
  return static_cast<double>(bits_of(m)) / static_cast<double>(m.inserted());
}

bool has_target(const Measurement& m) { return number_at(m.cell, "/filter/target") > 0; }

std::vector<const Measurement*> scalable_cells(const Experiment& experiment) {
  std::vector<const Measurement*> cells;
  for (const Measurement& m : experiment.measurements) {
    if (has_target(m)) cells.push_back(&m);
  }
  return cells;
}

/// The standard filter with the fewest bits: the one that was sized for n. Null without one.
const Measurement* right_sized(const Experiment& experiment) {
  const Measurement* least = nullptr;
  for (const Measurement& m : experiment.measurements) {
    if (kind_of(m) != "standard") continue;
    if (least == nullptr || bits_of(m) < bits_of(*least)) least = &m;
  }
  return least;
}

/// The standard filter of as many bits, or null.
const Measurement* of_equal_memory(const Experiment& experiment, const Measurement& cell) {
  return find_measurement(experiment, [&](const Measurement& m) {
    return kind_of(m) == "standard" && bits_of(m) == bits_of(cell);
  });
}

Kept kept_of(const Measurement& m) {
  const double target = number_at(m.cell, "/filter/target");
  const statistics::Interval& interval = m.estimate->rate.interval;
  if (interval.high <= target) return Kept::holds;
  return interval.low > target ? Kept::exceeds : Kept::open;
}

std::string kept_text(Kept kept, const Words& words) {
  switch (kept) {
    case Kept::holds:
      return words("scalable_sweep.holds");
    case Kept::exceeds:
      return words("scalable_sweep.exceeds");
    case Kept::open:
      break;
  }
  return words("scalable_sweep.open");
}

double median(std::vector<double> values) {
  if (values.empty()) return unknown;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Median over the trials of a duration per key [ns]; NaN where none was written.
double ns_per_key(const Experiment& experiment, const Measurement& m, const char* duration,
                  std::uint64_t keys) {
  std::vector<double> all;
  for (const record::Observation& observation : experiment.observations) {
    if (observation.cell != m.cell) continue;
    const auto found = observation.timing.find(duration);
    if (found == observation.timing.end()) continue;
    all.push_back(found->get<double>() / static_cast<double>(keys));
  }
  return median(std::move(all));
}

Entry parameter_entry(const Measurement& m, const std::string& path) {
  const Json value = value_at(m.cell, path);
  return value.is_null() ? no_entry() : word_entry(value_text(value));
}

Entry rate_entry(const Measurement& m) {
  const statistics::Estimate& rate = m.estimate->rate;
  return interval_entry(rate.value, rate.interval.low, rate.interval.high);
}

std::vector<Entry> row_of(const Experiment& experiment, const Measurement& m,
                          const Measurement& right, const Words& words) {
  const Measurement* equal = has_target(m) ? of_equal_memory(experiment, m) : nullptr;
  const double ratio = static_cast<double>(bits_of(m)) / static_cast<double>(bits_of(right));
  const double insert_ns = ns_per_key(experiment, m, "insert_ns", m.inserted());
  const double query_ns = ns_per_key(experiment, m, "strangers_ns", m.trials.front().queries());
  Entry verdict = no_entry();
  if (has_target(m)) {
    verdict = word_entry(kept_text(kept_of(m), words));
    verdict.marked = kept_of(m) == Kept::exceeds;
  }
  return {word_entry(kind_of(m)),
          parameter_entry(m, "/filter/growth"),
          parameter_entry(m, "/filter/tightening"),
          parameter_entry(m, "/filter/first_capacity"),
          count_entry(m.trials.front().layers),
          number_entry(bits_per_inserted_key(m), 4),
          number_entry(ratio, 3),
          rate_entry(m),
          number_entry(m.prediction->rate, 4),
          verdict,
          equal == nullptr ? no_entry() : rate_entry(*equal),
          number_entry(insert_ns, 3),
          number_entry(query_ns, 3)};
}

Table sweep_table(const Experiment& experiment, const Measurement& right, const Words& words) {
  Table table{.name = "sweep",
              .caption = words("table.scalable_sweep.caption"),
              .columns = {{"filter", "filter"},
                          {"growth", words("column.growth")},
                          {"tightening", words("column.tightening")},
                          {"first_capacity", words("column.first_capacity"), "keys"},
                          {"layers", words("column.layers")},
                          {"bits_per_key", words("column.bits_per_key")},
                          {"memory_ratio", words("column.memory_ratio")},
                          {"rate", words("column.rate")},
                          {"exact", words("column.exact")},
                          {"target", words("column.target_kept")},
                          {"equal_memory_rate", words("column.equal_memory_rate")},
                          {"insert_ns", words("column.insert_ns"), "ns"},
                          {"query_ns", words("column.query_ns"), "ns"}},
              .rows = {row_of(experiment, right, right, words)}};
  for (const Measurement* m : scalable_cells(experiment)) {
    table.rows.push_back(row_of(experiment, *m, right, words));
  }
  return table;
}

plot::Point point_of(const Measurement& m) {
  const statistics::Estimate& rate = m.estimate->rate;
  return {.x = bits_per_inserted_key(m),
          .y = rate.value,
          .low = rate.interval.low,
          .high = rate.interval.high};
}

/// The curve that a cell belongs to: "scalable, growth two" with the number of the cell. Layers of
/// slices stand with the others, since their symbols would cover each other.
std::string group_of(const Measurement& m, const Words& words) {
  if (!has_target(m)) return kind_of(m);
  return words(
      "scalable_sweep.group",
      {{"filter", "scalable"}, {"growth", value_text(value_at(m.cell, "/filter/growth"))}});
}

plot::Figure sweep_memory_figure(const Experiment& experiment, const Words& words) {
  plot::Figure figure{.name = experiment.stem,
                      .title = words("figure.scalable_sweep.title"),
                      .caption = figure_caption(experiment, words, "figure.caption.points"),
                      .x = {.label = words("axis.bits_per_key")},
                      .y = {.label = words("axis.rate"), .scale = plot::Scale::log},
                      .series = {}};
  for (const Measurement& m : experiment.measurements) {
    if (m.estimate->hits == 0) continue;  // a limit alone says nothing beside measured rates
    const std::string group = group_of(m, words);
    auto series = std::find_if(figure.series.begin(), figure.series.end(),
                               [&](const plot::Series& s) { return s.name == group; });
    if (series == figure.series.end()) {
      figure.series.push_back({.name = group, .points = {}});
      series = figure.series.end() - 1;
    }
    series->points.push_back(point_of(m));
  }
  for (plot::Series& series : figure.series) {
    std::sort(series.points.begin(), series.points.end(),
              [](const plot::Point& a, const plot::Point& b) { return a.x < b.x; });
  }
  const auto cells = scalable_cells(experiment);
  if (!cells.empty()) {
    figure.markers = {{.axis = plot::MarkerAxis::y,
                       .at = number_at(cells.front()->cell, "/filter/target"),
                       .label = words("marker.target")}};
  }
  return figure;
}

/// Largest relative distance of the measured rates of filters that differ in their layers alone.
double effect_of_slices(const std::vector<const Measurement*>& cells) {
  double largest = 0.0;
  for (const Measurement* standard : cells) {
    if (kind_of(*standard) != "scalable") continue;
    for (const Measurement* slices : cells) {
      const bool twins = kind_of(*slices) == "scalable_partitioned" &&
                         bits_of(*slices) == bits_of(*standard) &&
                         number_at(slices->cell, "/filter/growth") ==
                             number_at(standard->cell, "/filter/growth") &&
                         number_at(slices->cell, "/filter/tightening") ==
                             number_at(standard->cell, "/filter/tightening");
      if (!twins || standard->prediction->rate <= 0) continue;
      largest =
          std::max(largest, std::abs(slices->prediction->rate / standard->prediction->rate - 1));
    }
  }
  return largest;
}

std::string described_against(const Measurement& m, const Measurement& right, const Words& words) {
  const auto text = [&](const char* path) { return value_text(value_at(m.cell, path)); };
  const double ratio = static_cast<double>(bits_of(m)) / static_cast<double>(bits_of(right));
  return words("scalable_sweep.memory", {{"ratio", significant(ratio, 3)},
                                         {"growth", text("/filter/growth")},
                                         {"tightening", text("/filter/tightening")},
                                         {"first_capacity", text("/filter/first_capacity")}});
}

/// Lowest and highest duration per key over the cells: "from 61 to 92 ns".
std::string span_of_ns(const Experiment& experiment, const std::vector<const Measurement*>& cells,
                       const Words& words) {
  double low = unknown;
  double high = unknown;
  for (const Measurement* m : cells) {
    const double ns = ns_per_key(experiment, *m, "strangers_ns", m->trials.front().queries());
    low = std::fmin(low, ns);
    high = std::fmax(high, ns);
  }
  return words("scalable_sweep.ns", {{"low", significant(low, 2)}, {"high", significant(high, 2)}});
}

Tags answer_of(const Experiment& experiment, const std::vector<const Measurement*>& cells,
               const Measurement& right, const Words& words) {
  const auto by_bits = [](const Measurement* a, const Measurement* b) {
    return bits_of(*a) < bits_of(*b);
  };
  const auto [least, most] = std::minmax_element(cells.begin(), cells.end(), by_bits);
  const auto count = [&](Kept kept) {
    return static_cast<std::uint64_t>(std::count_if(
        cells.begin(), cells.end(), [&](const Measurement* m) { return kept_of(*m) == kept; }));
  };
  return {{"cells", grouped(cells.size())},
          {"holds", grouped(count(Kept::holds))},
          {"exceeds", grouped(count(Kept::exceeds))},
          {"open", grouped(count(Kept::open))},
          {"target", parameter_text(number_at(cells.front()->cell, "/filter/target"))},
          {"keys", grouped(right.inserted())},
          {"right_bits", significant(bits_per_inserted_key(right), 3)},
          {"right_rate", rate_text(&right)},
          {"cheapest", described_against(**least, right, words)},
          {"dearest", described_against(**most, right, words)},
          {"slices", percent(effect_of_slices(cells), 2)},
          {"query_ns", span_of_ns(experiment, cells, words)},
          {"right_query_ns",
           significant(
               ns_per_key(experiment, right, "strangers_ns", right.trials.front().queries()), 2)}};
}

Tags nothing_measured() {
  Tags tags;
  for (const char* tag :
       {"cells", "holds", "exceeds", "open", "target", "keys", "right_bits", "right_rate",
        "cheapest", "dearest", "slices", "query_ns", "right_query_ns"}) {
    tags[tag] = "–";
  }
  return tags;
}

}  // namespace

Content scalable_sweep_exhibit(const Experiment& experiment, const Words& words) {
  const auto cells = scalable_cells(experiment);
  const Measurement* right = right_sized(experiment);
  Content content;
  content.figures = {sweep_memory_figure(experiment, words)};
  if (cells.empty() || right == nullptr) {
    content.values = nothing_measured();
    content.tables = {Table{.name = "sweep",
                            .caption = words("table.scalable_sweep.caption"),
                            .columns = {{"filter", "filter"}},
                            .rows = {}}};
    return content;
  }
  content.values = answer_of(experiment, cells, *right, words);
  content.tables = {sweep_table(experiment, *right, words)};
  return content;
}

}  // namespace bloomlab::analysis
