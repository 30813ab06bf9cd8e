// Tests of measured counts against a prediction. Two of them, on the same filters, separate two
// kinds of fault: the set bits against their mean and variance (the insert side), the hits against
// the filters' own rates (the query side); the hits against the ensemble's rate join both.
//
// Every p-value is two-sided: twice the smaller tail, at most 1. Thus the test at alpha rejects
// exactly the rates outside the equal-tailed (Clopper-Pearson) interval of level 1 - alpha, and
// for a law of whole numbers its false alarms are at most alpha.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "statistics/hit_law.hpp"

namespace bloomlab::statistics {

/// Which law gave a p-value.
enum class TestMethod {
  certain,        ///< the prediction leaves no choice: p is 1 if it was met, else 0
  binomial,       ///< exact binomial tails
  gamma_poisson,  ///< tails of the gamma-mixed Poisson law (negative binomial)
  normal,         ///< normal tails of z
  student,        ///< Student's tails of the mean over its observed standard error
};

/// The outcome of a test.
struct TestResult {
  /// (observed - expected) / standard deviation; +-infinity where the deviation is 0 and the
  /// prediction was missed. A description: except for `normal`, p_value does not come from it.
  double z = 0.0;
  double p_value = 1.0;  ///< two-sided, in [0, 1]
  TestMethod method = TestMethod::certain;
};

/// Total hits over all filters against the ensemble's rate. The law is chosen by HitLaw from the
/// prediction and the numbers of filters and queries alone, never from the hits.
/// @param hits 0 .. trials * queries. Throws std::invalid_argument outside the domains.
[[nodiscard]] TestResult test_ensemble_rate(std::uint64_t hits, const Sampling& sampling,
                                            const RateLaw& law);

/// Total hits against the filters' own rates, given their bits: a sum of binomials with unequal
/// rates, judged by the binomial law of the mean rate, which is never narrower (Hoeffding 1956,
/// "On the distribution of the number of successes in independent trials"); by its normal limit
/// where counts are many.
/// @param rates one a filter, each in [0, 1], at least one   @param queries asked of each filter
[[nodiscard]] TestResult test_own_rates(std::uint64_t hits, std::uint64_t queries,
                                        std::span<const double> rates);

/// Rates of single filters against the ensemble's, where theory knows no spread between filters or
/// each was asked a number of times of its own: Student's test of their mean (Student 1908, "The
/// probable error of a mean"); z is the mean's deviation in observed standard errors. Rates that
/// are all equal give `certain`.
/// @param rates one a filter, at least 2, finite   @param expected the ensemble's rate
/// Throws std::invalid_argument otherwise.
[[nodiscard]] TestResult test_mean_rate(std::span<const double> rates, double expected);

/// The same of rates that were counted: `hits` of `queries` over all filters. Few hits show less
/// spread than sampling alone has (3, 3 and 3, or none at all), which Student's test takes for
/// certainty; so this gives the greater p-value of it and of the binomial law of the total.
[[nodiscard]] TestResult test_mean_rate(std::span<const double> rates, double expected,
                                        std::uint64_t hits, std::uint64_t queries);

/// What theory says of the number X of set bits of one filter.
struct SetBitsLaw {
  double mean = 0.0;
  double variance = 0.0;  ///< >= 0; rounding a little below 0 is taken as 0
  /// Largest possible X: min(m, kn) for a standard filter. With it, filters that are nearly empty
  /// or nearly full are judged by exact tails; without it always by the normal law.
  double limit = std::numeric_limits<double>::infinity();
};

/// Set bits of all filters together against theory. Normal where the sum has a standard deviation
/// of at least 1 / thresholds::normal_skewness bits (or no limit is given). Below, the larger one
/// of two p-values: the normal one, and that of the missing bits limit - X under the binomial law
/// with their mean and variance (the number of empty bins is a sum of independent indicators:
/// Vatutin and Mikhailov 1982, "Limit theorems for the number of empty cells in an equiprobable
/// scheme for group allocation of particles"). The binomial is right where filters are nearly empty
/// or nearly full and z means nothing; half-way, where its far tails are too thin, the normal one
/// is.
/// @param set_bits over all filters   @param trials number of filters, >= 1
/// Throws std::invalid_argument for a mean outside [0, limit] or a negative variance.
[[nodiscard]] TestResult test_set_bits(std::uint64_t set_bits, std::uint64_t trials,
                                       const SetBitsLaw& law);

/// Twice the smaller tail of the chi-square law at x, at most 1; 0 where that is no double.
/// @param x >= 0   @param degrees > 0. Throws std::invalid_argument outside.
/// Source: Pearson 1900, "On the criterion that a given system of deviations from the probable in
/// the case of a correlated system of variables is such that it can be reasonably supposed to have
/// arisen from random sampling".
[[nodiscard]] double chi_square_two_sided(double x, double degrees);

}  // namespace bloomlab::statistics
