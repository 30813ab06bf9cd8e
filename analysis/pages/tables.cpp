#include "analysis/pages/tables.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "analysis/pages/functions.hpp"

namespace bloomlab::analysis::pages {

namespace {

/// JSON as a value of SQL; what is neither number, text nor truth is written as JSON.
Value value_of(const Json& json) {
  if (json.is_null()) return std::monostate{};
  if (json.is_boolean()) return std::int64_t{json.get<bool>() ? 1 : 0};
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > (std::uint64_t{1} << 62U)) {
    return json.dump();  // seeds: no integer of SQL holds them
  }
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  return json.is_string() ? json.get<std::string>() : json.dump();
}

Value number_or_null(double number) {
  return std::isfinite(number) ? Value(number) : Value(std::monostate{});
}

/// The members of a cell with the path as a name: {"filter": {"m": 8}} is filter_m = 8.
void flatten(const Json& json, const std::string& name,
             std::vector<std::pair<std::string, Value>>& flat) {
  if (!json.is_object()) return flat.emplace_back(name, value_of(json)), void();
  for (const auto& [key, member] : json.items()) {
    flatten(member, name.empty() ? key : name + "_" + key, flat);
  }
}

/// Rows whose columns are found as they come; a name that is taken gets `prefix` in front.
class RowBuilder {
 public:
  void begin_row() { relation_.rows.emplace_back(relation_.columns.size()); }

  void set(const std::string& column, Value value) {
    const auto [place, is_new] = places_.try_emplace(column, relation_.columns.size());
    if (is_new) {
      relation_.columns.push_back(column);
      for (auto& row : relation_.rows) row.resize(relation_.columns.size());
    }
    relation_.rows.back()[place->second] = std::move(value);
  }

  [[nodiscard]] bool has(const std::string& column) const { return places_.contains(column); }

  /// For what is computed: parameters come first and keep their names.
  void set_computed(const std::string& column, Value value) {
    set(parameters_.contains(column) ? "measured_" + column : column, std::move(value));
  }

  void set_cell(std::int64_t number, const Json& cell) {
    set("cell", number);
    std::vector<std::pair<std::string, Value>> flat;
    flatten(cell, "", flat);
    for (auto& [name, value] : flat) {
      parameters_.emplace(name, true);
      set(name, std::move(value));
    }
  }

  [[nodiscard]] Relation take() { return std::move(relation_); }

 private:
  Relation relation_;
  std::map<std::string, std::size_t> places_;
  std::map<std::string, bool> parameters_;
};

std::int64_t signed_of(std::uint64_t count) { return static_cast<std::int64_t>(count); }

double mean_of(const Measurement& m, std::uint64_t Trial::*member) {
  double sum = 0;
  for (const Trial& trial : m.trials) sum += static_cast<double>(trial.*member);
  return sum / static_cast<double>(m.trials.size());
}

std::int64_t sum_of(const Measurement& m, std::uint64_t Trial::*member) {
  std::uint64_t sum = 0;
  for (const Trial& trial : m.trials) sum += trial.*member;
  return signed_of(sum);
}

void set_counts(RowBuilder& rows, const Measurement& m) {
  const auto set = [&](const char* name, Value value) {
    rows.set_computed(name, std::move(value));
  };
  set("step", m.step ? Value(signed_of(*m.step)) : Value(std::monostate{}));
  set("seed_group", m.group);
  set("trials", signed_of(m.trials.size()));
  set("inserted", signed_of(m.inserted()));
  set("true_positives", sum_of(m, &Trial::true_positives));
  set("false_positives", sum_of(m, &Trial::false_positives));
  set("true_negatives", sum_of(m, &Trial::true_negatives));
  set("false_negatives", sum_of(m, &Trial::false_negatives));
  set("queries", signed_of(m.estimate->queries));
  set("bits", mean_of(m, &Trial::bits));
  set("bits_set", mean_of(m, &Trial::bits_set));
  set("memory_bits", mean_of(m, &Trial::memory_bits));
  set("layers", mean_of(m, &Trial::layers));
  set("fill", m.mean_fill());
}

void set_theory(RowBuilder& rows, const Measurement& m) {
  const Prediction none;
  const Prediction& theory = m.prediction ? *m.prediction : none;
  rows.set_computed("model", m.prediction ? Value(theory.model) : Value(std::monostate{}));
  const auto set = [&](const char* name, double number) {
    rows.set_computed(name, number_or_null(number));
  };
  set("expected", theory.rate);
  set("expected_approx", theory.approx);
  set("expected_classic", theory.classic);
  set("expected_sd", theory.sd_rate);
  set("expected_bits_set", theory.mean_set_bits);
}

void set_test(RowBuilder& rows, const std::string& prefix, const std::optional<Test>& test) {
  const Test none;
  const Test& found = test ? *test : none;
  rows.set_computed(prefix + "z", number_or_null(found.z));
  rows.set_computed(prefix + "p", number_or_null(found.p_value));
  rows.set_computed(prefix + "p_holm", number_or_null(found.adjusted_p));
  rows.set_computed(prefix + "flagged", std::int64_t{found.flagged ? 1 : 0});
}

void set_estimates(RowBuilder& rows, const Measurement& m) {
  const Estimate& estimate = *m.estimate;
  const auto set = [&](const std::string& name, double number) {
    rows.set_computed(name, number_or_null(number));
  };
  const auto set_interval = [&](const std::string& name, double value,
                                const statistics::Interval& interval) {
    set(name, value);
    set(name + "_low", interval.low);
    set(name + "_high", interval.high);
  };
  const statistics::Interval nothing{unknown, unknown};
  const double expected = m.prediction ? m.prediction->rate : unknown;
  const statistics::Interval& fpr = estimate.rate.interval;
  set_interval("fpr", estimate.rate.value, fpr);
  set_interval("these_fpr", estimate.these_filters.value, estimate.these_filters.interval);
  set_interval("deviation", estimate.rate.value / expected - 1,
               {fpr.low / expected - 1, fpr.high / expected - 1});
  set_interval("fill_fpr", estimate.fill_rate, estimate.fill_interval.value_or(nothing));
  set_test(rows, "", estimate.rate_test);
  set_test(rows, "fill_", estimate.fill_test);
  set("detectable", estimate.detectable);
  set("fill_detectable", estimate.fill_detectable);
  const Rung* lowest = estimate.lowest_true();
  rows.set_computed("lowest_form", lowest ? Value(lowest->name) : Value(std::monostate{}));
}

/// The number of a cell, counted from 1 in the order of the grid.
class CellNumbers {
 public:
  std::int64_t operator()(const Json& cell) {
    if (last_ != nullptr && *last_ == cell) return number_;
    last_ = &cell;
    const auto count = static_cast<std::int64_t>(numbers_.size());
    number_ = numbers_.try_emplace(cell.dump(), count + 1).first->second;
    return number_;
  }

