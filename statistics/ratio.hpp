// The quotient of two independent estimates, from the ends of their intervals. Dividing the ends by
// each other would give an interval that is far too wide.
// Source: Donner and Zou 2012, "Closed-form confidence intervals for functions of the normal mean
// and standard deviation" (the method of variance estimates recovery, MOVER, for a ratio).
#pragma once

#include "statistics/interval.hpp"

namespace bloomlab::statistics {

/// The interval of `numerator / denominator`, at the level that both intervals have. Where the
/// denominator may be 0, the upper end is infinite.
/// @param numerator >= 0, within its interval   @param denominator > 0, within its interval
/// Throws std::invalid_argument outside, and for ends below 0.
[[nodiscard]] Interval ratio_interval(double numerator, const Interval& of_numerator,
                                      double denominator, const Interval& of_denominator);

}  // namespace bloomlab::statistics
