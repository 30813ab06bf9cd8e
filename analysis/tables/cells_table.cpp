#include "analysis/tables/cells_table.hpp"

#include <cmath>
#include <functional>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/tables/ladder_table.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis {

namespace {

/// A column and how it is filled.
struct Filled {
  Column column;
  std::function<Entry(const Measurement&)> entry;
};

Entry value_entry(const Json& value) {
  if (value.is_null()) return no_entry();
  if (const auto count = as_count(value)) return count_entry(*count);
  if (value.is_number()) return {value_text(value), value.get<double>()};
  return word_entry(value_text(value));
}

Entry known_entry(double number, int digits = 4) {
  return std::isnan(number) ? no_entry() : number_entry(number, digits);
}

std::vector<Filled> axis_columns(const Experiment& experiment, const Words& words) {
  std::vector<Filled> columns;
  for (const Axis& axis : axes_of(experiment.measurements)) {
    columns.push_back(
        {{axis.path.substr(1), short_name(axis.path), unit_of(axis.path)},
         [path = axis.path](const Measurement& m) { return value_entry(value_at(m.cell, path)); }});
  }
  if (experiment.measurements.front().step) {
    columns.push_back({{"step", words("column.step"), "", Shown::csv_only},
                       [](const Measurement& m) { return count_entry(m.step.value_or(0)); }});
    columns.push_back({{"inserted", words("column.inserted"), "keys"},
                       [](const Measurement& m) { return count_entry(m.inserted()); }});
  }
  return columns;
}

/// A sum of counts over the trials; only in the CSV.
Filled count_column(const std::string& key, std::uint64_t Trial::*member) {
  return {{key, key, "keys", Shown::csv_only}, [member](const Measurement& m) {
            std::uint64_t sum = 0;
            for (const Trial& trial : m.trials) sum += trial.*member;
            return count_entry(sum);
          }};
}

/// A number that only the CSV shows.
Filled csv_number(const std::string& key, const std::string& unit,
                  std::function<double(const Measurement&)> number) {
  return {{key, key, unit, Shown::csv_only},
          [number = std::move(number)](const Measurement& m) { return known_entry(number(m)); }};
}

std::vector<Filled> count_columns() {
  std::vector<Filled> columns;
  columns.push_back({{"trials", "trials", "", Shown::csv_only},
                     [](const Measurement& m) { return count_entry(m.trials.size()); }});
  columns.push_back(count_column("true_positives", &Trial::true_positives));
  columns.push_back(count_column("false_positives", &Trial::false_positives));
  columns.push_back(count_column("true_negatives", &Trial::true_negatives));
  columns.push_back(count_column("false_negatives", &Trial::false_negatives));
  return columns;
}

double width(const statistics::Estimate& estimate) {
  return estimate.interval.high - estimate.interval.low;
}

/// Whether pooling all queries would give an interval that is visibly another.
bool differs_when_pooled(const Measurement& m) {
  constexpr double visible = 0.1;
  const double pooled = width(m.estimate->these_filters);
  return std::abs(width(m.estimate->rate) - pooled) > visible * pooled;
}

Entry pooled_entry(const Measurement& m) {
  if (!differs_when_pooled(m)) return no_entry();
  const statistics::Estimate& pooled = m.estimate->these_filters;
  return interval_entry(pooled.value, pooled.interval.low, pooled.interval.high);
}

std::vector<Filled> rate_columns(const Words& words) {
  const auto rate = [](const Measurement& m) -> const statistics::Estimate& {
    return m.estimate->rate;
  };
  return {
      {{"rate", words("column.rate")},
       [rate](const Measurement& m) {
         const auto& estimate = rate(m);
         return interval_entry(estimate.value, estimate.interval.low, estimate.interval.high);
       }},
      csv_number("rate_low", "", [rate](const Measurement& m) { return rate(m).interval.low; }),
      csv_number("rate_high", "", [rate](const Measurement& m) { return rate(m).interval.high; }),
      {{"interval_method", "interval_method", "", Shown::csv_only},
       [rate](const Measurement& m) { return word_entry(std::string(name(rate(m).method))); }},
      {{"interval_population", "interval_population", "", Shown::csv_only},
       [rate](const Measurement& m) { return word_entry(std::string(name(rate(m).population))); }},
      {{"these_filters", words("column.these_filters"), "", Shown::markdown_only}, pooled_entry},
      csv_number("these_filters_low", "",
                 [](const Measurement& m) { return m.estimate->these_filters.interval.low; }),
      csv_number("these_filters_high", "",
                 [](const Measurement& m) { return m.estimate->these_filters.interval.high; }),
  };
}

std::vector<Filled> theory_columns(const Words& words) {
  const auto of = [](double Prediction::*member) {
    return
        [member](const Measurement& m) { return m.prediction ? (*m.prediction).*member : unknown; };
  };
  return {
      {{"model", "model", "", Shown::csv_only},
       [](const Measurement& m) {
         return m.prediction ? word_entry(m.prediction->model) : no_entry();
       }},
      {{"exact", words("column.exact")},
       [](const Measurement& m) {
         return m.prediction ? known_entry(m.prediction->rate, 5) : no_entry();
       }},
      csv_number("approx", "", of(&Prediction::approx)),
      csv_number("classic", "", of(&Prediction::classic)),
      csv_number("sd_conditional_rate", "", of(&Prediction::sd_rate)),
      csv_number("mean_set_bits", "bits", of(&Prediction::mean_set_bits)),
      csv_number("var_set_bits", "bits^2", of(&Prediction::var_set_bits)),
  };
}

Entry deviation_entry(const Measurement& m) {
  if (!m.prediction || !(m.prediction->rate > 0)) return no_entry();
  const double deviation = m.estimate->rate.value / m.prediction->rate - 1;
  return {signed_percent(deviation), deviation};
}

std::function<Entry(const Measurement&)> effect_of(double Estimate::*member) {
  return [member](const Measurement& m) {
    const double effect = (*m.estimate).*member;
    return std::isnan(effect) ? no_entry() : percent_entry(effect);
  };
}

std::vector<Filled> test_columns(const Words& words) {
  const auto of = [](std::optional<Test> Estimate::*test, double Test::*member, bool is_p) {
    return [test, member, is_p](const Measurement& m) {
      const auto& result = (*m.estimate).*test;
      if (!result) return no_entry();
      const double number = (*result).*member;
      Entry entry = is_p ? p_value_entry(number) : Entry{fixed(number, 2), number};
      entry.marked = result->flagged;
      return entry;
    };
  };
  return {
      {{"deviation", words("column.deviation")}, deviation_entry},
      {{"rate_z", words("column.rate_z")}, of(&Estimate::rate_test, &Test::z, false)},
      {{"rate_p", words("column.rate_p")}, of(&Estimate::rate_test, &Test::p_value, true)},
      {{"rate_holm", "rate_holm", "", Shown::csv_only},
       of(&Estimate::rate_test, &Test::adjusted_p, true)},
      {{"detectable", words("column.detectable")}, effect_of(&Estimate::detectable)},
      {{"fill_z", words("column.fill_z")}, of(&Estimate::fill_test, &Test::z, false)},
      {{"fill_p", words("column.fill_p")}, of(&Estimate::fill_test, &Test::p_value, true)},
      {{"fill_detectable", words("column.fill_detectable")}, effect_of(&Estimate::fill_detectable)},
      {{"fill_holm", "fill_holm", "", Shown::csv_only},
       of(&Estimate::fill_test, &Test::adjusted_p, true)},
  };
}

Entry fill_entry(const Measurement& m) {
  const Estimate& estimate = *m.estimate;
  if (!estimate.fill_interval) return known_entry(estimate.fill_rate, 5);
  return interval_entry(estimate.fill_rate, estimate.fill_interval->low,
                        estimate.fill_interval->high);
}

std::vector<Filled> fill_columns(const Words& words) {
  const auto end = [](double statistics::Interval::*member) {
    return [member](const Measurement& m) {
      const auto& interval = m.estimate->fill_interval;
      return interval ? (*interval).*member : unknown;
    };
  };
  return {
      {{"fill", words("column.fill")},
       [](const Measurement& m) { return number_entry(m.mean_fill(), 4); }},
      {{"fill_rate", words("column.fill_rate")}, fill_entry},
      csv_number("fill_rate_low", "", end(&statistics::Interval::low)),
      csv_number("fill_rate_high", "", end(&statistics::Interval::high)),
  };
}

std::string remark(const Measurement& m, const Words& words) {
  const Estimate& estimate = *m.estimate;
  const bool flagged = (estimate.rate_test && estimate.rate_test->flagged) ||
                       (estimate.fill_test && estimate.fill_test->flagged);
  std::string text = flagged ? words("remark.flagged") : "";
  const auto append = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  const bool suspect = (estimate.rate_test && estimate.rate_test->suspect) ||
                       (estimate.fill_test && estimate.fill_test->suspect);
  if (suspect && !flagged) append(words("remark.suspect"));
  if (estimate.fill_based_only) {
    append(words(estimate.fill_is_estimate ? "remark.fill_based_only" : "remark.too_few"));
  }
  if (!estimate.fill_is_estimate) append(words("remark.diagnosis"));
  return text;
}

void append(std::vector<Filled>& columns, std::vector<Filled> more) {
  for (Filled& column : more) columns.push_back(std::move(column));
}

}  // namespace

Table cells_table(const Experiment& experiment, const Words& words) {
  std::vector<Filled> columns = axis_columns(experiment, words);
  append(columns, count_columns());
  append(columns, rate_columns(words));
  append(columns, theory_columns(words));
  append(columns, test_columns(words));
  append(columns, fill_columns(words));
  columns.push_back({{"lowest_form", words("column.lowest_form")},
                     [&](const Measurement& m) { return ladder_entry(*m.estimate, words); }});
  columns.push_back({{"remark", words("column.remark")},
                     [&](const Measurement& m) { return word_entry(remark(m, words)); }});
  Table table{.name = "cells", .caption = words("table.cells.caption"), .columns = {}, .rows = {}};
  for (const Filled& filled : columns) table.columns.push_back(filled.column);
  for (const Measurement& measurement : experiment.measurements) {
    auto& row = table.rows.emplace_back();
    for (const Filled& filled : columns) row.push_back(filled.entry(measurement));
  }
  table.fold_label = words("table.cells.fold", {{"count", grouped(table.rows.size())}});
  return table;
}

}  // namespace bloomlab::analysis
