#include "analysis/tables/ladder_table.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "analysis/data/axes.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis {

namespace {

using statistics::Equivalence;
using statistics::Verdict;

std::vector<Column> axis_columns(const std::vector<Axis>& axes) {
  std::vector<Column> columns;
  for (const Axis& axis : axes) {
    columns.push_back({axis.path.substr(1), short_name(axis.path), unit_of(axis.path)});
  }
  return columns;
}

std::vector<Entry> axis_entries(const Measurement& measurement, const std::vector<Axis>& axes) {
  std::vector<Entry> entries;
  for (const Axis& axis : axes) {
    const Json value = value_at(measurement.cell, axis.path);
    if (value.is_null()) {
      entries.push_back(no_entry());
    } else if (const auto count = as_count(value)) {
      entries.push_back(count_entry(*count));
    } else {
      entries.push_back(word_entry(value_text(value)));
    }
  }
  return entries;
}

/// What an undecided rung needs.
std::string need_text(const Equivalence& verdict, const Words& words) {
  if (verdict.further_queries) {
    return words("ladder.needs_queries",
                 {{"queries", significant(static_cast<double>(*verdict.further_queries), 2)}});
  }
  if (verdict.filters_needed) {
    return words("ladder.needs_filters", {{"filters", grouped(*verdict.filters_needed)}});
  }
  return words("ladder.out_of_reach");
}

std::string verdict_text(const Equivalence& verdict, const Words& words) {
  switch (verdict.verdict) {
    case Verdict::accepted:
      return words(verdict.significantly_different ? "verdict.accepted_distinguished"
                                                   : "verdict.accepted");
    case Verdict::rejected:
      return words("verdict.rejected");
    case Verdict::undecided:
      break;
  }
  return words("verdict.undecided", {{"need", need_text(verdict, words)}});
}

Entry ratio_entry(const Equivalence& verdict) {
  return {signed_percent_with_interval(verdict.ratio - 1, verdict.at_rejection.low - 1,
                                       verdict.at_rejection.high - 1),
          verdict.ratio};
}

}  // namespace

std::string form_name(const std::string& form, const Words& words) {
  static constexpr std::array<std::string_view, 8> named = {
      "approx", "classic", "exact", "index_pairs", "hash_width", "duplicates", "reduction", "fill"};
  if (std::find(named.begin(), named.end(), form) != named.end()) return words("rung." + form);
  std::string model = form;
  std::replace(model.begin(), model.end(), '_', ' ');
  return words("rung.layout", {{"model", model}});
}

bool is_open(const Estimate& estimate) {
  return std::any_of(estimate.ladder.begin(), estimate.ladder.end(),
                     [](const Rung& rung) { return rung.verdict.verdict == Verdict::undecided; });
}

Entry ladder_entry(const Estimate& estimate, const Words& words) {
  if (estimate.ladder.empty()) return no_entry();
  const Rung* accepted = estimate.lowest_accepted();
  if (accepted != nullptr) {
    std::string text = form_name(accepted->name, words);
    const Rung* best = estimate.lowest_true();
    if (best == nullptr) return word_entry(text + " (" + words("ladder.distinguished") + ")");
    if (best != accepted) {
      text.append(" (").append(words("ladder.better", {{"form", form_name(best->name, words)}}));
      text.append(")");
    }
    return word_entry(text);
  }
  if (!is_open(estimate)) return word_entry(words("ladder.none"));
  return word_entry(
      words("verdict.undecided", {{"need", need_text(estimate.ladder.back().verdict, words)}}));
}

Table rungs_table(const Experiment& experiment, const Words& words,
                  const std::function<bool(const Measurement&)>& fits) {
  const std::vector<Axis> axes = distinguishing_axes(experiment.measurements);
  Table table{.name = "rungs",
              .caption = words("table.rungs.caption"),
              .columns = axis_columns(axes),
              .rows = {}};
  for (Column& column : std::vector<Column>{{"rung", words("column.rung")},
                                            {"form_rate", words("column.form_rate")},
                                            {"ratio", words("column.over_form")},
                                            {"verdict", words("column.verdict")}}) {
    table.columns.push_back(std::move(column));
  }
  for (const Measurement& measurement : experiment.measurements) {
    if (!fits(measurement)) continue;
    for (const Rung& rung : measurement.estimate->ladder) {
      auto row = axis_entries(measurement, axes);
      row.push_back(word_entry(form_name(rung.name, words)));
      row.push_back(number_entry(rung.rate, 5));
      row.push_back(ratio_entry(rung.verdict));
      row.push_back(word_entry(verdict_text(rung.verdict, words)));
      row.back().marked = rung.verdict.verdict == Verdict::rejected;
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table ladder_table(const Experiment& experiment, const Words& words) {
  Table table = rungs_table(experiment, words, [](const Measurement&) { return true; });
  table.name = "ladder";
  table.shown = Shown::csv_only;
  return table;
}

Table budget_table(const Experiment& experiment, const Words& words,
                   const std::function<bool(const Measurement&)>& fits) {
  const std::vector<Axis> axes = distinguishing_axes(experiment.measurements);
  std::vector<std::string> causes;
  for (const Measurement& m : experiment.measurements) {
    if (!fits(m)) continue;
    for (const auto& share : m.estimate->budget.shares) {
      if (std::find(causes.begin(), causes.end(), share.cause) == causes.end()) {
        causes.push_back(share.cause);
      }
    }
  }
  Table table{.name = "budget",
              .caption = words("table.budget.caption"),
              .columns = axis_columns(axes),
              .rows = {}};
  table.columns.push_back({"simple", words("column.simple_form")});
  for (const std::string& cause : causes) table.columns.push_back({cause, form_name(cause, words)});
  table.columns.push_back({"rest", words("column.rest")});
  table.columns.push_back({"measured", words("column.rate")});
  for (const Measurement& m : experiment.measurements) {
    const ErrorBudget& budget = m.estimate->budget;
    if (!fits(m) || budget.empty()) continue;
    auto row = axis_entries(m, axes);
    row.push_back(number_entry(budget.simple, 5));
    for (const std::string& cause : causes) {
      const auto share =
          std::find_if(budget.shares.begin(), budget.shares.end(),
                       [&](const ErrorBudget::Share& other) { return other.cause == cause; });
      row.push_back(
          share == budget.shares.end()
              ? no_entry()
              : Entry{signed_percent(share->rate / budget.simple), share->rate / budget.simple});
    }
    row.push_back({signed_percent_with_interval(budget.rest / budget.simple,
                                                budget.rest_interval.low / budget.simple,
                                                budget.rest_interval.high / budget.simple),
                   budget.rest / budget.simple});
    row.back().marked = !budget.rest_interval.contains(0.0);
    row.push_back(interval_entry(m.estimate->rate.value, m.estimate->rate.interval.low,
                                 m.estimate->rate.interval.high));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace bloomlab::analysis
