#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/format/number.hpp"

namespace bloomlab::analysis {

namespace {

/// Numbers of probes whose exact rate is within a tenth of the best: how much a wrong k costs.
constexpr double tolerable_excess = 1.1;

std::uint64_t probes_of(const Measurement& measurement) {
  return as_count(value_at(measurement.cell, "/filter/k")).value_or(0);
}

bool can_be_compared(const Measurement& m) {
  return word_at(m.cell, "/filter/kind") == "standard" && m.prediction && m.estimate &&
         as_count(value_at(m.cell, "/filter/k"));
}

/// The cell without its k: what the members of a sweep have in common.
std::string without_probes(const Json& cell) {
  Json rest = cell;
  rest["filter"].erase("k");
  return rest.dump();
}

template <class Value>
const Measurement* lowest(const std::vector<const Measurement*>& members, Value&& value) {
  return *std::min_element(members.begin(), members.end(),
                           [&](const auto* a, const auto* b) { return value(*a) < value(*b); });
}

void choose_best(ProbeSweep& sweep) {
  std::stable_sort(sweep.members.begin(), sweep.members.end(),
                   [](const auto* a, const auto* b) { return probes_of(*a) < probes_of(*b); });
  sweep.best_exact = lowest(sweep.members, [](const Measurement& m) { return m.prediction->rate; });
  sweep.best_measured =
      lowest(sweep.members, [](const Measurement& m) { return m.estimate->rate.value; });
}

std::string tolerable_range(const ProbeSweep& sweep) {
  const double limit = tolerable_excess * sweep.best_exact->prediction->rate;
  std::uint64_t low = probes_of(*sweep.best_exact);
  std::uint64_t high = low;
  for (const Measurement* member : sweep.members) {
    if (member->prediction->rate > limit) continue;
    low = std::min(low, probes_of(*member));
    high = std::max(high, probes_of(*member));
  }
  return low == high ? std::to_string(low) : std::to_string(low) + "–" + std::to_string(high);
}

std::vector<Entry> best_row(const ProbeSweep& sweep) {
  const Measurement& best = *sweep.best_exact;
  const statistics::Estimate& rate = best.estimate->rate;
  const double rule = std::numbers::ln2 * bits_per_key(best.cell);
  Entry measured = count_entry(probes_of(*sweep.best_measured));
  measured.marked = probes_of(*sweep.best_measured) != probes_of(best);
  return {word_entry(sweep.label),
          number_entry(rule, 4),
          count_entry(probes_of(best)),
          std::move(measured),
          interval_entry(rate.value, rate.interval.low, rate.interval.high),
          {significant(rate.interval.low, 4), rate.interval.low},
          {significant(rate.interval.high, 4), rate.interval.high},
          number_entry(best.prediction->rate, 5),
          number_entry(best.mean_fill(), 4),
          word_entry(tolerable_range(sweep))};
}

}  // namespace

std::vector<ProbeSweep> probe_sweeps(const Experiment& experiment) {
  std::vector<std::string> keys;
  std::vector<ProbeSweep> sweeps;
  for (const Measurement& measurement : experiment.measurements) {
    if (!can_be_compared(measurement)) continue;
    const std::string key = without_probes(measurement.cell);
    const auto found = std::find(keys.begin(), keys.end(), key);
    if (found == keys.end()) {
      keys.push_back(key);
      sweeps.push_back({.label = ratio_label(measurement.cell), .members = {&measurement}});
    } else {
      sweeps[static_cast<std::size_t>(found - keys.begin())].members.push_back(&measurement);
    }
  }
  for (ProbeSweep& sweep : sweeps) choose_best(sweep);
  return sweeps;
}

Table best_table(const Experiment& experiment, const Words& words) {
  Table table{.name = "best",
              .caption = words("table.best.caption", {{"excess", percent(tolerable_excess - 1)}}),
              .columns = {{"cells", words("column.cells")},
                          {"k_rule", words("column.k_rule")},
                          {"k_exact", words("column.k_exact")},
                          {"k_measured", words("column.k_measured")},
                          {"rate", words("column.rate_at_best")},
                          {"rate_low", "rate_low", "", Shown::csv_only},
                          {"rate_high", "rate_high", "", Shown::csv_only},
                          {"exact", words("column.exact")},
                          {"fill", words("column.fill_at_best")},
                          {"k_tolerable", words("column.k_tolerable")}},
              .rows = {}};
  for (const ProbeSweep& sweep : probe_sweeps(experiment)) table.rows.push_back(best_row(sweep));
  return table;
}

}  // namespace bloomlab::analysis
