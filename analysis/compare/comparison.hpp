// Two folders of results side by side: which observations speak of the same thing, and what they
// say of rates. A thing is a cell, by its canonical JSON, and a step of it, in files of one stem;
// rates are compared cell by cell, the filter being the replicate.
//
// All cells of a file against all cells of another, round by round. A run measures every cell once,
// then every cell once more: process runs of one number are a round, and the noise of the machine
// meanwhile makes many of them noisy. So process runs of different cells are not independent, and
// the round is the replicate: one number a round, and rounds are what two runs are compared by.
//
// How a round becomes a number is fixed from both runs together, without a look at which run a
// round is of. So where nothing has changed, and the rounds are exchangeable, all arrangements of
// them are equally likely, and the test by ranks is exact, however cells hang together within a
// round. (van Elteren's test would take the cells as independent, and is not used.)
// Sources: Hodges and Lehmann 1962, "Rank methods for combination of independent experiments in
// analysis of variance" (values less what is usual in their cell); Quade 1967, "Rank analysis of
// covariance" (ranks of what a regression over both samples leaves).
//
// How far apart medians of process runs lie when nothing has changed. Two halves of one run's
// process runs are an A/A pair: what lies between their medians is noise. And the loops that every
// process run times before and after what it measures (docs/bench.md) are the same program in both
// runs: what lies between those is the machine.
//
// The durations of two folders. A process is the replicate: what several process runs of the
// program timed is tested, by ranks of one median per process run; what trials within one process
// timed is told and never judged, for one process is one look at the machine. Cells are tested one
// by one, and all cells of a file together by rounds.
//
// Two folders of results against each other: which rates and durations differ beyond chance, and
// whether any differs by so much that the comparison fails.
//
// Three families of tests: rates, durations of all cells of a file together, durations of single
// cells. Holm's procedure within each, at a part of thresholds::family_alpha; the parts add up to
// the whole (Bonferroni 1936), so that a comparison of equals shows any difference with probability
// family_alpha at most, whatever the tests have to do with each other. Families, because a test of
// ten process runs a side cannot give p-values below 1e-5: thousands of rates beside it would
// silence it, and hundreds of noisy cells the few rows that see a little slowdown of all.
//
// When a comparison fails: how large a difference has to be, beside being beyond chance.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/data/load.hpp"
#include "record/result_file.hpp"
#include "statistics/interval.hpp"
#include "statistics/two_rates.hpp"

namespace bloomlab::analysis::compare {

/// One cell (of one step) in both folders. Observations are by trial.
struct CellPair {
  Json cell;
  std::optional<std::uint64_t> step;
  std::vector<const record::Observation*> first;  ///< of the file's rows
  std::vector<const record::Observation*> second;

  /// Both have the same trials with the same seeds.
  [[nodiscard]] bool same_seeds() const;
  /// The same, and every count is equal as well.
  [[nodiscard]] bool same_counts() const;
};

/// One stem in both folders.
struct FilePair {
  std::string stem;
  std::string kind;
  const ResultSet* first = nullptr;
  const ResultSet* second = nullptr;
  std::shared_ptr<const std::vector<record::Observation>> first_rows;
  std::shared_ptr<const std::vector<record::Observation>> second_rows;
  bool same_config = false;      ///< but for title, question and what is expected of it
  std::vector<CellPair> cells;   ///< in the first's grid order
  std::vector<Json> only_first;  ///< cells, or cells with a "step", of the first alone
  std::vector<Json> only_second;
};

/// What two folders have in common. Points into the result sets, which must outlive it.
struct Pairing {
  std::vector<FilePair> files;  ///< by stem
  std::vector<std::string> stems_only_first;
  std::vector<std::string> stems_only_second;

  /// Cells that both have.
  [[nodiscard]] std::uint64_t cells() const;
};

/// Pairs what `load` read. Confirmation files are passed over: which cells they hold depends on
/// what was flagged.
[[nodiscard]] Pairing pair_up(const std::vector<ResultSet>& first,
                              const std::vector<ResultSet>& second);

/// One cell's rate in both folders, tested.
struct RateDifference {
  std::string stem;
  const CellPair* pair = nullptr;
  std::uint64_t first_hits = 0;
  std::uint64_t first_queries = 0;
  std::uint64_t second_hits = 0;
  std::uint64_t second_queries = 0;
  statistics::RateChange change;  ///< at thresholds::interval_level
  double adjusted_p = 1.0;        ///< after Holm, over the tests of the comparison
  bool changed = false;           ///< beyond chance

