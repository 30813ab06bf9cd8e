// What a test could have noticed, and how much must be measured to notice a given effect. A test
// that flags nothing says something only together with its minimum detectable effect.
//
// An effect is relative: the true rate is f (1 + effect), and the spread between filters keeps its
// coefficient of variation. The test is test_ensemble_rate at two-sided alpha; power counts only
// the rejections on the side of the effect. With few hits the law of whole numbers is used as the
// test uses it, so that the steps of its critical counts show.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "statistics/hit_law.hpp"

namespace bloomlab::statistics {

/// What a planned test shall do.
struct TestPlan {
  double alpha = 0.0;  ///< two-sided significance level, in (0, 1)
  double power = 0.0;  ///< probability of noticing the effect, in (0, 1) and above alpha
};

/// Smallest relative effects that a test notices with the plan's power; infinity where even the
/// largest possible one (a rate of 1, a rate of 0) would go unnoticed.
struct DetectableEffect {
  double increase = std::numeric_limits<double>::infinity();  ///< f (1 + increase), > 0
  double decrease = std::numeric_limits<double>::infinity();  ///< f (1 - decrease), in (0, 1]

  /// The larger one: noticed with the plan's power in either direction.
  [[nodiscard]] double either() const noexcept { return increase > decrease ? increase : decrease; }
};

/// Of test_ensemble_rate. At f = 0 no relative effect exists: both are infinity; at f = 1 the
/// increase is infinity.
/// Throws std::invalid_argument for arguments out of their domain, as do all below.
[[nodiscard]] DetectableEffect minimum_detectable_effect(const RateLaw& law,
                                                         const Sampling& sampling,
                                                         const TestPlan& plan);

/// Of test_mean_rate, by Student's quantiles (the non-central law's to about 1 %): the relative
/// change of the mean noticed by these filters, whose rates have this standard deviation.
/// @param mean > 0   @param deviation of one filter's measured rate, >= 0   @param filters >= 2
[[nodiscard]] double minimum_detectable_mean_effect(double mean, double deviation,
                                                    std::uint64_t filters, const TestPlan& plan);

/// Of test_set_bits, by the normal law: the relative change of the mean of the set bits noticed by
/// T filters. (A rate (X/m)^k changes by k times as much.)
/// @param mean, variance of the set bits of one filter, mean > 0   @param trials >= 1
[[nodiscard]] double minimum_detectable_set_bits_effect(double mean, double variance,
                                                        std::uint64_t trials, const TestPlan& plan);

/// Queries of each of `trials` filters with which the plan notices a relative effect in either
/// direction; nothing where none do, however many (more filters are needed then), up to 2^53 in
/// all. It suffices, and is the smallest such number up to the steps of the exact tests.
/// @param effect > 0; above 1 only the increase counts, a decrease by more than all being none
[[nodiscard]] std::optional<std::uint64_t> queries_to_detect(const RateLaw& law,
                                                             std::uint64_t trials, double effect,
                                                             const TestPlan& plan);

/// Filters that notice a relative effect of the ensemble's rate when each one's own rate is known
/// without error (endless queries, or by its fill): normal law, never less than 1.
[[nodiscard]] std::uint64_t trials_to_detect(const RateLaw& law, double effect,
                                             const TestPlan& plan);

}  // namespace bloomlab::statistics
