#include "analysis/exhibits/double_hashing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/data/axes.hpp"
#include "analysis/data/ladder.hpp"
#include "analysis/format/number.hpp"
#include "statistics/ensemble.hpp"
#include "statistics/power.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

/// The rate by the form of the cell's index family, where it has one.
std::optional<double> own_rate(const Measurement& m) {
  for (const ClosedForm& form : closed_forms(m.cell, m.inserted())) {
    if (form.name == "index_pairs") return form.rate;
  }
  return std::nullopt;
}

/// The same cell in the run with more filters, or the measurement itself.
const Measurement& confirmed(const Experiment& experiment, const Measurement& m) {
  const auto found = std::find_if(experiment.confirmation.begin(), experiment.confirmation.end(),
                                  [&](const Measurement& other) { return other.cell == m.cell; });
  return found == experiment.confirmation.end() ? m : *found;
}

/// Interval and detectable effect by the spread of the filters' own rates: theory's spread is that
/// of independent positions.
PairsCheck check_of(const Measurement& m, double ideal, double own) {
  std::vector<double> ratios;
  for (const Trial& trial : m.trials) ratios.push_back(trial.rate() / own);
  const auto mean = statistics::estimate_mean(ratios, PairsCheck::level);
  double squares = 0;
  for (const double ratio : ratios) squares += (ratio - mean.value) * (ratio - mean.value);
  const double deviation = std::sqrt(squares / static_cast<double>(ratios.size() - 1));
  return {.measured = &m,
          .ideal = ideal,
          .own = own,
          .deviation = {mean.value - 1, mean.interval.low - 1, mean.interval.high - 1},
          .detectable = statistics::minimum_detectable_mean_effect(
              1.0, deviation, ratios.size(),
              {.alpha = 1 - PairsCheck::level, .power = statistics::thresholds::power})};
}

}  // namespace

std::vector<PairsCheck> pairs_checks(const Experiment& experiment) {
  std::vector<PairsCheck> checks;
  for (const Measurement& measurement : experiment.measurements) {
    const auto own = own_rate(measurement);
    if (!own || !measurement.prediction) continue;
    const Measurement& m = confirmed(experiment, measurement);
    if (m.trials.size() >= 2) checks.push_back(check_of(m, measurement.prediction->rate, *own));
  }
  return checks;
}

Table pairs_table(const std::vector<PairsCheck>& checks, const Words& words) {
  Table table{.name = "pairs",
              .caption = words("table.pairs.caption",
                               {{"level", percent(PairsCheck::level, 2)},
                                {"power", percent(statistics::thresholds::power, 2)}}),
              .columns = {{"m", "m", "bits"},
                          {"n", "n", "keys"},
                          {"k", "k"},
                          {"probe", words("column.stride")},
                          {"filters", words("column.filters")},
                          {"ideal", words("column.ideal_rate")},
                          {"own", words("column.own_rate")},
                          {"rate", words("column.rate")},
                          {"deviation", words("column.over_own")},
                          {"detectable", words("column.detectable")}},
              .rows = {}};
  for (const PairsCheck& check : checks) {
    const Measurement& m = *check.measured;
    table.rows.push_back({count_entry(as_count(value_at(m.cell, "/filter/m")).value_or(0)),
                          count_entry(m.inserted()),
                          count_entry(as_count(value_at(m.cell, "/filter/k")).value_or(0)),
                          word_entry(word_at(m.cell, "/hash/probe")),
                          count_entry(m.trials.size()),
                          number_entry(check.ideal, 4),
                          number_entry(check.own, 5),
                          number_entry(check.own * (1 + check.deviation.value), 4),
                          {check.deviation.text(), check.deviation.value, !check.inside()},
                          percent_entry(check.detectable)});
  }
  return table;
}

std::string pairs_inside(const std::vector<PairsCheck>& checks, const Words& words) {
  if (checks.empty()) return words("not_measured");
  const auto inside = static_cast<std::uint64_t>(std::count_if(
      checks.begin(), checks.end(), [](const auto& check) { return check.inside(); }));
  return words("pairs.inside", {{"inside", grouped(inside)}, {"checks", grouped(checks.size())}});
}

std::string pairs_detectable(const std::vector<PairsCheck>& checks) {
  if (checks.empty()) return "–";
  const auto largest =
      std::max_element(checks.begin(), checks.end(),
                       [](const auto& a, const auto& b) { return a.detectable < b.detectable; });
  return percent(largest->detectable, 2);
}

}  // namespace bloomlab::analysis
