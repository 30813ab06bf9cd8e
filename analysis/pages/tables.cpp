#include "analysis/pages/tables.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "analysis/data/measurement.hpp"
#include "analysis/data/with_statistics.hpp"
#include "analysis/pages/database.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::pages {

namespace {

double mean_of(const Counts& counts) {
  return static_cast<double>(counts.sum()) / static_cast<double>(counts.size());
}

Value step_of(const std::optional<std::uint64_t>& step) {
  return step ? Value(signed_of(*step)) : Value(std::monostate{});
}

void set_counts(RowBuilder& rows, const Measurement& m) {
  const auto set = [&](const char* name, Value value) {
    rows.set_computed(name, std::move(value));
  };
  set("step", step_of(m.step));
  set("seed_group", m.group);
  set("trials", std::int64_t{m.trials.size()});
  set("inserted", signed_of(m.inserted()));
  set("true_positives", signed_of(m.trials[Trials::true_positives].sum()));
  set("false_positives", signed_of(m.trials[Trials::false_positives].sum()));
  set("true_negatives", signed_of(m.trials[Trials::true_negatives].sum()));
  set("false_negatives", signed_of(m.trials[Trials::false_negatives].sum()));
  set("queries", signed_of(m.estimate->queries));
  set("bits", mean_of(m.trials[Trials::bits]));
  set("bits_set", mean_of(m.trials[Trials::bits_set]));
  set("memory_bits", mean_of(m.trials[Trials::memory_bits]));
  set("layers", mean_of(m.trials[Trials::layers]));
  set("fill", m.mean_fill());
}

void set_theory(RowBuilder& rows, const Measurement& m) {
  const Prediction none;
  const Prediction& theory = m.prediction ? *m.prediction : none;
  rows.set_computed("model", m.prediction ? Value(theory.model) : Value(std::monostate{}));
  rows.set_number("expected", theory.rate);
  rows.set_number("expected_approx", theory.approx);
  rows.set_number("expected_classic", theory.classic);
  rows.set_number("expected_sd", theory.sd_rate);
  rows.set_number("expected_bits_set", theory.mean_set_bits);
}

void set_test(RowBuilder& rows, const std::string& prefix, const std::optional<Test>& test) {
  const Test none;
  const Test& found = test ? *test : none;
  rows.set_number(prefix + "z", found.z);
  rows.set_number(prefix + "p", found.p_value);
  rows.set_number(prefix + "p_holm", found.adjusted_p);
  rows.set_computed(prefix + "flagged", truth_of(found.flagged));
  rows.set_computed(prefix + "suspect", truth_of(found.suspect));
}

/// `all` is the interval that holds for all cells of the experiment at once.
void set_estimates(RowBuilder& rows, const Measurement& m, const statistics::Interval& all) {
  const Estimate& estimate = *m.estimate;
  const auto set_interval = [&](const char* name, double value, const statistics::Interval& ends) {
    rows.set_interval(name, value, ends.low, ends.high);
  };
  const statistics::Interval nothing{unknown, unknown};
  const double expected = m.prediction ? m.prediction->rate : unknown;
  const statistics::Interval& fpr = estimate.rate.interval;
  set_interval("fpr", estimate.rate.value, fpr);
  set_interval("fpr_all", estimate.rate.value, all);
  set_interval("these_fpr", estimate.these_filters.value, estimate.these_filters.interval);
  set_interval("deviation", estimate.rate.value / expected - 1,
               {fpr.low / expected - 1, fpr.high / expected - 1});
  set_interval("fill_fpr", estimate.fill_rate, estimate.fill_interval.value_or(nothing));
  set_test(rows, "", estimate.rate_test);
  set_test(rows, "fill_", estimate.fill_test);
  rows.set_number("detectable", estimate.detectable);
  rows.set_number("fill_detectable", estimate.fill_detectable);
  rows.set_computed("fill_based_only", truth_of(estimate.fill_based_only));
  rows.set_computed("fill_is_estimate", truth_of(estimate.fill_is_estimate));
  const std::string& lowest = estimate.ladder.lowest_true;
  rows.set_computed("lowest_form", lowest.empty() ? Value(std::monostate{}) : Value(lowest));
}

/// The sum of two numbers; of whole ones modulo 2^64, as some of them are checksums.
Json sum_of(const Json& sum, const Json& value) {
  if (sum.is_null()) return value;
  if (!sum.is_number_integer() || !value.is_number_integer()) {
    return sum.get<double>() + value.get<double>();
  }
  return static_cast<std::int64_t>(sum.get<std::uint64_t>() + value.get<std::uint64_t>());
}

/// Sums over the trials of what a kind of its own counted; what cannot be added is left out.
void add_summed_cells(const Experiment& experiment, RowBuilder& rows) {
  CellNumbers number;
  std::map<std::string, Json> sums;
  std::int64_t trials = 0;
  const auto finish = [&] {
    if (trials == 0) return;
    rows.set_computed("trials", trials);
    for (const auto& [name, sum] : sums) rows.set_computed(name, sql_value(sum));
    sums.clear();
    trials = 0;
  };
  std::int64_t current = 0;
  for (const record::Observation& observation : experiment.observations) {
    const std::int64_t cell = number(observation.cell);
    if (cell != current) {
      finish();
      rows.begin_row();
      rows.set_cell(cell, observation.cell);
      current = cell;
    }
    ++trials;
    for (const auto& [name, value] : observation.measured.items()) {
      if (value.is_number()) {
        sums[name] = sum_of(sums[name], value);
      } else if (value.is_string()) {
        sums[name] = value;
      }
    }
  }
  finish();
}

/// The cells of the first run, numbered.
CellNumbers numbers_of(const Experiment& experiment) {
  CellNumbers number;
  for (const Measurement& m : experiment.measurements) static_cast<void>(number(m.cell()));
  return number;
}

/// How many repetitions one observation timed: the length of its longest list.
std::size_t repetitions(const Json& timing) {
  std::size_t count = 1;
  for (const auto& [name, value] : timing.items()) {
    if (value.is_array()) count = std::max(count, value.size());
  }
  return count;
}

/// Why what was flagged was expected, each reason once.
std::string reasons_of(const FlagCheck& flags) {
  std::vector<std::string> reasons;
  for (const FlaggedCell& flag : flags.flagged) {
    if (!flag.expected) continue;
    if (std::find(reasons.begin(), reasons.end(), flag.expected->reason) != reasons.end()) continue;
    reasons.push_back(flag.expected->reason);
  }
  std::string text;
  for (const std::string& reason : reasons) text.append(text.empty() ? "" : "; ").append(reason);
  return text;
}

void add_measurements(std::span<const Measurement> measurements, CellNumbers& number,
                      RowBuilder& rows) {
  const double all_level =
      statistics::bonferroni_level(statistics::thresholds::simultaneous_level, measurements.size());
  for (const Measurement& m : measurements) {
    rows.begin_row();
    const Json cell = m.cell();
    rows.set_cell(number(cell), cell);
    set_counts(rows, m);
    const bool wanted = rows.wants_values();
    set_estimates(rows, m, wanted ? ensemble_rate(m, all_level).interval : statistics::Interval{});
    set_theory(rows, m);
  }
}

/// Path and value of every member.
void add_flat(const Json& json, RowBuilder& rows) {
  rows.add_columns({"path", "value"});
  if (!json.is_object()) return;
  const Json flat = json.flatten();
  for (const auto& [path, value] : flat.items()) {
    rows.begin_row();
    rows.set("path", path);
    rows.set("value", sql_value(value));
  }
}

}  // namespace

