// What the analysis knows of an experiment: counts, then the closed form, then estimates and tests.
// The stages fill it one after the other and change nothing that an earlier one wrote:
//   load (data/load.hpp) -> with_theory -> with_statistics -> tables, figures, report.
//
// From observations to measurements: trials of one cell (of one step) come together, and every
// count is read once, strictly.
//
// What differs between the cells of an experiment, and what cells are called. Works on any cell, so
// that a config that nobody foresaw gets its figure and table too.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/expected_flag.hpp"
#include "record/result_file.hpp"
#include "record/sha256.hpp"
#include "statistics/ensemble.hpp"
#include "statistics/equivalence.hpp"
#include "statistics/multiplicity.hpp"

namespace bloomlab::analysis {

using record::ExpectedFlag;
using record::Json;

/// "Not known": the value of every number that a model or a test does not have.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A number of every trial. Counts are added exactly; reals one after the other, not by Eigen's
/// sums, whose order depends on the machine.
using Counts = Eigen::Array<std::uint64_t, Eigen::Dynamic, 1>;
using Reals = Eigen::ArrayXd;

/// What the trials of a cell counted, a column each.
class Trials {
 public:
  enum Column : Eigen::Index {
    number,
    true_positives,
    false_positives,
    true_negatives,
    false_negatives,  ///< beyond the inserted keys that the filter had turned away
    inserted,         ///< keys
    bits,             ///< of the filter, over all layers
    bits_set,
    memory_bits,  ///< allocated
    layers,
    columns
  };

  Trials() = default;
  /// Room for so many trials.
  explicit Trials(Eigen::Index count) : conditional_rate(count), counts_(count, columns) {}

  [[nodiscard]] Eigen::Index size() const { return counts_.rows(); }
  [[nodiscard]] auto operator[](Column column) const { return counts_.col(column); }
  [[nodiscard]] auto operator[](Column column) { return counts_.col(column); }
  /// Absent keys queried.
  [[nodiscard]] Counts queries() const {
    return (*this)[false_positives] + (*this)[true_negatives];
  }
  /// False positives per absent key asked, or its unbiased estimate where questions ended with a
  /// hit.
  [[nodiscard]] Reals rates() const;
  /// Set bits per bit.
  [[nodiscard]] Reals fills() const {
    return (*this)[bits_set].cast<double>() / (*this)[bits].cast<double>();
  }

  /// Why the trial's questions ended, where their number was not fixed; else "".
  [[nodiscard]] std::string_view stopped_by(Eigen::Index trial) const;
  void set_stopped_by(Eigen::Index trial, std::string why);

  Reals conditional_rate;  ///< rate of this very filter under ideal probes

