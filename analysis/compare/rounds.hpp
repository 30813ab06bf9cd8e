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
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "record/result_file.hpp"

namespace bloomlab::analysis::compare {

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
[[nodiscard]] double bracket_ratio(std::span<const record::Observation> first,
                                   std::span<const record::Observation> second, const char* loop);

}  // namespace bloomlab::analysis::compare
