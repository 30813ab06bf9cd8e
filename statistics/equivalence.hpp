// Which formula describes what was measured: the verdict of one rung of the theory ladder, from
// measured/theory and its intervals. A test that finds no difference proves none, hence
// acceptance is a test of its own: two one-sided tests at 5 % each reject both "the ratio is below
// 1 - tolerance" and "above 1 + tolerance" exactly when the 90 % interval lies between the two.
// Source: Schuirmann 1987, "A comparison of the two one-sided tests procedure and the power
// approach for assessing the equivalence of average bioavailability".
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "statistics/hit_law.hpp"
#include "statistics/interval.hpp"

namespace bloomlab::statistics {

/// What the measurement says of a rung.
enum class Verdict {
  accepted,   ///< describes the rate within thresholds::equivalence_tolerance
  rejected,   ///< not accepted, and the interval at thresholds::rejection_level excludes 1
  undecided,  ///< neither: too little was measured
};

/// A rung's verdict and what it rests on.
struct Equivalence {
  double ratio = 0.0;       ///< measured rate / theory's rate
  Interval at_equivalence;  ///< of the ratio, at thresholds::equivalence_level
  Interval at_rejection;    ///< of the ratio, at thresholds::rejection_level
  Verdict verdict = Verdict::undecided;
  /// The interval at thresholds::rejection_level excludes 1. With an accepted rung: near enough to
  /// describe the rate, and yet distinguished from the truth.
  bool significantly_different = false;

  /// Undecided: queries still to be asked, over the given filters together, until the verdict is
  /// expected, should the ratio stay what it is (and the spread between filters likewise). Nothing
  /// where no number of queries (up to 2^53 in all) suffices: filters differ too much.
  std::optional<std::uint64_t> further_queries;
  /// Undecided, and no number of queries suffices: filters needed in all, each asked as often as
  /// the given ones. Nothing where that would be more than 2^53 queries in all.
  std::optional<std::uint64_t> filters_needed;
};

/// Whether an undecided verdict says how much more measuring would decide: that takes some fifty
/// intervals.
enum class Further { planned, left_out };

/// Judges one rung by the total hits, with theory's spread between filters.
/// @param hits over all filters, 0 .. trials * queries
/// @param rung its mean rate, > 0, and the variance of a filter's own rate; of the variance only
/// the coefficient of variation matters (see estimate_with_law)
/// Throws std::invalid_argument outside.
[[nodiscard]] Equivalence compare_with_theory(std::uint64_t hits, const Sampling& sampling,
                                              const RateLaw& rung,
                                              Further further = Further::planned);

/// The same by each filter's hits: with the observed spread where estimate_ensemble uses it
/// (thresholds::minimum_trials filters, enough hits), else with theory's.
/// @param hits of each filter   @param queries asked of each filter
[[nodiscard]] Equivalence compare_with_theory(std::span<const std::uint64_t> hits,
                                              std::uint64_t queries, const RateLaw& rung,
                                              Further further = Further::planned);

}  // namespace bloomlab::statistics