  /// How far from 1 the ratio's interval reaches, up or down: the size that cannot be excluded.
  [[nodiscard]] double possible_size() const;
};

/// What the cells of one pair of files say of rates and other counts.
struct RateFindings {
  std::vector<RateDifference> tested;
  std::uint64_t equal_counts = 0;             ///< cells: seeds and all counts are equal, no test
  std::vector<const CellPair*> other_counts;  ///< seeds are equal, hits are or are none, others not
  /// Cells: hits are not counted, there are none, or nobody knows the filters' spread.
  std::uint64_t untested = 0;
};

/// Tests the rates of a pair of files; adjusted p-values are left at 1.
/// Throws record::InputError, naming the file, for counts that cannot be.
[[nodiscard]] RateFindings rate_findings(const FilePair& files);

/// One duration of one cell in one run, a value per process run, in the order of the process runs.
struct ProcessRunTimes {
  std::vector<double> ns;       ///< > 0
  std::vector<double> line_ns;  ///< the bracket's loop of random lines, > 0; empty: not known
};

/// One duration of one cell in both runs.
struct Stratum {
  ProcessRunTimes first;
  ProcessRunTimes second;
};

/// A number a round: how far its durations lie from what is usual, as a logarithm.
struct RoundScores {
  std::vector<double> first;
  std::vector<double> second;
  /// Second over first, as far as the bracket's loops account for it: it is not in the scores. 1
  /// where the loops are not known.
  double explained = 1.0;
};

/// The number of process runs that all strata have on either side, and that is not 0.
[[nodiscard]] bool have_rounds(std::span<const Stratum> strata);

/// Scores of the rounds: the mean over the strata of the logarithms, each less the stratum's mean
/// over both runs and weighted by one over its variance over both runs (a stratum weighs at most
/// four times what the median one does); less what a straight line over all rounds of both runs
/// makes of the same mean of the loop's logarithms. So differences between runs are rather too
/// small: the line also takes the part that goes along with the loop by chance.
/// @param strata at least one, with rounds
[[nodiscard]] RoundScores round_scores(std::span<const Stratum> strata);

/// Random halvings of each list of process runs, from a fixed seed.
inline constexpr int halvings = 20;

/// Ratios, >= 1, of the medians of two random halves of each list, halvings of each; the larger
/// median is above. Lists of fewer than four values and values <= 0 are passed over.
/// @param lists the process runs of one duration, a list a cell
[[nodiscard]] std::vector<double> half_ratios(std::span<const std::vector<double>> lists);

/// The same of the rounds of a run: the shift of two random halves of the scores, by Hodges and
/// Lehmann's estimate, as a ratio.
/// @param lists scores of rounds (logarithms), a list a run
[[nodiscard]] std::vector<double> half_shifts(std::span<const std::vector<double>> lists);

/// The same of the rounds that a run began and ended with, the largest of all lists: what drifts
/// hides from random halves. 1 for lists of fewer than four scores.
[[nodiscard]] double drift(std::span<const std::vector<double>> lists);

/// The quantile thresholds::noise_quantile of such ratios; 1 where there is none.
[[nodiscard]] double noise_floor(std::vector<double> ratios);

/// Ratio, >= 1, of the medians of a loop of the bracket ("alu_ns", "line_ns") over all process runs
/// of two runs; 1 where a run lacks the loop.
[[nodiscard]] double bracket_ratio(const record::Observations& first,
                                   const record::Observations& second, const char* loop);

/// The name of all durations of a file in one.
inline constexpr const char* all_durations = "all";

/// One duration of one cell in both folders, tested; or of all cells of a file together.
struct TimeDifference {
  std::string stem;
  Json cell;         ///< null: all cells together, round by round
  std::string name;  ///< what was timed: "insert", "negative", "hash", ...; or all_durations
  std::uint64_t first_process_runs = 0;
  std::uint64_t second_process_runs = 0;
  /// A key, median of one median per process run; of all cells together, of their geometric means.
  double first_ns = 0.0;
  double second_ns = 0.0;         ///< the same
  double ratio = 1.0;             ///< second over first: Hodges and Lehmann's shift of logarithms
  double explained = 1.0;         ///< as in RoundScores: not in the ratio; 1 for a single cell
  statistics::Interval interval;  ///< of the ratio, at thresholds::interval_level
  double p_value = 1.0;           ///< Mann and Whitney's test, two-sided
  double adjusted_p = 1.0;        ///< after Holm, over its family, for all families together
  double noise_floor = 1.0;       ///< >= 1: ratios up to here are noise
  bool changed = false;           ///< beyond chance and beyond the noise floor

