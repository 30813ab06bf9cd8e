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
#pragma once

#include <span>
#include <vector>

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

}  // namespace bloomlab::analysis::compare