void add_cells(const Experiment& experiment, RowBuilder& rows) {
  if (experiment.measurements.empty()) return add_summed_cells(experiment, rows);
  CellNumbers number;
  add_measurements(experiment.measurements, number, rows);
}

void add_confirmation(const Experiment& experiment, RowBuilder& rows) {
  if (experiment.measurements.empty()) return;
  CellNumbers number = numbers_of(experiment);
  if (!experiment.confirmation.empty()) {
    return add_measurements(experiment.confirmation, number, rows);
  }
  RowBuilder one;
  add_measurements({experiment.measurements.data(), 1}, number, one);
  rows.add_columns(one.take().columns);
}

void add_flags(const Experiment& experiment, RowBuilder& rows) {
  CellNumbers number = numbers_of(experiment);
  const std::vector<Axis> axes = distinguishing_axes(experiment.measurements);
  const auto begin = [&](const Json& cell, std::string_view test, const char* status,
                         const std::string& reason) {
    rows.begin_row();
    rows.set("place", label_of(cell, axes));
    rows.set("cell", number(cell));
    rows.set("test", std::string(test));
    rows.set("status", status);
    rows.set("reason", reason);
  };
  for (const auto& [cell, step, test, expected] : experiment.flags.flagged) {
    const char* status = !expected ? "unexpected" : expected->certain ? "expected" : "possible";
    begin(cell, test.name, status, expected ? expected->reason : "");
    rows.set("step", step_of(step));
    rows.set("p", test.p_value);
    rows.set("p_holm", test.adjusted_p);
  }
  for (const ExpectedFlag& entry : experiment.flags.unseen) {
    begin(entry.cell, entry.test, "unseen", entry.reason);
  }
  rows.add_columns({"place", "cell", "step", "test", "p", "p_holm", "status", "reason"});
}

