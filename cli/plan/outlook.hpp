// What `bloomlab plan` says beyond one filter at one time: the years of a filter that grows, the
// levels of an LSM tree, and the break-even as a figure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/plot/figure.hpp"
#include "planner/break_even.hpp"
#include "planner/growth_plan.hpp"
#include "planner/lsm_levels.hpp"
#include "planner/plan.hpp"
#include "record/result_file.hpp"

namespace bloomlab::cli {

[[nodiscard]] std::string growth_plan_text(const planner::Plan& plan,
                                           const planner::GrowthPlan& growth);
[[nodiscard]] record::Json growth_plan_json(const planner::GrowthPlan& growth);
/// `plan_growth_memory` and `plan_growth_rate`, by year.
[[nodiscard]] std::vector<analysis::plot::Figure> growth_figures(const planner::Plan& plan,
                                                                 const planner::GrowthPlan& growth);

[[nodiscard]] std::string lsm_text(const planner::LsmSplit& split);
[[nodiscard]] record::Json lsm_json(const planner::LsmSplit& split);

/// `plan_break_even`: the mean lookup with and without the filter, by the hit ratio.
[[nodiscard]] analysis::plot::Figure break_even_figure(double rate,
                                                       const planner::StoreCosts& costs,
                                                       const planner::BreakEven& result);

}  // namespace bloomlab::cli
