#include "analysis/planner/figures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "analysis/format/number.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::analysis::planner {
namespace {

constexpr std::size_t curve_points = 120;

/// Rates below it are not drawn.
constexpr double lowest_drawn = 1e-300;

std::string plan_caption(const Plan& plan) {
  return "Planned: n = " + grouped(plan.n) + ", m = " + grouped(plan.m) +
         ", k = " + std::to_string(plan.k) + ", exact rate " + significant(plan.rate, 4) + ".";
}

plot::Figure rate_curves(const Plan& plan, std::string name, std::string title, plot::Axis x,
                         double planned_x) {
  plot::Figure figure{.name = std::move(name),
                      .title = std::move(title),
                      .caption = plan_caption(plan),
                      .x = std::move(x),
                      .y = {.label = "false-positive rate", .scale = plot::Scale::log},
                      .series = {}};
  figure.markers = {{plot::MarkerAxis::x, planned_x, "planned"}};
  if (plan.rate_requested) figure.markers.push_back({plot::MarkerAxis::y, plan.p, "requested"});
  return figure;
}

template <class Rate>
plot::Series rate_line(std::string name, const std::vector<std::uint64_t>& places, Rate&& rate) {
  plot::Series series{
      .name = std::move(name), .kind = plot::Kind::line, .role = plot::Role::theory, .points = {}};
  for (const std::uint64_t place : places) {
    const double y = rate(place);
    if (y > lowest_drawn) series.points.push_back({.x = static_cast<double>(place), .y = y});
  }
  return series;
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

std::vector<plot::Figure> plan_figures(const Plan& plan) {
  std::vector<plot::Figure> figures;
  figures.push_back(rate_curves(plan, "plan_rate_by_n", "How fast the rate rises with more keys",
                                {.label = "keys n", .scale = plot::Scale::log},
                                static_cast<double>(plan.n)));
  figures.back().series = {
      rate_line("m and k as planned", around(plan.n, 10),
                [&](std::uint64_t n) { return theory::exact_fpr(plan.m, n, plan.k); })};
  figures.push_back(rate_curves(plan, "plan_rate_by_m", "What more bits buy",
                                {.label = "filter size m [bits]", .scale = plot::Scale::log},
                                static_cast<double>(plan.m)));
  figures.back().series = {
      rate_line("k as planned", around(plan.m, 4),
                [&](std::uint64_t m) { return theory::exact_fpr(m, plan.n, plan.k); }),
      rate_line("best k at every m", around(plan.m, 4),
                [&](std::uint64_t m) { return theory::optimal_k(m, plan.n).rate; })};
  const std::uint64_t most =
      std::min(std::max<std::uint64_t>(2 * plan.k, 8), theory::max_exact_probes);
  figures.push_back(rate_curves(plan, "plan_rate_by_k", "Which k is best, and how flat the best is",
                                {.label = "probes per key k"}, static_cast<double>(plan.k)));
  figures.back().series = {
      rate_line("n and m as planned", first_whole_numbers(most),
                [&](std::uint64_t k) { return theory::exact_fpr(plan.m, plan.n, k); })};
  return figures;
}

}  // namespace bloomlab::analysis::planner
