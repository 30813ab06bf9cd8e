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
