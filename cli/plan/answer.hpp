// What `bloomlab plan` answers, its two forms, JSON and text, and its figures: the years of a
// filter that grows, and the break-even.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/plot/figure.hpp"
#include "planner/comparison.hpp"
#include "planner/consequences.hpp"
#include "planner/outlook.hpp"
#include "planner/plan.hpp"
#include "record/result_file.hpp"

namespace bloomlab::cli {

/// Everything that the command has found out. `plan` is a standard filter; what the text speaks of
/// first, the break-even and the verification are of the recommended one.
struct PlanAnswer {
  planner::Plan plan = {};
  planner::Comparison comparison = {};
  planner::Sensitivity sensitivity = {};
  std::optional<planner::StoreCosts> costs = std::nullopt;
  std::optional<planner::BreakEven> break_even = std::nullopt;
  std::optional<planner::GrowthPlan> growth = std::nullopt;
  std::optional<planner::LsmSplit> levels = std::nullopt;
  std::string calibration = {};  ///< the calibration file that times are from; empty: none
  std::string filter_cost = {};  ///< where the filter's cost in the break-even comes from

  /// The filter to take; null where none of the catalogue reaches the goal.
  [[nodiscard]] const planner::Candidate* recommended() const {
    return comparison.recommended ? &comparison.candidates[*comparison.recommended] : nullptr;
  }
};

/// n, p, rate, m, k, memory_bits and mode first, then the rest.
[[nodiscard]] record::Json plan_json(const PlanAnswer& answer);

/// The same for people, whole lines.
[[nodiscard]] std::string plan_text(const PlanAnswer& answer);

/// The parameters of a candidate as an object, `kind` first: as a config's `filter` has it.
[[nodiscard]] record::Json filter_json(const planner::Candidate& candidate);

/// `plan_growth_memory` and `plan_growth_rate`, by year.
[[nodiscard]] std::vector<analysis::plot::Figure> growth_figures(const planner::Plan& plan,
                                                                 const planner::GrowthPlan& growth);

/// `plan_break_even`: the mean lookup with and without the filter, by the hit ratio.
[[nodiscard]] analysis::plot::Figure break_even_figure(double rate,
                                                       const planner::StoreCosts& costs,
                                                       const planner::BreakEven& result);

}  // namespace bloomlab::cli
