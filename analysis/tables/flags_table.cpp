#include <algorithm>

#include "analysis/data/axes.hpp"
#include "analysis/tables/cells_table.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis {

namespace {

const Measurement* find(const std::vector<Measurement>& measurements, const Json& cell,
                        const std::optional<std::uint64_t>& step) {
  const auto found =
      std::find_if(measurements.begin(), measurements.end(),
                   [&](const Measurement& m) { return m.cell == cell && m.step == step; });
  return found == measurements.end() ? nullptr : &*found;
}

const std::optional<Test>& test_called(const Measurement& measurement, const std::string& name) {
  return name == "fill" ? measurement.estimate->fill_test : measurement.estimate->rate_test;
}

/// Deviation from the closed form with its interval: of the rate, or by fill.
Entry deviation(const Measurement* measurement, const std::string& test) {
  if (measurement == nullptr || !measurement->prediction) return no_entry();
  const double exact = measurement->prediction->rate;
  const Estimate& estimate = *measurement->estimate;
  const bool by_fill = test == "fill";
  const double value = by_fill ? estimate.fill_rate : estimate.rate.value;
  const statistics::Interval interval =
      by_fill ? estimate.fill_interval.value_or(statistics::Interval{value, value})
              : estimate.rate.interval;
  return {signed_percent_with_interval(value / exact - 1, interval.low / exact - 1,
                                       interval.high / exact - 1),
          value / exact - 1};
}

Entry p_of(const Measurement* measurement, const std::string& test) {
  if (measurement == nullptr || !test_called(*measurement, test)) return no_entry();
  return p_value_entry(test_called(*measurement, test)->p_value);
}

std::string place_of(const FlaggedCell& flag, const std::vector<Axis>& axes,
                     const Measurement* measurement) {
  std::string label = label_of(flag.cell, axes);
  if (flag.step && measurement != nullptr) {
    label += (label.empty() ? "" : ", ") + grouped(measurement->inserted()) + " keys";
  }
  return label;
}

Entry status_of(const FlaggedCell& flag, const Words& words) {
  if (!flag.expected) {
    Entry status = word_entry(words("flag.unexpected"));
    status.marked = true;
    return status;
  }
  return word_entry(words(flag.expected->certain ? "flag.expected" : "flag.possible",
                          {{"reason", words.of_data(flag.expected->reason)}}));
}

}  // namespace

Table flags_table(const Experiment& experiment, const Words& words) {
  const std::vector<Axis> axes = distinguishing_axes(experiment.measurements);
  Table table{.name = "flags",
              .caption = words("table.flags.caption"),
              .columns = {{"cell", words("column.cell")},
                          {"test", words("column.test")},
                          {"deviation", words("column.deviation")},
                          {"p_value", words("column.p_value")},
                          {"holm", words("column.holm")},
                          {"confirmation_deviation", words("column.confirmation_deviation")},
                          {"confirmation_p", words("column.confirmation_p")},
                          {"status", words("column.status")}},
              .rows = {}};
  for (const FlaggedCell& flag : experiment.flags.flagged) {
    const Measurement* measured = find(experiment.measurements, flag.cell, flag.step);
    const Measurement* confirmed = find(experiment.confirmation, flag.cell, flag.step);
    const Entry status = status_of(flag, words);
    table.rows.push_back({word_entry(place_of(flag, axes, measured)), word_entry(flag.test.name),
                          deviation(measured, flag.test.name), p_value_entry(flag.test.p_value),
                          p_value_entry(flag.test.adjusted_p), deviation(confirmed, flag.test.name),
                          p_of(confirmed, flag.test.name), status});
  }
  for (const ExpectedFlag& entry : experiment.flags.unseen) {
    Entry status = word_entry(words("flag.unseen", {{"reason", words.of_data(entry.reason)}}));
    status.marked = true;
    table.rows.push_back({word_entry(label_of(entry.cell, axes)), word_entry(entry.test),
                          no_entry(), no_entry(), no_entry(), no_entry(), no_entry(), status});
  }
  return table;
}

}  // namespace bloomlab::analysis
