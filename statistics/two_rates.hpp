// Do two runs show the same rate? The filters are the replicates: queries of one filter are no
// independent looks at the rate of the ensemble. Where theory knows how much filters differ, or
// enough of them show it, counts are judged by that spread; where neither is so, not at all.
// Sources: Welch 1947, "The generalization of 'Student's' problem when several different population
// variances are involved"; Przyborowski and Wilenski 1940, "Homogeneity of results in testing
// samples from Poisson series" (given their sum, one of two counts is binomial); Rao and Scott
// 1992, "A simple method for the analysis of clustered binary data" (counts divided by the design
// effect).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "statistics/hit_law.hpp"
#include "statistics/interval.hpp"

namespace bloomlab::statistics {

/// What the filters of one run counted, one entry a filter in both lists.
struct FilterCounts {
  std::vector<std::uint64_t> hits;     ///< each at most its queries
  std::vector<std::uint64_t> queries;  ///< each >= 1; 2^53 at most in all
};

/// How two rates were compared.
enum class RateMethod {
  paired,      ///< differences of filters that were made alike, Student's test
  welch,       ///< logarithms of the mean rates by the observed spread, Welch's test
  conditional  ///< one count given the sum, binomial, over the design effect
};

/// Its name in results: "paired", "welch", "conditional".
[[nodiscard]] std::string_view name(RateMethod method) noexcept;

/// The second rate against the first.
struct RateChange {
  /// Second over first; NaN where neither has a hit, infinite where only the second has.
  double ratio = std::numeric_limits<double>::quiet_NaN();
  Interval interval;     ///< of the ratio; [0, infinity] where neither has a hit
  double p_value = 1.0;  ///< two-sided
  RateMethod method = RateMethod::conditional;
  double relative_error = 0.0;  ///< standard error of the ratio, as a part of it
  /// Of Student's law that the error is held against; infinite for the conditional test.
  double degrees = std::numeric_limits<double>::infinity();
};

/// Compares runs whose filters have nothing to do with each other. By Welch's test where both have
/// thresholds::minimum_trials filters that differ, and thresholds::few_hits hits and misses; else
/// by the conditional test of the rarer outcome, with the design effect that `law` gives (of `law`
/// only the coefficient of variation is used), or, without a law, that enough filters show. The
/// conditional test treats counts as Poisson's, which errs to the safe side at rates near one half.
/// @return nothing where neither a law nor enough filters tell the spread
/// @param level of the interval, in (0, 1). Throws std::invalid_argument outside.
[[nodiscard]] std::optional<RateChange> compare_rates(const FilterCounts& first,
                                                      const FilterCounts& second,
                                                      std::optional<RateLaw> law, double level);

/// The conditional test of two counts of which the filters' own are not known, with the design
/// effect that `law` gives each (of it only the coefficient of variation is used).
/// @param first_hits, second_hits 0 .. trials * queries   @param level of the interval, in (0, 1)
/// Throws std::invalid_argument outside.
[[nodiscard]] RateChange compare_counts(std::uint64_t first_hits, const Sampling& first,
                                        std::uint64_t second_hits, const Sampling& second,
                                        const RateLaw& law, double level);

/// Compares runs whose i-th filters had the same keys and seeds and were asked as often: what both
/// share does not blur the difference. A difference within half a hit a filter is none. Falls back
/// on compare_rates where there are too few filters, hits or misses for Student's test.
/// @param second as many filters as `first`, with the same queries
[[nodiscard]] std::optional<RateChange> compare_paired_rates(const FilterCounts& first,
                                                             const FilterCounts& second,
                                                             std::optional<RateLaw> law,
                                                             double level);

/// The smallest relative change that such a comparison notices with probability `power` at
/// two-sided `alpha`, by its standard error.
[[nodiscard]] double detectable_change(const RateChange& change, double alpha, double power);

}  // namespace bloomlab::statistics
