#include "planner/curves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::planner {
namespace {

constexpr std::size_t curve_points = 120;

/// Rates below it are not drawn.
constexpr double lowest_drawn = 1e-300;

template <class Rate>
Curve rate_curve(std::string name, const std::vector<std::uint64_t>& places, Rate&& rate) {
  Curve curve{.name = std::move(name), .points = {}};
  for (const std::uint64_t place : places) {
    const double y = rate(place);
    if (y > lowest_drawn) curve.points.emplace_back(static_cast<double>(place), y);
  }
  return curve;
}

/// Places from value / factor to value * factor, evenly spaced in the logarithm.
std::vector<std::uint64_t> around(std::uint64_t value, std::uint64_t factor) {
  const auto low = static_cast<double>(std::max<std::uint64_t>(value / factor, 1));
  const auto high = static_cast<double>(std::min(value, largest_filter / factor) * factor);
  std::vector<std::uint64_t> places;
  for (std::size_t i = 0; i <= curve_points; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(curve_points);
    const auto place = static_cast<std::uint64_t>(std::llround(low * std::pow(high / low, share)));
    if (places.empty() || place > places.back()) places.push_back(place);
  }
  return places;
}

std::vector<std::uint64_t> first_whole_numbers(std::uint64_t last) {
  std::vector<std::uint64_t> numbers(last);
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

}  // namespace

std::vector<RateChart> rate_charts(const Plan& plan) {
  const std::uint64_t most =
      std::min(std::max<std::uint64_t>(2 * plan.k, 8), theory::max_exact_probes);
  const auto by_n = [&](std::uint64_t n) { return theory::exact_fpr(plan.m, n, plan.k); };
  const auto by_m = [&](std::uint64_t m) { return theory::exact_fpr(m, plan.n, plan.k); };
  const auto by_best = [&](std::uint64_t m) { return theory::optimal_k(m, plan.n).rate; };
  const auto by_k = [&](std::uint64_t k) { return theory::exact_fpr(plan.m, plan.n, k); };
  return {{.name = "plan_rate_by_n",
           .title = "How fast the rate rises with more keys",
           .x_label = "keys n",
           .log_x = true,
           .planned = static_cast<double>(plan.n),
           .curves = {rate_curve("m and k as planned", around(plan.n, 10), by_n)}},
          {.name = "plan_rate_by_m",
           .title = "What more bits buy",
           .x_label = "filter size m [bits]",
           .log_x = true,
           .planned = static_cast<double>(plan.m),
           .curves = {rate_curve("k as planned", around(plan.m, 4), by_m),
                      rate_curve("best k at every m", around(plan.m, 4), by_best)}},
          {.name = "plan_rate_by_k",
           .title = "Which k is best, and how flat the best is",
           .x_label = "probes per key k",
           .planned = static_cast<double>(plan.k),
           .curves = {rate_curve("n and m as planned", first_whole_numbers(most), by_k)}}};
}

}  // namespace bloomlab::planner
