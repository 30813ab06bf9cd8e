// Statistics of durations. Timings have a floor and a long tail of noise, so that means and
// normal laws describe them badly; everything here is by ranks and medians.
// Sources: Efron 1979, "Bootstrap methods: another look at the jackknife"; Mann and Whitney 1947,
// "On a test of whether one of two random variables is stochastically larger than the other";
// Hodges and Lehmann 1963, "Estimates of location based on rank tests".
#pragma once

#include <cstdint>
#include <span>

#include "statistics/interval.hpp"

namespace bloomlab::statistics {

/// The middle value, or the mean of the two middle ones, in the unit of the values.
/// @param values at least one, finite, in any order. Throws std::invalid_argument otherwise, as do
/// all functions here.
[[nodiscard]] double median(std::span<const double> values);

/// Percentile bootstrap interval of the median: the quantiles (1 - level) / 2 and (1 + level) / 2
/// of the medians of thresholds::bootstrap_resamples resamples. With n values it cannot be wider
/// than their range: below six or so values it covers less than its level.
/// @param level in (0, 1)   @param seed of the resampling: equal seeds give equal intervals,
/// everywhere
[[nodiscard]] Interval bootstrap_median(std::span<const double> values, double level,
                                        std::uint64_t seed);

/// How two samples compare.
struct RankComparison {
  /// Pairs (a, b) with a > b, ties counted one half: Mann and Whitney's U of the first sample.
  double u = 0.0;
  double p_value = 1.0;  ///< two-sided: twice the smaller tail, at most 1
  bool exact = false;    ///< by counting all arrangements; else normal, tie-corrected, continuous
  /// Hodges and Lehmann's estimate of first minus second: median of all differences a - b.
  double shift = 0.0;
};

/// Mann and Whitney's test that two independent samples come from one law. Exact when there are no
/// ties and neither sample has more than thresholds::exact_rank_sample values. The normal law
/// elsewhere has its variance corrected for ties and 1/2 for continuity; p is 1 when all are equal.
/// @param first, second at least one finite value each, at most 2^13 each (all their differences
/// are held at once)
[[nodiscard]] RankComparison compare_durations(std::span<const double> first,
                                               std::span<const double> second);

/// Interval for the shift first minus second: all shifts that the test above does not reject at
/// 1 - level. Its ends are differences a - b, or infinite where the samples are too small for the
/// level (three against three at 0.95). By the exact law for samples of up to
/// thresholds::exact_rank_sample values, tied or not, else by the normal one.
/// Source: Moses 1953, in Walker and Lev, "Statistical inference", chapter 18.
/// @param first, second as above   @param level in (0, 1)
[[nodiscard]] Interval shift_interval(std::span<const double> first, std::span<const double> second,
                                      double level);

}  // namespace bloomlab::statistics
