// What exhibits share: the printed values of a source, cells found by what they are, closed forms
// by ratio, deviations as text.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/content.hpp"

namespace bloomlab::analysis {

/// The printed table of a source: analysis/sources/NAME.json.
[[nodiscard]] Json printed_source(const std::string& name);

/// The first measurement that fits, or null.
[[nodiscard]] const Measurement* find_measurement(
    const Experiment& experiment, const std::function<bool(const Measurement&)>& fits);

/// A standard filter with this many bits per key and probes, or null.
[[nodiscard]] const Measurement* find_standard(const Experiment& experiment, double m_over_n,
                                               std::uint64_t k);

/// (1 - e^(-k / (m/n)))^k, the closed form that tables print. m_over_n > 0, k >= 1.
[[nodiscard]] double closed_form(std::uint64_t m_over_n, std::uint64_t k);

/// Digits after the point of a printed number: 4 for "0.0609".
[[nodiscard]] int printed_decimals(const std::string& printed);

/// Measured over exact, minus 1, with the interval of the measured rate; NaN without a prediction.
struct Deviation {
  double value = unknown;
  double low = unknown;
  double high = unknown;

  [[nodiscard]] std::string text() const;  ///< "+11.4 % [+11.1 %, +11.7 %]"
  [[nodiscard]] bool known() const { return value == value; }
};
[[nodiscard]] Deviation deviation_of(const Measurement& measurement);

/// An entry for a deviation; marked where the rate test flags the cell.
[[nodiscard]] Entry deviation_entry_of(const Measurement& measurement);

/// The measurement whose rate is furthest from theory, in standard deviations, among those that
/// fit; null where none was tested.
[[nodiscard]] const Measurement* most_deviant(const Experiment& experiment,
                                              const std::function<bool(const Measurement&)>& fits);

/// "rate [low, high]" of a measurement, or a dash for null.
[[nodiscard]] std::string rate_text(const Measurement* measurement);

/// Texts put together with "; ".
[[nodiscard]] std::string joined(const std::vector<std::string>& texts);

/// The first `most` texts put together with "; ", and how many more there are: what an answer has
/// room for.
[[nodiscard]] std::string first_of(const std::vector<std::string>& texts, std::size_t most,
                                   const Words& words);

/// The cells of an experiment that differ in the number of probes alone.
struct ProbeSweep {
  std::string label;                           ///< what the cells have in common: "m/n = 8"
  std::vector<const Measurement*> members;     ///< by k
  const Measurement* best_exact = nullptr;     ///< lowest exact rate
  const Measurement* best_measured = nullptr;  ///< lowest measured rate
};

/// Every sweep over k of the standard filters, in grid order.
[[nodiscard]] std::vector<ProbeSweep> probe_sweeps(const Experiment& experiment);

/// The label of a cell by its bits per key: "m/n = 8".
[[nodiscard]] std::string ratio_label(const Json& cell);

/// The table "best": for every sweep the best k by the rule, by the exact rate, as measured, the
/// rate and the share of set bits there.
[[nodiscard]] Table best_table(const Experiment& experiment, const Words& words);

}  // namespace bloomlab::analysis