void add_confirmation_trials(const Experiment& experiment, RowBuilder& rows) {
  CellNumbers number = numbers_of(experiment);
  for (const Measurement& m : experiment.confirmation) {
    const Trials& trials = m.trials;
    const Json cell = m.cell();
    for (Eigen::Index i = 0; i < trials.size(); ++i) {
      rows.begin_row();
      rows.set_cell(number(cell), cell);
      rows.set_computed("step", step_of(m.step));
      rows.set_computed("trial", signed_of(trials[Trials::number][i]));
      rows.set_computed("false_positives", signed_of(trials[Trials::false_positives][i]));
      rows.set_computed("true_negatives", signed_of(trials[Trials::true_negatives][i]));
      rows.set_computed("true_positives", signed_of(trials[Trials::true_positives][i]));
      rows.set_computed("false_negatives", signed_of(trials[Trials::false_negatives][i]));
      rows.set_computed("inserted", signed_of(trials[Trials::inserted][i]));
      rows.set_computed("bits", signed_of(trials[Trials::bits][i]));
      rows.set_computed("bits_set", signed_of(trials[Trials::bits_set][i]));
    }
  }
  rows.add_columns({"cell", "trial", "false_positives", "true_negatives", "true_positives",
                    "false_negatives", "inserted", "bits", "bits_set"});
}

void add_trials(const Experiment& experiment, RowBuilder& rows) {
  CellNumbers number;
  for (const record::Observation& observation : experiment.observations) {
    rows.begin_row();
    rows.set_cell(number(observation.cell), observation.cell);
    rows.set_computed("step", step_of(observation.step));
    rows.set_computed("trial", signed_of(observation.trial));
    rows.set_computed("seed", std::to_string(observation.seed));
    for (const auto& [name, value] : observation.measured.items()) {
      rows.set_computed(name, sql_value(value));
    }
  }
}

void add_timings(const Experiment& experiment, RowBuilder& rows) {
  CellNumbers number;
  for (const record::Observation& observation : experiment.observations) {
    const std::size_t count = repetitions(observation.timing);
    for (std::size_t i = 0; i < count && !observation.timing.empty(); ++i) {
      rows.begin_row();
      rows.set_cell(number(observation.cell), observation.cell);
      rows.set_computed("step", step_of(observation.step));
      rows.set_computed("trial", signed_of(observation.trial));
      rows.set_computed("repetition", signed_of(i + 1));
      for (const auto& [name, value] : observation.timing.items()) {
        const bool listed = value.is_array();
        if (listed && i >= value.size()) continue;
        rows.set_computed(name, sql_value(listed ? value[i] : value));
      }
    }
  }
}

void add_config(const Experiment& experiment, RowBuilder& rows) {
  add_flat(experiment.config, rows);
}

Relation results_of(std::span<const Experiment> experiments) {
  Relation relation{.columns = {"stem", "kind", "title", "cells", "tests", "flagged", "expected",
                                "unseen", "reasons"},
                    .rows = {}};
  for (const Experiment& experiment : experiments) {
    const FlagCheck& flags = experiment.flags;
    const auto expected = std::count_if(flags.flagged.begin(), flags.flagged.end(),
                                        [](const FlaggedCell& flag) { return flag.expected; });
    relation.rows.push_back({experiment.stem, experiment.kind, experiment.title,
                             signed_of(experiment.measurements.size()), signed_of(flags.tests),
                             signed_of(flags.flagged.size()), std::int64_t{expected},
                             signed_of(flags.unseen.size()), reasons_of(flags)});
  }
  return relation;
}

void add_provenance(const Experiment& experiment, RowBuilder& rows) {
  add_flat(experiment.provenance, rows);
}

std::vector<NamedTable> tables_for(const Experiment& experiment) {
  std::vector<NamedTable> tables = {{"cells", add_cells},
                                    {"confirmation", add_confirmation},
                                    {"confirmation_trials", add_confirmation_trials},
                                    {"flags", add_flags},
                                    {"trials", add_trials},
                                    {"timings", add_timings},
                                    {"config", add_config},
                                    {"provenance", add_provenance}};
  for (const Derivation& derivation : derivations()) {
    if (derivation.fits(experiment)) tables.push_back({derivation.table, derivation.make});
  }
  return tables;
}

}  // namespace bloomlab::analysis::pages
