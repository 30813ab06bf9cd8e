#include "statistics/uniformity.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/distributions.hpp"
#include "statistics/require.hpp"

namespace bloomlab::statistics {
namespace {

/// The smaller tail of the chi-square law at x. Where Chernoff's bound says that it is too small
/// for a double it is 0, as Boost's incomplete gamma throws there.
double smaller_tail(double x, double degrees) {
  constexpr double smallest_exponent = -740.0;
  const double ratio = x / degrees;
  if (!(ratio > 0.0)) return 0.0;
  if (0.5 * degrees * (1.0 - ratio + std::log(ratio)) < smallest_exponent) return 0.0;
  return std::min(detail::chi_square_at_most(x, degrees), detail::chi_square_at_least(x, degrees));
}

}  // namespace

UniformityTest test_uniformity(std::span<const std::uint64_t> squares, std::uint64_t draws,
                               std::uint64_t bins) {
  constexpr const char* here = "test_uniformity";
  const auto places = static_cast<double>(bins);
  const auto total = static_cast<double>(draws);
  detail::require(bins >= 2, here, "bins", places, "be at least 2");
  detail::require(total >= 5.0 * places, here, "draws", total, "be at least 5 times the bins");
  detail::require(!squares.empty(), here, "number of samples", 0.0, "be at least 1");
  UniformityTest test;
  for (const std::uint64_t sum : squares) {
    const auto value = static_cast<double>(sum);
    detail::require(value * places >= total * total * (1.0 - 1e-12) && value <= total * total, here,
                    "a sum of squares", value, "lie in [draws^2 / bins, draws^2]");
    test.statistic += std::max(0.0, (places * value - total * total) / total);
  }
  test.degrees = static_cast<double>(squares.size()) * (places - 1.0);
  test.z = (test.statistic - test.degrees) / std::sqrt(2.0 * test.degrees);
  test.p_value = chi_square_two_sided(test.statistic, test.degrees);
  return test;
}

double chi_square_two_sided(double x, double degrees) {
  constexpr const char* here = "chi_square_two_sided";
  detail::require(degrees > 0.0, here, "degrees", degrees, "be above 0");
  detail::require(x >= 0.0, here, "x", x, "be at least 0");
  return std::min(1.0, 2.0 * smaller_tail(x, degrees));
}

}  // namespace bloomlab::statistics
