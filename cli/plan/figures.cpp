// The figures of a plan.
#include <algorithm>
#include <iterator>

#include "cli/plan/answer.hpp"
#include "planner/curves.hpp"
#include "record/number_text.hpp"

namespace bloomlab::cli {
namespace {

using planner::Candidate;
using planner::GrowthYear;
using planner::Plan;
namespace plot = analysis::plot;

constexpr double bits_per_mebibyte = 8.0 * 1024.0 * 1024.0;
const plot::Axis rate_axis{.label = "false-positive rate", .scale = plot::Scale::log};

plot::Figure figure_of(std::string name, std::string title, std::string caption, plot::Axis x,
                       plot::Axis y) {
  return {.name = std::move(name),
          .title = std::move(title),
          .caption = std::move(caption),
          .x = std::move(x),
          .y = std::move(y),
          .series = {}};
}

plot::Series theory_line(std::string name) {
  return {
      .name = std::move(name), .kind = plot::Kind::line, .role = plot::Role::theory, .points = {}};
}

template <class Value>
plot::Series line_by_year(std::string name, const planner::GrowthPlan& growth, Value value) {
  plot::Series series = theory_line(std::move(name));
  for (const GrowthYear& year : growth.table) {
    series.points.push_back(
        {.x = static_cast<double>(year.year), .y = static_cast<double>(year.*value)});
  }
  return series;
}

plot::Figure chart_of(const planner::RateChart& chart, const Plan& plan) {
  plot::Figure figure = figure_of(
      chart.name, chart.title,
      "Planned: n = " + grouped(plan.n) + ", m = " + grouped(plan.m) +
          ", k = " + std::to_string(plan.k) + ", exact rate " + significant(plan.rate, 4) + ".",
      {.label = chart.x_label, .scale = chart.log_x ? plot::Scale::log : plot::Scale::linear},
      rate_axis);
  for (const planner::Curve& curve : chart.curves) {
    figure.series.push_back(theory_line(curve.name));
    for (const auto& [x, y] : curve.points) figure.series.back().points.push_back({.x = x, .y = y});
  }
  figure.markers = {{plot::MarkerAxis::x, chart.planned, "planned"}};
  if (plan.rate_requested) figure.markers.push_back({plot::MarkerAxis::y, plan.p, "requested"});
  return figure;
}

/// `plan_growth_memory` and `plan_growth_rate`, by year.
std::vector<plot::Figure> growth_figures(const planner::Plan& plan,
                                         const planner::GrowthPlan& growth) {
  const std::string caption = "n = " + grouped(plan.n) + " at first, " +
                              signed_percent(growth.factor - 1.0, 3) + " a year; goal " +
                              percent(plan.p, 3) + ".";
  const plot::Axis years{.label = "year", .scale = plot::Scale::linear};
  plot::Figure memory = figure_of("plan_growth_memory", "What growing keys cost in memory", caption,
                                  years, {.label = "memory [MiB]", .scale = plot::Scale::log});
  memory.series = {line_by_year("rebuilt every year", growth, &GrowthYear::rebuilt_bits),
                   line_by_year("scalable", growth, &GrowthYear::scalable_bits),
                   line_by_year("folded", growth, &GrowthYear::folded_bits)};
  for (plot::Series& series : memory.series) {
    for (auto& point : series.points) point.y /= bits_per_mebibyte;
  }
  plot::Figure rate = figure_of("plan_growth_rate", "What growing keys cost in the rate", caption,
                                years, rate_axis);
  rate.series = {line_by_year("kept as planned", growth, &GrowthYear::kept_rate),
                 line_by_year("folded", growth, &GrowthYear::folded_rate)};
  rate.markers = {{plot::MarkerAxis::y, plan.p, "goal"}};
  return {memory, rate};
}

/// `plan_break_even`: the mean lookup with and without the filter, by the hit ratio.
plot::Figure break_even_figure(double rate, const planner::StoreCosts& costs,
                               const planner::BreakEven& result) {
  constexpr int places = 50;
  plot::Figure figure = figure_of("plan_break_even", "Up to which hit ratio the filter pays",
                                  "Store " + significant(costs.miss_cost_ns, 3) + " ns, filter " +
                                      significant(costs.filter_cost_ns, 3) + " ns, rate " +
                                      significant(rate, 3) + ".",
                                  {.label = "hit ratio", .scale = plot::Scale::linear},
                                  {.label = "mean lookup [ns]", .scale = plot::Scale::linear});
  plot::Series with = theory_line("with the filter");
  plot::Series without = theory_line("without");
  for (int i = 0; i <= places; ++i) {
    const double hits = static_cast<double>(i) / places;
    with.points.push_back(
        {.x = hits, .y = costs.filter_cost_ns + (hits + (1.0 - hits) * rate) * costs.miss_cost_ns});
    without.points.push_back({.x = hits, .y = costs.miss_cost_ns});
  }
  figure.series = {with, without};
  figure.markers = {{plot::MarkerAxis::x, result.break_even_hit_ratio, "break-even"}};
  return figure;
}

}  // namespace

std::vector<plot::Figure> plan_figures(const PlanAnswer& answer) {
  std::vector<plot::Figure> figures;
  for (const planner::RateChart& chart : planner::rate_charts(answer.plan)) {
    figures.push_back(chart_of(chart, answer.plan));
  }
  if (answer.growth && answer.growth->table.size() > 1) {
    std::ranges::move(growth_figures(answer.plan, *answer.growth), std::back_inserter(figures));
  }
  if (answer.break_even) {
    const Candidate* filter = answer.recommended();
    figures.push_back(break_even_figure(filter ? filter->rate : answer.plan.rate, *answer.costs,
                                        *answer.break_even));
  }
  return figures;
}

}  // namespace bloomlab::cli
