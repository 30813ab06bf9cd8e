// The rate of an ensemble of filters, estimated from T filters with Q queries each. Filters differ
// from each other, so that queries within a filter are not independent looks at the ensemble: an
// interval that pools them covers far less than it says (m = 1000, n = 100, k = 7: 40 % instead
// of 95 % at 1e5 queries a filter). The functions here know both levels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "statistics/hit_law.hpp"
#include "statistics/interval.hpp"

namespace bloomlab::statistics {

/// How an interval was made.
enum class IntervalMethod {
  clopper_pearson,    ///< exact binomial
  wilson,             ///< score, binomial variance
  gamma_poisson,      ///< exact for the gamma-mixed Poisson with theory's variance between filters
  score_theory,       ///< score, variance with theory's part between filters
  score_observed,     ///< score, variance as observed between filters, Student's quantile
  student,            ///< mean of values, one a filter, Student's quantile
  known_variance,     ///< mean of values, one a filter, theory's variance, normal quantile
  negative_binomial,  ///< exact for queries until a fixed number of hits
};

/// A measured quantity, never without its interval.
struct Estimate {
  double value = 0.0;
  Interval interval;
  IntervalMethod method = IntervalMethod::clopper_pearson;
};

/// The average rate of the filters that were measured, from all their hits together: exact
/// (clopper_pearson) below thresholds::few_hits hits or misses, else wilson.
/// @param hits, queries over all filters   @param level in (0, 1)
/// Throws std::invalid_argument outside.
[[nodiscard]] Estimate estimate_these_filters(std::uint64_t hits, std::uint64_t queries,
                                              double level);

/// The ensemble's rate, by the first rule that applies; "rare" is the smaller one of the total
/// hits and the total misses:
/// 1. rare >= thresholds::few_hits, T >= thresholds::minimum_trials, and the filters' counts are
///    not all equal: score_observed. Needs no theory.
/// 2. `law` is given: estimate_with_law below.
/// 3. else: estimate_these_filters, which speaks of these filters only.
/// The choice depends on the counts and `law` alone.
/// @param hits of each filter, T of them, each 0 .. queries   @param queries Q of each filter
/// @param level in (0, 1). Throws std::invalid_argument outside.
[[nodiscard]] Estimate estimate_ensemble(std::span<const std::uint64_t> hits, std::uint64_t queries,
                                         std::optional<RateLaw> law, double level);

/// The ensemble's rate with theory's spread between filters: of `law` only the coefficient of
/// variation sqrt(variance) / min(rate, 1 - rate) is used, the level of the rate is measured.
/// Below thresholds::few_hits hits or misses: clopper_pearson where the design effect under `law`
/// is at most thresholds::binomial_design_effect, else gamma_poisson. From there on score_theory.
/// @param hits over all filters, 0 .. trials * queries. Throws std::invalid_argument outside.
[[nodiscard]] Estimate estimate_with_law(std::uint64_t hits, const Sampling& sampling,
                                         const RateLaw& law, double level);

/// Mean of independent values, one a filter (such as each filter's own rate by its fill), with
/// Student's interval; not clipped to any range.
/// @param values at least 2, finite. Throws std::invalid_argument otherwise.
[[nodiscard]] Estimate estimate_mean(std::span<const double> values, double level);

/// The same with a variance of one value known from theory; one value is enough.
/// @param variance finite, >= 0
[[nodiscard]] Estimate estimate_mean(std::span<const double> values, double variance, double level);

/// Counted events per unit of exposure, of several trials: an interval of the mean rate that never
/// reaches below 0 and never has length 0. Where no count exceeds its exposure and some exposure is
/// above 1 the rate is a share, which does not pass 1 either. It is Student's interval of the
/// trials' rates; where fewer than thresholds::few_hits events (of a share: or non-events) were
/// counted in all, or all rates are equal, it is the hull of that and the exact one of all events
/// together: Student's knows that events come in clusters, the exact one what no event tells.
/// One trial has the exact one alone.
/// @param counts events of each trial, whole, 0 .. 2^53   @param exposures of each, > 0, as many
/// @param level in (0, 1). Throws std::invalid_argument outside.
/// Source: Garwood 1936, "Fiducial limits for the Poisson distribution"; of a share Clopper and
/// Pearson 1934.
[[nodiscard]] Interval count_interval(std::span<const double> counts,
                                      std::span<const double> exposures, double level);

}  // namespace bloomlab::statistics
