#include "statistics/multiplicity.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "statistics/distributions.hpp"
#include "statistics/require.hpp"

namespace bloomlab::statistics {
namespace {

// Positions of the p-values, smallest first. Refuses NaN before it can spoil the order.
std::vector<std::size_t> ascending(std::span<const double> p_values, const char* where) {
  for (const double p : p_values) detail::require_probability(where, "a p-value", p);
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  return order;
}

// Step-up: p * penalty * count / rank, made monotone from the largest p-value down.
std::vector<double> step_up(std::span<const double> p_values, double penalty, const char* where) {
  const std::vector<std::size_t> order = ascending(p_values, where);
  const auto count = static_cast<double>(order.size());
  std::vector<double> adjusted(order.size());
  double smallest = 1.0;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t place = order[rank - 1];
    smallest = std::min(smallest, p_values[place] * penalty * count / static_cast<double>(rank));
    adjusted[place] = smallest;
  }
  return adjusted;
}

}  // namespace

std::vector<double> holm(std::span<const double> p_values) {
  const std::vector<std::size_t> order = ascending(p_values, "holm");
  std::vector<double> adjusted(order.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto remaining = static_cast<double>(order.size() - i);
    largest = std::max(largest, std::min(1.0, p_values[order[i]] * remaining));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p_values) {
  return step_up(p_values, 1.0, "benjamini_hochberg");
}

std::vector<double> benjamini_yekutieli(std::span<const double> p_values) {
  double harmonic = 0.0;
  for (std::size_t i = 1; i <= p_values.size(); ++i) harmonic += 1.0 / static_cast<double>(i);
  return step_up(p_values, harmonic, "benjamini_yekutieli");
}

double bonferroni_level(double simultaneous_level, std::size_t count) {
  detail::require_open_unit("bonferroni_level", "simultaneous level", simultaneous_level);
  detail::require_positive_count("bonferroni_level", "count", count);
  return 1.0 - (1.0 - simultaneous_level) / static_cast<double>(count);
}

SumOfSquares sum_of_squares(std::span<const double> z) {
  detail::require(!z.empty(), "sum_of_squares", "number of cells", 0.0, "be at least 1");
  SumOfSquares sum;
  for (const double one : z) {
    detail::require(std::isfinite(one), "sum_of_squares", "a deviation", one, "be finite");
    sum.statistic += one * one;
  }
  sum.degrees = z.size();
  const auto degrees = static_cast<double>(sum.degrees);
  sum.p_above = detail::chi_square_at_least(sum.statistic, degrees);
  sum.p_below = detail::chi_square_at_most(sum.statistic, degrees);
  sum.p_value = std::min(1.0, 2.0 * std::min(sum.p_above, sum.p_below));
  return sum;
}

}  // namespace bloomlab::statistics
