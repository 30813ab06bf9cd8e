// Stopping when a rate is known well enough. The number of queries is then itself random, which
// spoils nothing as long as the precision asked for is not coarse: to stop at a relative half-width
// of at most 10 % is, up to the steps of the batches, to stop at a fixed number of hits (at least
// 385 at 95 %), and there the usual intervals keep their level.
// Decisions are taken at fixed batch ends, on counts, by integers or by + - * / alone: they do not
// depend on threads, on the order of work, or on the machine.
// Sources: Haldane 1945, "On a method of estimating frequencies" (fixed hits); Stein 1945, "A
// two-sample test for a linear hypothesis whose power is independent of the variance" (stopping at
// a width); Cochran 1977, Sampling Techniques, chapter 10 (two levels).
#pragma once

#include <cstdint>
#include <span>

#include "statistics/ensemble.hpp"

namespace bloomlab::statistics {

/// The queries (of each filter) after which the next decision is taken, when `done` were asked: the
/// next multiple of thresholds::first_batch that is at least one such batch away and, from 8 such
/// batches on, about an eighth of what was done (rounded down to a multiple). Starting from 0:
/// 4096, 8192, ..., 65536, 73728, ...; some 150 decisions to 2^40 queries, and at most an eighth
/// too many queries. @param done 0 .. 2^53
[[nodiscard]] std::uint64_t next_batch_end(std::uint64_t done);

/// A precision that a run may be told to reach: half-width of the interval at `level`, as a part of
/// the rate.
struct PrecisionTarget {
  double relative = 0.0;  ///< in (0, thresholds::largest_precision]
  double level = 0.0;     ///< in (0, 1)
};

/// H = ceil((z / relative)^2), z the normal quantile of the level: the hits after which a small
/// rate is known so well; 1537 for 5 % at 0.95. z is rounded to nine decimals, so that H is the
/// same on every machine.
/// Throws std::invalid_argument outside the target's domain, or where H exceeds 2^53.
[[nodiscard]] std::uint64_t needed_hits(const PrecisionTarget& target);

/// Whether one filter's own rate p is known well enough: z sqrt((1 - p) / hits) <= relative, which
/// is hits * queries >= H (queries - hits), compared in integers. False at 0 hits.
/// @param hits 0 .. queries   @param queries 1 .. 2^53   @param needed H of needed_hits
/// Throws std::invalid_argument outside.
[[nodiscard]] bool precise_enough(std::uint64_t hits, std::uint64_t queries, std::uint64_t needed);

/// What to do at a batch end.
enum class Precision {
  not_yet,                  ///< ask on
  reached,                  ///< stop: the target is met
  more_queries_cannot_help  ///< stop: filters differ more than the target allows
};

/// Decides for the mean rate over all filters of a kind, from filters that were asked equally
/// often.
class EnsemblePrecision {
 public:
  /// Student's quantile for this many filters is computed once, and rounded to nine decimals.
  /// @param trials at least thresholds::precision_trials. Throws std::invalid_argument outside.
  EnsemblePrecision(const PrecisionTarget& target, std::uint64_t trials);

  /// `reached`: t sqrt(s^2 / T) <= relative * mean hits, with s^2 the variance of the filters'
  /// counts, and the binomial part alone is small enough too (counts that agree by chance do not
  /// stop a run). `more_queries_cannot_help`: the binomial part alone is small enough, but the part
  /// between filters, (s^2 - Q p (1 - p)) / (Q (Q - 1)), exceeds the target by itself; that the
  /// filters differ too much is then no accident of few hits.
  /// @param hits of each filter, as many as trials, each 0 .. queries   @param queries of each
  [[nodiscard]] Precision decide(std::span<const std::uint64_t> hits, std::uint64_t queries) const;

 private:
  std::uint64_t trials_;
  std::uint64_t needed_;  // hits, for the binomial part
  double limit_;          // relative / t, squared
};

/// The rate when queries went on until a fixed number of hits: the unbiased (h - 1) / (N - 1)
/// (Haldane 1945) and the exact interval with equal tails, which by P(N <= x) = P(at least h hits
/// in x queries) takes its lower end from Clopper and Pearson's interval for h of N and its upper
/// end from theirs for h - 1 of N - 1. Speaks of the filter that was asked.
/// @param hits h, the number fixed beforehand, >= 2   @param queries N, the one that was the h-th
/// hit, h .. 2^53   @param level in (0, 1). Throws std::invalid_argument outside.
[[nodiscard]] Estimate estimate_at_fixed_hits(std::uint64_t hits, std::uint64_t queries,
                                              double level);

}  // namespace bloomlab::statistics