 private:
  const Json* last_ = nullptr;
  std::int64_t number_ = 0;
  std::map<std::string, std::int64_t> numbers_;
};

/// Sums over the trials of what a kind of its own counted; what cannot be added is left out.
Relation summed_cells(const Experiment& experiment) {
  RowBuilder rows;
  CellNumbers number;
  std::map<std::string, Json> sums;
  std::int64_t trials = 0;
  const auto finish = [&] {
    if (trials == 0) return;
    rows.set_computed("trials", trials);
    for (const auto& [name, sum] : sums) rows.set_computed(name, value_of(sum));
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
      if (value.is_number_integer()) {
        sums[name] = sums[name].is_null()
                         ? value
                         : Json(sums[name].get<std::int64_t>() + value.get<std::int64_t>());
      } else if (value.is_number()) {
        sums[name] = (sums[name].is_null() ? 0.0 : sums[name].get<double>()) + value.get<double>();
      } else if (value.is_string()) {
        sums[name] = value;
      }
    }
  }
  finish();
  return rows.take();
}

/// How many repetitions one observation timed: the length of its longest list.
std::size_t repetitions(const Json& timing) {
  std::size_t count = 1;
  for (const auto& [name, value] : timing.items()) {
    if (value.is_array()) count = std::max(count, value.size());
  }
  return count;
}

}  // namespace

Relation cells_of(const Experiment& experiment) {
  if (experiment.measurements.empty()) return summed_cells(experiment);
  RowBuilder rows;
  CellNumbers number;
  for (const Measurement& m : experiment.measurements) {
    rows.begin_row();
    rows.set_cell(number(m.cell), m.cell);
    set_counts(rows, m);
    set_estimates(rows, m);
    set_theory(rows, m);
  }
  return rows.take();
}

Relation trials_of(const Experiment& experiment) {
  RowBuilder rows;
  CellNumbers number;
  for (const record::Observation& observation : experiment.observations) {
    rows.begin_row();
    rows.set_cell(number(observation.cell), observation.cell);
    rows.set_computed("step", observation.step ? Value(signed_of(*observation.step)) : Value());
    rows.set_computed("trial", signed_of(observation.trial));
    rows.set_computed("seed", std::to_string(observation.seed));
    for (const auto& [name, value] : observation.measured.items()) {
      rows.set_computed(name, value_of(value));
    }
  }
  return rows.take();
}

Relation timings_of(const Experiment& experiment) {
  RowBuilder rows;
  CellNumbers number;
  for (const record::Observation& observation : experiment.observations) {
    const std::size_t count = repetitions(observation.timing);
    for (std::size_t i = 0; i < count && !observation.timing.empty(); ++i) {
      rows.begin_row();
      rows.set_cell(number(observation.cell), observation.cell);
      rows.set_computed("step", observation.step ? Value(signed_of(*observation.step)) : Value());
      rows.set_computed("trial", signed_of(observation.trial));
      rows.set_computed("repetition", signed_of(i + 1));
      for (const auto& [name, value] : observation.timing.items()) {
        const bool listed = value.is_array();
        if (listed && i >= value.size()) continue;
        rows.set_computed(name, value_of(listed ? value[i] : value));
      }
    }
  }
  return rows.take();
}

Relation config_of(const Experiment& experiment) {
  Relation relation{.columns = {"path", "value"}, .rows = {}};
  const Json flat = experiment.config.flatten();
  for (const auto& [path, value] : flat.items()) {
    relation.rows.push_back({path, value_of(value)});
  }
  return relation;
}

Numbers::Numbers(const Experiment& own, std::span<const Experiment> others)
    : own_(own), others_(others) {
  add_functions(database_);
}

Relation Numbers::query(std::string_view sql, const std::string& where) {
  add_named_tables(sql, own_, "");
  for (const Experiment& other : others_) add_named_tables(sql, other, other.stem + ".");
  return database_.query(sql, where);
}

void Numbers::add_named_tables(std::string_view sql, const Experiment& experiment,
                               const std::string& prefix) {
  using Make = Relation (*)(const Experiment&);
  static constexpr std::pair<const char*, Make> tables[] = {
      {"cells", cells_of}, {"trials", trials_of}, {"timings", timings_of}, {"config", config_of}};
  for (const auto& [table, make] : tables) {
    const std::string name = prefix + table;
    if (sql.find(name) == std::string_view::npos || !added_.insert(name).second) continue;
    Relation relation = make(experiment);
    if (relation.columns.empty()) relation.columns = {"cell"};
    database_.add_table(name, relation);
  }
}

}  // namespace bloomlab::analysis::pages
