// Which tuning a calibration's measurements speak for. Pure functions: what was measured goes in.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/simd/batch_tuning.hpp"
#include "experiments/speed/latency_ladder.hpp"
#include "statistics/interval.hpp"

namespace bloomlab::experiments {

/// What a lookahead cost in the process runs of a calibration.
struct LookaheadCost {
  std::size_t lookahead = 0;         ///< keys
  std::vector<double> process_runs;  ///< [ns per key], at least one

  [[nodiscard]] double median() const;
  /// Of the median over process runs, by bootstrap at thresholds::interval_level.
  [[nodiscard]] statistics::Interval interval() const;
};

/// Process runs below which a choice is not made: an interval over fewer covers less than its
/// level.
inline constexpr std::size_t fewest_process_runs_to_choose = 6;

/// The lookahead to be used: the built-in one, unless others are better beyond the noise, which is
/// to say their interval is below its interval; then the one of these with the least median.
/// @param costs one a lookahead, with at least fewest_process_runs_to_choose process runs each;
/// fewer keep the built-in one   @param built_in one of them. Throws std::invalid_argument where it
/// is not.
[[nodiscard]] std::size_t choose_lookahead(std::span<const LookaheadCost> costs,
                                           std::size_t built_in);

/// `tuning` with the sizes of the caches that a latency ladder shows: the last one is the shared
/// one, a core's own is the first with at least twice the latency of the nearest. Where these are
/// not three caches, the last at least twice as slow as a core's own, the sizes stay as they are.
/// @param caches as cache_rungs() yields them
[[nodiscard]] BatchTuning with_measured_sizes(BatchTuning tuning,
                                              std::span<const LatencyRung> caches);

}  // namespace bloomlab::experiments