  [[nodiscard]] bool is_of_all_cells() const { return cell.is_null(); }
};

/// What the cells of one pair of files say of durations.
struct TimeFindings {
  std::vector<TimeDifference> tested;
  /// By name: ratios of medians, one a cell, that are not judged: of trials within one process, or
  /// of fewer process runs than thresholds::comparison_process_runs.
  std::map<std::string, std::vector<double>> indicative;
  bool within_one_process = false;  ///< the kind times trials, not process runs
  double noise_floor = 1.0;         ///< of the halves, over all durations
  double machine = 1.0;             ///< >= 1: of the bracket's loops, which are part of the floor
};

/// Tests the durations of a pair of files; adjusted p-values are left at 1. Durations within one
/// process are told where both files asked as many queries.
/// Throws record::InputError, naming the file, where a duration is none.
[[nodiscard]] TimeFindings time_findings(const FilePair& files);

/// Sizes from which differences fail a comparison, as parts of the first folder's value; what is
/// not named never fails.
struct FailOn {
  std::optional<double> rate;  ///< in either direction, in (0, 100]
  std::optional<double> time;  ///< slower only, in (0, 100]
};

/// Reads "rate:0.01,time:5%": each at most once, in any order, as a part or in per cent.
/// Throws record::InputError that says what was found and what is allowed.
[[nodiscard]] FailOn parse_fail_on(const std::string& text);

/// One pair of files: what is known beside the tests.
struct FileFindings {
  const FilePair* files = nullptr;
  std::uint64_t equal_counts = 0;             ///< cells, as in RateFindings
  std::uint64_t untested = 0;                 ///< cells, likewise
  std::vector<const CellPair*> other_counts;  ///< likewise
  TimeFindings times;                         ///< without its tests, which are in the comparison
};

/// What a comparison found. Points into the pairing.
struct Comparison {
  std::vector<RateDifference> rates;  ///< changed ones first, then by p-value
  std::vector<TimeDifference> times;  ///< the same
  std::vector<FileFindings> files;    ///< by stem
  double alpha = 0.0;                 ///< of the whole comparison
  /// Relative change of a rate that a typical test (the median one) notices with
  /// thresholds::power; NaN without tests.
  double detectable_rate = 0.0;
  /// No difference of single cells' durations, however large, could be beyond chance: too few
  /// process runs for so many tests.
  bool cells_are_mute = false;
  bool together_are_mute = false;  ///< the same of all cells together

  [[nodiscard]] std::uint64_t changed_rates() const;
  [[nodiscard]] std::uint64_t changed_times() const;
};

/// Compares what was paired. Throws record::InputError as the findings do.
[[nodiscard]] Comparison compare_pairs(const Pairing& pairing);

/// Whether a rate fails: it changed, and its interval does not exclude a change of limits.rate.
[[nodiscard]] bool fails(const RateDifference& difference, const FailOn& limits);

/// Whether a duration fails: it changed, and is estimated as slower by limits.time at least.
[[nodiscard]] bool fails(const TimeDifference& difference, const FailOn& limits);

/// Whether anything fails.
[[nodiscard]] bool fails(const Comparison& comparison, const FailOn& limits);

}  // namespace bloomlab::analysis::compare
