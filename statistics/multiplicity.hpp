// Many tests at once. A table of 744 cells tested at 0.01 each shows seven false alarms even when
// everything is right; these functions give verdicts about the table as a whole.
// Sources: Holm 1979, "A simple sequentially rejective multiple test procedure"; Benjamini and
// Hochberg 1995, "Controlling the false discovery rate"; Benjamini and Yekutieli 2001, "The control
// of the false discovery rate in multiple testing under dependency".
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bloomlab::statistics {

/// P-values adjusted for the number of tests, in the order of the input: a test is rejected at
/// level alpha when its adjusted p-value is <= alpha. Equal p-values stay equal.
///
/// All take p-values in [0, 1] in any order, also none; NaN or a value outside throws
/// std::invalid_argument.

/// Holm: any rejection is false with probability at most alpha, whatever the dependence.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

/// Benjamini-Hochberg: the expected share of false ones among the rejections is at most alpha, for
/// independent (or positively dependent) tests.
[[nodiscard]] std::vector<double> benjamini_hochberg(std::span<const double> p_values);

/// Benjamini-Yekutieli: the same whatever the dependence; for cells of one seed group.
[[nodiscard]] std::vector<double> benjamini_yekutieli(std::span<const double> p_values);

/// Level of each of `count` intervals that makes all of them hold together with confidence
/// `simultaneous_level`, whatever their dependence: 1 - (1 - level) / count (Bonferroni).
/// @param simultaneous_level in (0, 1)   @param count >= 1. Throws std::invalid_argument.
[[nodiscard]] double bonferroni_level(double simultaneous_level, std::size_t count);

/// A whole table in one number.
struct SumOfSquares {
  double statistic = 0.0;   ///< sum of z^2
  std::size_t degrees = 0;  ///< number of cells
  double p_above = 1.0;     ///< P(as large or larger): cells stray further than theory lets them
  double p_below = 1.0;     ///< P(as small or smaller): cells agree better than chance lets them
  double p_value = 1.0;     ///< two-sided: twice the smaller one, at most 1
};

/// Sum of squared standardised deviations under the chi-square law. Only for cells that share
/// neither keys nor seeds: within a seed group their errors move together, and the law is another.
/// Only for cells whose z is near normal (counts not few), too: elsewhere use their p-values.
/// @param z at least one, finite, each of mean 0 and variance 1 if theory is right
/// Throws std::invalid_argument otherwise.
[[nodiscard]] SumOfSquares sum_of_squares(std::span<const double> z);

}  // namespace bloomlab::statistics