 private:
  Eigen::Array<std::uint64_t, Eigen::Dynamic, columns> counts_;  // one block: cells are many
  std::vector<std::string> stopped_by_;                          // none, or one of each trial
};

/// A column as a list.
template <class Column>
[[nodiscard]] std::span<const typename Column::Scalar> list_of(const Column& column) {
  return {column.data(), static_cast<std::size_t>(column.size())};
}

/// The closed form that the filter names for itself, at the cell's parameters.
struct Prediction {
  std::string model;               ///< name of the model
  double rate = unknown;           ///< recommended (exact where known) rate
  double approx = unknown;         ///< (1 - e^(-kn/m))^k
  double classic = unknown;        ///< (1 - (1 - 1/m)^(kn))^k
  double sd_rate = unknown;        ///< standard deviation of the rate between filters
  double mean_set_bits = unknown;  ///< expected set bits
  double var_set_bits = unknown;   ///< their variance
};

/// A test of the measurement against the closed form.
struct Test {
  std::string_view name;        ///< "rate": hits against the rate; "fill": set bits against E X
  double z = unknown;           ///< deviation in standard deviations
  double p_value = unknown;     ///< two-sided
  double adjusted_p = unknown;  ///< after Holm, over all tests of the config
  bool flagged = false;         ///< adjusted_p at or below the family's alpha
  bool suspect = false;         ///< among the suspects, of which a few may be right
  bool normal = false;          ///< counts so many that z is a normal deviate
};

/// A rung of the theory ladder (data/with_theory.hpp): a closed form and what the hits say of it.
struct Rung {
  std::string name;
  double rate = unknown;
  statistics::Equivalence verdict;
};

/// What the rungs of a cell say together. They themselves are made where they are shown, by
/// ladder_of(): cells are many.
struct Ladder {
  /// The simplest form that describes the rate within the tolerance; or "".
  std::string lowest_accepted;
  /// The simplest form that is accepted and that the hits do not distinguish from the truth; or "".
  std::string lowest_true;
  bool judged = false;  ///< there are rungs
  bool open = false;    ///< one is undecided: more queries may still accept it
};

/// @param rungs simplest first
[[nodiscard]] Ladder summed_up(std::span<const Rung> rungs);

/// What the trials of a cell say together. Intervals are at thresholds::interval_level.
struct Estimate {
  std::uint64_t hits = 0;     ///< false positives over all trials
  std::uint64_t queries = 0;  ///< absent keys over all trials
  statistics::Estimate rate;  ///< hits / queries, for the ensemble of filters: trials replicate
  statistics::Estimate these_filters;  ///< the same, for the very filters that were measured
  double detectable = unknown;         ///< relative effect that the rate test finds with 90 % power
  double fill_detectable = unknown;    ///< relative effect on the set bits that the fill test finds
  bool fill_based_only = false;  ///< detectable exceeds the threshold: hits alone see too little
  double fill_rate = unknown;    ///< mean conditional rate
  std::optional<statistics::Interval> fill_interval;  ///< over trials; none for a single trial
  bool fill_is_estimate = false;  ///< independent probes; otherwise it is a diagnosis
  std::optional<Test> rate_test;
  std::optional<Test> fill_test;
  Ladder ladder;
};

/// What every trial drew anew.
struct Redrawn {
  bool keys = false;
  bool hash_seed = false;
};

/// All trials of one cell, or of one step of it.
struct Measurement {
  record::JsonText cell;              ///< every resolved key of the grid
  std::string group;                  ///< cells of a group share keys and seeds
  std::optional<std::uint64_t> step;  ///< for kinds that observe several times
  Redrawn redrawn;
  Trials trials;  ///< at least one
  std::optional<Prediction> prediction;
  std::optional<Estimate> estimate;

  /// Keys inserted, the same in every trial.
  [[nodiscard]] std::uint64_t inserted() const { return trials[Trials::inserted][0]; }
  /// Whether every trial asked as many absent keys; else each stopped by itself.
  [[nodiscard]] bool asked_equally() const;
  /// Mean set bits per bit, over the trials.
  [[nodiscard]] double mean_fill() const;
};

/// A test that Holm's procedure flags.
struct FlaggedCell {
  Json cell;
  std::optional<std::uint64_t> step;
  Test test;
  std::optional<ExpectedFlag> expected;  ///< the entry of the config that expects it
};

/// The flags of a config against those that it expects.
struct FlagCheck {
  std::uint64_t tests = 0;           ///< tests in the family
  std::vector<FlaggedCell> flagged;  ///< in grid order
  std::vector<ExpectedFlag>
      unseen;  ///< expected for certain, not flagged; `cell` is the whole cell

