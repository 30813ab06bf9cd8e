// Filters that were asked every key there is: their true rates, what their own bits say of them,
// and how often intervals from a part of the questions contain them.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/exhibits/shares.hpp"
#include "analysis/format/number.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/test.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

/// One filter whose rate is known.
struct KnownFilter {
  const Measurement* measurement = nullptr;
  const Trial* trial = nullptr;
  double p_value = unknown;  ///< of its hits, against the rate that its own bits imply
  double adjusted_p = unknown;
  std::uint64_t blocks = 0;
  Share clopper_pearson;
  Share wilson;

  [[nodiscard]] bool is_told_apart() const { return adjusted_p <= thresholds::family_alpha; }
  [[nodiscard]] double hits_of_block() const {
    return static_cast<double>(trial->false_positives) / static_cast<double>(blocks);
  }
  /// Few hits make the approximate interval promise nothing.
  [[nodiscard]] Promise wilson_promise() const {
    return hits_of_block() >= thresholds::coverage_hits ? Promise::near_level : Promise::none;
  }
  [[nodiscard]] double deviation(double from) const {
    return from > 0 ? trial->rate() / from - 1 : unknown;
  }
};

std::uint64_t count_at(const Json& measured, const std::string& key) {
  return as_count(value_at(measured, "/" + key)).value_or(0);
}

const record::Observation* observation_of(const Experiment& experiment, const Measurement& m,
                                          const Trial& trial) {
  const auto found = std::find_if(
      experiment.observations.begin(), experiment.observations.end(),
      [&](const auto& other) { return other.trial == trial.trial && other.cell == m.cell; });
  return found == experiment.observations.end() ? nullptr : &*found;
}

KnownFilter known_filter(const Experiment& experiment, const Measurement& m, const Trial& trial) {
  KnownFilter filter{.measurement = &m, .trial = &trial, .clopper_pearson = {}, .wilson = {}};
  const double own = trial.conditional_rate;
  filter.p_value =
      statistics::test_own_rates(trial.false_positives, trial.queries(), {&own, 1}).p_value;
  if (const record::Observation* observation = observation_of(experiment, m, trial)) {
    const Json& measured = observation->measured;
    filter.blocks = count_at(measured, "blocks");
    filter.clopper_pearson =
        counted_share(count_at(measured, "covered_clopper_pearson"), filter.blocks);
    filter.wilson = counted_share(count_at(measured, "covered_wilson"), filter.blocks);
  }
  return filter;
}

std::vector<KnownFilter> known_filters(const Experiment& experiment) {
  std::vector<KnownFilter> filters;
  std::vector<double> p_values;
  for (const Measurement& m : experiment.measurements) {
    for (const Trial& trial : m.trials) {
      filters.push_back(known_filter(experiment, m, trial));
      p_values.push_back(filters.back().p_value);
    }
  }
  const std::vector<double> adjusted = statistics::holm(p_values);
  for (std::size_t i = 0; i < filters.size(); ++i) filters[i].adjusted_p = adjusted[i];
  return filters;
}

Entry deviation_entry_from(const KnownFilter& filter, double rate) {
  const double deviation = filter.deviation(rate);
  return std::isnan(deviation) ? no_entry() : Entry{signed_percent(deviation), deviation};
}

std::vector<Entry> census_row(const KnownFilter& filter) {
  const Json& cell = filter.measurement->cell;
  const Trial& trial = *filter.trial;
  Entry own = deviation_entry_from(filter, trial.conditional_rate);
  Entry p_value = p_value_entry(filter.p_value);
  own.marked = p_value.marked = filter.is_told_apart();
  const auto& prediction = filter.measurement->prediction;
  const double exact = prediction ? prediction->rate : unknown;
  return {
      count_entry(filter.measurement->inserted()),
      count_entry(trial.bits),
      word_entry(value_text(value_at(cell, "/filter/k"))),
      word_entry(word_at(cell, "/hash/probe")),
      count_entry(trial.trial + 1),
      count_entry(trial.false_positives),
      number_entry(trial.rate(), 6),
      number_entry(trial.conditional_rate, 6),
      own,
      p_value,
      number_entry(exact, 6),
      deviation_entry_from(filter, exact),
      share_entry(filter.clopper_pearson, !keeps(filter.clopper_pearson, Promise::at_least_level)),
      share_entry(filter.wilson, !keeps(filter.wilson, filter.wilson_promise()))};
}

