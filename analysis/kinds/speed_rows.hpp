// Speeds from process runs: one figure a cell, its interval over process runs, the rate that was
// measured in the same process runs, and how quiet the machine was.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "record/result_file.hpp"
#include "statistics/interval.hpp"

namespace bloomlab::analysis {

/// Nanoseconds per key: the median of one median per process run.
struct SpeedTime {
  double value = unknown;
  statistics::Interval
      interval;  ///< bootstrap, over process runs; the value alone for a single one
  std::vector<double> process_runs;  ///< the medians, by trial
};

/// The rate of a row against its closed form.
struct SpeedRate {
  std::uint64_t hits = 0;     ///< absent keys reported, over all process runs; of streams, new keys
  std::uint64_t queries = 0;  ///< absent keys queried
  double value = unknown;
  statistics::Interval interval;  ///< for the ensemble of filters
  double expected = unknown;      ///< by the closed form
  double p_value = 1.0;           ///< two-sided
  double adjusted_p = 1.0;        ///< after Holm, over the rows of the file
  double detectable = unknown;    ///< relative deviation noticed with thresholds::power

  /// Measured and closed form differ beyond chance.
  [[nodiscard]] bool disagrees() const;
  /// The row notices what thresholds::speed_effect says.
  [[nodiscard]] bool is_sharp() const;
};

/// How quiet the machine was.
struct Noise {
  std::uint64_t process_runs = 0;
  std::uint64_t marked = 0;       ///< a loop of the bracket was off the run's median
  std::uint64_t steal_ticks = 0;  ///< taken away by the host, in all

  /// So many were marked that the run has failed.
  [[nodiscard]] bool are_too_many() const;
};

/// All process runs of one cell.
struct SpeedRow {
  Json cell;
  std::uint64_t process_runs = 0;
  bool available = true;  ///< false: the build lacked the peer, and nothing was timed
  /// By what was timed: "insert", "negative", "mixed", "positive", "dry", "build", "hash", "read";
  /// "deduplicate", and "deduplicate_net", which is what that took beyond "dry".
  std::map<std::string, SpeedTime> times;
  /// Of each process run by trial, the mean of the bracket's loop of random lines before and after
  /// (geometric) [ns]; empty unless every process run has it.
  std::vector<double> line_ns;
  double bytes_per_key = unknown;
  double huge_share = unknown;    ///< of the memory present before timing; median over process runs
  std::optional<SpeedRate> rate;  ///< none where the row has no filter
  /// Of keys i << 32 | i; none where the run did not ask for it. Judged among its like.
  std::optional<SpeedRate> structured;
  Noise noise;      ///< of its process runs, against the medians of the whole run
  std::string law;  ///< the filter of the catalogue whose closed form predicts it; "" for no filter

  [[nodiscard]] std::string implementation() const;
  /// The time of this name; NaN where it was not taken.
  [[nodiscard]] double time(const std::string& name) const;
};

/// A file of speeds.
struct SpeedRun {
  std::vector<SpeedRow> rows;  ///< in grid order
  Noise noise;

  /// Rows whose rate disagrees with its closed form.
  [[nodiscard]] std::vector<const SpeedRow*> wrong_rates() const;
};

/// Whether a kind of experiment yields speeds.
[[nodiscard]] bool is_speed_kind(const std::string& kind);

/// The rows of a file of a speed kind. Throws record::InputError, naming `where`, where a count or
/// a duration is missing.
[[nodiscard]] SpeedRun speed_run(const Json& config, const record::Observations& observations,
                                 const std::string& where);

/// What is wrong with the experiment's rates, a line each; none for kinds that yield no speeds. A
/// machine that was not quiet is no fault of an experiment: its section says so.
[[nodiscard]] std::vector<std::string> speed_faults(const Experiment& experiment);

/// The row of this implementation in the conditions of `row`, or null.
[[nodiscard]] const SpeedRow* counterpart(const SpeedRun& run, const SpeedRow& row,
                                          const std::string& implementation);

/// The row of one thread in the conditions of `row` otherwise, or null.
[[nodiscard]] const SpeedRow* one_thread_row(const SpeedRun& run, const SpeedRow& row);

/// What was timed in the row over the same in `base`: median over process runs of the process runs'
/// own ratios, as process runs of one number ran close to each other. NaN where either lacks it.
[[nodiscard]] SpeedTime time_ratio(const SpeedRow& row, const SpeedRow& base,
                                   const std::string& name);

}  // namespace bloomlab::analysis
