// Are counts spread evenly over bins? From the sum of their squares alone, a whole number, so that
// results are equal on all machines.
// Source: Pearson 1900, "On the criterion that a given system of deviations from the probable in
// the case of a correlated system of variables is such that it can be reasonably supposed to have
// arisen from random sampling".
#pragma once

#include <cstdint>
#include <span>

namespace bloomlab::statistics {

/// Draws over bins, several samples of equal size together.
struct UniformityTest {
  double statistic = 0.0;  ///< sum over samples of (bins / draws) sum c^2 - draws
  double degrees = 0.0;    ///< samples (bins - 1)
  double z = 0.0;          ///< (statistic - degrees) / sqrt(2 degrees); a description
  /// Two-sided, by the chi-square law: counts that are too even are a fault as well.
  double p_value = 1.0;
};

/// @param squares the sum of the squared counts of each sample, at least one sample, each from
/// draws^2 / bins to draws^2   @param draws of each sample, at least 5 bins   @param bins at least
/// 2 Throws std::invalid_argument outside.
[[nodiscard]] UniformityTest test_uniformity(std::span<const std::uint64_t> squares,
                                             std::uint64_t draws, std::uint64_t bins);

/// Twice the smaller tail of the chi-square law at x, at most 1; 0 where that is no double.
/// @param x >= 0   @param degrees > 0. Throws std::invalid_argument outside.
[[nodiscard]] double chi_square_two_sided(double x, double degrees);

}  // namespace bloomlab::statistics