Table census_table(const std::vector<KnownFilter>& filters, const Words& words) {
  Table table{.name = "census",
              .caption = words("table.census.caption",
                               {{"level", percent(thresholds::interval_level, 2)},
                                {"bound", percent(thresholds::simulation_level, 2)},
                                {"alpha", parameter_text(thresholds::family_alpha)}}),
              .columns = {{"n", "n", "keys"},
                          {"m", "m", "bits"},
                          {"k", "k"},
                          {"probe", "probe"},
                          {"trial", words("column.filter_number")},
                          {"false_positives", words("column.false_positives"), "keys"},
                          {"true_rate", words("column.true_rate")},
                          {"conditional_rate", words("column.fill_rate")},
                          {"own_deviation", words("column.own_deviation")},
                          {"own_p", words("column.p_value")},
                          {"exact", words("column.exact")},
                          {"deviation", words("column.deviation")},
                          {"clopper_pearson", words("column.blocks_clopper_pearson")},
                          {"wilson", words("column.blocks_wilson")}},
              .rows = {}};
  for (const KnownFilter& filter : filters) table.rows.push_back(census_row(filter));
  return table;
}

std::string filter_label(const KnownFilter& filter) {
  const Json& cell = filter.measurement->cell;
  std::string text = "m = " + grouped(filter.trial->bits);
  text.append(", k = ").append(value_text(value_at(cell, "/filter/k")));
  return text.append(", ").append(markdown_escaped(word_at(cell, "/hash/probe")));
}

Tags census_values(const std::vector<KnownFilter>& filters) {
  Tally apart;
  Tally blocks;
  double least = unknown;
  double greatest = unknown;
  double furthest = 0;
  ShareRange clopper_pearson;
  for (const KnownFilter& filter : filters) {
    const std::string place = filter_label(filter);
    apart.add(!filter.is_told_apart(), place);
    least = std::fmin(least, filter.trial->rate());
    greatest = std::fmax(greatest, filter.trial->rate());
    const double deviation = std::abs(filter.deviation(filter.trial->conditional_rate));
    if (filter.p_value == filter.p_value) furthest = std::fmax(furthest, deviation);
    if (!filter.clopper_pearson.is_known()) continue;
    clopper_pearson.add(filter.clopper_pearson);
    blocks.add(keeps(filter.clopper_pearson, Promise::at_least_level), place);
    if (filter.wilson_promise() == Promise::none) continue;
    blocks.add(keeps(filter.wilson, Promise::near_level), place);
  }
  return {{"filters", grouped(filters.size())},
          {"least_rate", significant(least)},
          {"greatest_rate", significant(greatest)},
          {"furthest", percent(furthest, 2)},
          {"own_kept", grouped(apart.kept())},
          {"own_broken", joined(apart.broken)},
          {"coverage_range", clopper_pearson.text()},
          {"level", percent(thresholds::interval_level, 2)},
          {"coverage_hits", parameter_text(thresholds::coverage_hits)},
          {"coverage_promises", grouped(blocks.promises)},
          {"coverage_kept", grouped(blocks.kept())},
          {"coverage_broken", joined(blocks.broken)}};
}

}  // namespace

Content census_exhibit(const Experiment& experiment, const Words& words) {
  const std::vector<KnownFilter> filters = known_filters(experiment);
  return {.values = census_values(filters), .tables = {census_table(filters, words)}};
}

}  // namespace bloomlab::analysis
