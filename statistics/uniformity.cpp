#include "statistics/uniformity.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/distributions.hpp"
#include "statistics/require.hpp"

namespace bloomlab::statistics {

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
    test.statistic += std::max(0.0, places / total * value - total);
  }
  test.degrees = static_cast<double>(squares.size()) * (places - 1.0);
  test.z = (test.statistic - test.degrees) / std::sqrt(2.0 * test.degrees);
  const double tail = std::min(detail::chi_square_at_most(test.statistic, test.degrees),
                               detail::chi_square_at_least(test.statistic, test.degrees));
  test.p_value = std::min(1.0, 2.0 * tail);
  return test;
}

}  // namespace bloomlab::statistics
