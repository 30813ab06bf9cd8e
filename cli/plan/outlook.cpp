#include "cli/plan/outlook.hpp"

#include <sstream>

#include "cli/one_line.hpp"
#include "planner/quantity_text.hpp"
#include "record/number_text.hpp"

namespace bloomlab::cli {
namespace {

using planner::GrowthYear;
using planner::iec_text;
using planner::spaced;
namespace plot = analysis::plot;

constexpr double bits_per_mebibyte = 8.0 * 1024.0 * 1024.0;

std::string lasts_text(const planner::Plan& plan, const planner::GrowthPlan& growth) {
  const std::string factor = signed_percent(growth.factor - 1.0, 3) + " a year";
  if (growth.best_years == 0.0) {
    return "  The budget lasts no time: the filter is made for the n of today (give --memory with "
           "more room, or plan for the n of a later year; " +
           factor + ")\n";
  }
  std::string text = "  The budget lasts until n = " + spaced(growth.last_keys) + ", in " +
                     significant(growth.years, 3) + " years (" + factor + ")\n";
  if (growth.best_last_keys > growth.last_keys) {
    text += "  With k = " + std::to_string(growth.best_k) +
            ", chosen for the end, until n = " + spaced(growth.best_last_keys) + ", in " +
            significant(growth.best_years, 3) + " years; k = " + std::to_string(plan.k) +
            " is best for today\n";
  }
  return text;
}

plot::Series line_by_year(std::string name, const planner::GrowthPlan& growth,
                          double (*value)(const GrowthYear&)) {
  plot::Series series{
      .name = std::move(name), .kind = plot::Kind::line, .role = plot::Role::theory, .points = {}};
  for (const GrowthYear& year : growth.table) {
    series.points.push_back({.x = static_cast<double>(year.year), .y = value(year)});
  }
  return series;
}

}  // namespace

std::string growth_plan_text(const planner::Plan& plan, const planner::GrowthPlan& growth) {
  std::ostringstream text;
  text << "\nOver the years\n" << lasts_text(plan, growth);
  text << "  year" << column("n", 20) << column("rate if kept", 16) << column("rebuilt", 14)
       << column("scalable", 14) << column("layers", 8) << column("folded", 14)
       << column("its rate", 14) << '\n';
  for (const GrowthYear& year : growth.table) {
    text << column(std::to_string(year.year), 6) << column(spaced(year.n), 20)
         << column(percent(year.kept_rate, 4), 16) << column(iec_text(year.rebuilt_bits, 4), 14)
         << column(iec_text(year.scalable_bits, 4), 14)
         << column(std::to_string(year.scalable_layers), 8)
         << column(iec_text(year.folded_bits, 4), 14) << column(percent(year.folded_rate, 4), 14)
         << '\n';
  }
  text << "  Rebuilt every year: " << spaced(growth.rebuilt_keys)
       << " keys are inserted again, and must be kept for it.\n"
       << "  Folded: " << iec_text(growth.large_bits, 4) << " with k = " << growth.large_k
       << " are made once for the last year, kept on disk, and served folded until they are "
          "needed.\n";
  return text.str();
}

record::Json growth_plan_json(const planner::GrowthPlan& growth) {
  record::Json table = record::Json::array();
  for (const GrowthYear& year : growth.table) {
    table.push_back({{"year", year.year},
                     {"n", year.n},
                     {"kept_rate", year.kept_rate},
                     {"rebuilt_bits", year.rebuilt_bits},
                     {"scalable_bits", year.scalable_bits},
                     {"scalable_layers", year.scalable_layers},
                     {"folded_bits", year.folded_bits},
                     {"folded_rate", year.folded_rate}});
  }
  return {{"factor", growth.factor},
          {"years", growth.years},
          {"last_keys", growth.last_keys},
          {"best_k", growth.best_k},
          {"best_years", growth.best_years},
          {"best_last_keys", growth.best_last_keys},
          {"large_bits", growth.large_bits},
          {"large_k", growth.large_k},
          {"rebuilt_keys", growth.rebuilt_keys},
          {"table", table}};
}

std::vector<plot::Figure> growth_figures(const planner::Plan& plan,
                                         const planner::GrowthPlan& growth) {
  const std::string caption = "n = " + grouped(plan.n) + " at first, " +
                              signed_percent(growth.factor - 1.0, 3) + " a year; goal " +
                              percent(plan.p, 3) + ".";
  plot::Figure memory{.name = "plan_growth_memory",
                      .title = "What growing keys cost in memory",
                      .caption = caption,
                      .x = {.label = "year", .scale = plot::Scale::linear},
                      .y = {.label = "memory [MiB]", .scale = plot::Scale::log},
                      .series = {}};
  memory.series = {line_by_year("rebuilt every year", growth,
                                [](const GrowthYear& year) {
                                  return static_cast<double>(year.rebuilt_bits) / bits_per_mebibyte;
                                }),
                   line_by_year("scalable", growth,
                                [](const GrowthYear& year) {
                                  return static_cast<double>(year.scalable_bits) /
                                         bits_per_mebibyte;
                                }),
                   line_by_year("folded", growth, [](const GrowthYear& year) {
                     return static_cast<double>(year.folded_bits) / bits_per_mebibyte;
                   })};
  plot::Figure rate{.name = "plan_growth_rate",
                    .title = "What growing keys cost in the rate",
                    .caption = caption,
                    .x = {.label = "year", .scale = plot::Scale::linear},
                    .y = {.label = "false-positive rate", .scale = plot::Scale::log},
                    .series = {}};
  rate.series = {
      line_by_year("kept as planned", growth,
                   [](const GrowthYear& year) { return year.kept_rate; }),
      line_by_year("folded", growth, [](const GrowthYear& year) { return year.folded_rate; })};
  rate.markers = {{plot::MarkerAxis::y, plan.p, "goal"}};
  return {memory, rate};
}

std::string lsm_text(const planner::LsmSplit& split) {
  std::ostringstream text;
  text << "\nOver the levels of an LSM tree, the smallest first\n"
       << "  level" << column("n", 20) << column("bits/key", 14) << column("equal rate", 15)
       << column("bits/key", 14) << column("best rate", 15) << '\n';
  std::size_t number = 0;
  for (const planner::LsmLevel& level : split.levels) {
    const auto per_key = [&](std::uint64_t bits) {
      return significant(static_cast<double>(bits) / static_cast<double>(level.n), 4);
    };
    text << column(std::to_string(++number), 7) << column(spaced(level.n), 20)
         << column(per_key(level.equal_bits), 14) << column(percent(level.equal_rate, 3), 15)
         << column(per_key(level.best_bits), 14) << column(percent(level.best_rate, 3), 15) << '\n';
  }
  text << "  False reads per lookup of an absent key: " << significant(split.equal_reads, 4)
       << " with equal bits per key, " << significant(split.best_reads, 4)
       << " with the best split (at least one: " << percent(split.equal_any, 3) << ", "
       << percent(split.best_any, 3) << ")\n"
       << "  The best split has the reads of the equal one in "
       << iec_text(split.bits_for_equal_reads, 4) << '\n';
  return text.str();
}

record::Json lsm_json(const planner::LsmSplit& split) {
  record::Json levels = record::Json::array();
  for (const planner::LsmLevel& level : split.levels) {
    levels.push_back({{"n", level.n},
                      {"equal_bits", level.equal_bits},
                      {"equal_rate", level.equal_rate},
                      {"best_bits", level.best_bits},
                      {"best_rate", level.best_rate}});
  }
  return {{"levels", levels},
          {"equal_reads", split.equal_reads},
          {"best_reads", split.best_reads},
          {"equal_any", split.equal_any},
          {"best_any", split.best_any},
          {"bits_for_equal_reads", split.bits_for_equal_reads}};
}

plot::Figure break_even_figure(double rate, const planner::StoreCosts& costs,
                               const planner::BreakEven& result) {
  constexpr int places = 50;
  plot::Figure figure{.name = "plan_break_even",
                      .title = "Up to which hit ratio the filter pays",
                      .caption = "Store " + significant(costs.miss_cost_ns, 3) + " ns, filter " +
                                 significant(costs.filter_cost_ns, 3) + " ns, rate " +
                                 significant(rate, 3) + ".",
                      .x = {.label = "hit ratio", .scale = plot::Scale::linear},
                      .y = {.label = "mean lookup [ns]", .scale = plot::Scale::linear},
                      .series = {}};
  plot::Series with{.name = "with the filter",
                    .kind = plot::Kind::line,
                    .role = plot::Role::theory,
                    .points = {}};
  plot::Series without{
      .name = "without", .kind = plot::Kind::line, .role = plot::Role::theory, .points = {}};
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

}  // namespace bloomlab::cli