  /// Every flag is expected, and every expected one is there.
  [[nodiscard]] bool as_expected() const;
};

/// The tests of a config as a whole.
struct Family {
  bool shares_seeds = false;   ///< some cells share keys and seeds: their errors move together
  std::uint64_t suspects = 0;  ///< by Benjamini-Hochberg, or Benjamini-Yekutieli with shared seeds
  /// Of the rate tests with normal z; nothing where cells share seeds or no test has one.
  std::optional<statistics::SumOfSquares> squares;
};

/// A config's results.
struct Experiment {
  std::string stem;       ///< file name without ".json"
  std::string file_name;  ///< of the result file, or of the first of its shards
  std::string kind;
  std::string title;
  std::string question;
  Json config;
  Json provenance;
  std::map<std::string, std::string> pages;  ///< texts of the config's page, by file name
  record::Observations observations;         ///< as they were read
  /// In grid order, then step; none for kinds that measure no filter, whose pages read the
  /// observations.
  std::vector<Measurement> measurements;
  std::vector<Measurement> confirmation;  ///< of the flagged cells; may be empty
  FlagCheck flags;
  Family family;
};

/// Whether the row counts nothing, since the filter, one from outside, failed: its members "status"
/// and "reason" say how.
[[nodiscard]] bool has_failed(const record::Observation& observation);

/// The measurements of a result file, in grid order, then step. `where` names the file in errors.
/// Throws record::InputError where a count is missing, is no count, or does not fit the others:
/// observations of one cell that are not adjacent, a trial twice, trials that inserted or asked
/// different numbers of keys, inserted keys reported and denied that are not those inserted, no
/// absent key asked, a rate outside [0, 1]. Rows that have failed are left out.
[[nodiscard]] std::vector<Measurement> tabulate(const record::ResultFile& file,
                                                const std::string& where);

/// The same of observations that come one cell after the other and are not kept.
class Tabulator {
 public:
  explicit Tabulator(std::string where) : where_(std::move(where)) {}

  /// All observations of one or more cells. Throws as tabulate().
  void add(std::span<const record::Observation> rows);
  /// How many measurements were not yet taken.
  [[nodiscard]] std::size_t size() const { return measurements_.size(); }
  /// Takes those that were not.
  [[nodiscard]] std::vector<Measurement> take() { return std::exchange(measurements_, {}); }

 private:
  void add_cell(const std::vector<const record::Observation*>& rows);

  std::string where_;
  std::set<record::Sha256> cells_;  // of which there were observations
  std::vector<Measurement> measurements_;
};

/// The whole number >= 0 that a JSON value is, or nothing.
[[nodiscard]] std::optional<std::uint64_t> as_count(const Json& value);

/// A place in a cell whose value differs between cells.
struct Axis {
  std::string path;          ///< JSON pointer into the cell: "/filter/m"
  std::vector<Json> values;  ///< distinct values in the order of the grid; null: not in that cell
  bool numeric = false;      ///< every value is a number (cells without the place left aside)
};

/// The axes of the measurements, in the order in which the cells write their places.
[[nodiscard]] std::vector<Axis> axes_of(std::span<const Measurement> measurements);

/// The axes that distinguish cells: without those that another one, which is not left out itself,
/// settles (the path of a key file, when the source says which file).
[[nodiscard]] std::vector<Axis> distinguishing_axes(std::span<const Measurement> measurements);

/// The words of a command as one text; any other value as it is.
[[nodiscard]] Json as_one_value(const Json& value);

/// A cell as paths with plain values, as flatten() gives it, but a command is one text, and what a
/// config expects of a filter from outside and allows it is left out.
[[nodiscard]] Json flat_cell(const Json& cell);

/// The value at a JSON pointer, or null where the cell has no such place; a command is one text.
[[nodiscard]] Json value_at(const Json& cell, const std::string& path);

/// The number at a JSON pointer, or NaN.
[[nodiscard]] double number_at(const Json& cell, const std::string& path);

/// The word at a JSON pointer, or "".
[[nodiscard]] std::string word_at(const Json& cell, const std::string& path);

/// The word of the project's vocabulary for a place: "/filter/m" -> "m", "/hash/name" -> "hash",
/// "/keys/source" -> "keys", "/filter/kind" -> "filter".
[[nodiscard]] std::string short_name(const std::string& path);

/// The unit of a place, from the description of the filter that has it: "/filter/m" -> "bits".
/// "" for a pure number or a word.
[[nodiscard]] std::string unit_of(const std::string& path);

/// The cell's values on these axes: "m = 1 000, k = 7", "sha256, double_hashing". Words that say
/// themselves stand without their name; axes that are not in the cell are left out.
[[nodiscard]] std::string label_of(const Json& cell, std::span<const Axis> axes);

/// A single value as text: numbers grouped or short, words as they are.
[[nodiscard]] std::string value_text(const Json& value);

/// True if axis `a` is settled by axis `b`: cells that agree on b agree on a.
[[nodiscard]] bool settled_by(std::span<const Measurement> measurements, const std::string& a,
                              const std::string& b);

}  // namespace bloomlab::analysis
