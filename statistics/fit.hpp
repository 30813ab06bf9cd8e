// How one quantity grows with others: least squares, and the power laws y = a x1^b1 x2^b2 ... that
// it fits in logarithms. By a column-pivoting Householder QR (Golub 1965, "Numerical methods for
// solving linear least squares problems"), never by the normal equations, which lose half the
// digits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "statistics/interval.hpp"

namespace bloomlab::statistics {

/// One fitted coefficient, never without its interval.
struct Coefficient {
  double value = 0.0;
  double standard_error = 0.0;
  Interval interval;  ///< by Student's law with the fit's degrees of freedom
};

/// y = c0 + c1 x1 + c2 x2 + ...
struct LinearFit {
  std::vector<Coefficient> coefficients;  ///< c0, then one for each predictor, in their order
  double residual_sd = 0.0;               ///< sqrt(residual sum of squares / degrees)
  double r_squared = 0.0;   ///< share of y's variance explained; 1 where y is constant
  std::size_t degrees = 0;  ///< points - coefficients, >= 1
};

/// Ordinary least squares with an intercept. The errors are taken as independent with one variance.
/// @param predictors one list of values each, all as long as y; may be none
/// @param y at least two values more than predictors   @param level of the intervals, in (0, 1)
/// Throws std::invalid_argument for lengths that differ, too few points, values that are not
/// finite, and predictors from which the coefficients cannot be distinguished (one of them
/// constant, or a combination of others).
[[nodiscard]] LinearFit fit_linear(std::span<const std::vector<double>> predictors,
                                   std::span<const double> y, double level);

/// y = a x1^b1 x2^b2 ...
struct PowerLaw {
  Coefficient factor;                  ///< a, its interval by that of ln a; standard error of ln a
  std::vector<Coefficient> exponents;  ///< b1, b2, ..., in the order of the variables
  double residual_sd = 0.0;            ///< of ln y: about the relative error of a prediction
  double r_squared = 0.0;              ///< of ln y
  std::size_t degrees = 0;             ///< points - exponents - 1
};

/// Fits ln y = ln a + b1 ln x1 + ...: relative errors are taken as alike everywhere.
/// @param variables, y as for fit_linear, and above 0. Throws std::invalid_argument as it does.
[[nodiscard]] PowerLaw fit_power_law(std::span<const std::vector<double>> variables,
                                     std::span<const double> y, double level);

}  // namespace bloomlab::statistics
