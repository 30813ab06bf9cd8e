// The plan as three figures: the rate against n, against m and against k.
#pragma once

#include <vector>

#include "analysis/planner/plan.hpp"
#include "analysis/plot/figure.hpp"

namespace bloomlab::analysis::planner {

/// `plan_rate_by_n`, `plan_rate_by_m` and `plan_rate_by_k`: the exact rate with everything else as
/// planned (along m also with the best k), the plan marked.
[[nodiscard]] std::vector<plot::Figure> plan_figures(const Plan& plan);

}  // namespace bloomlab::analysis::planner
