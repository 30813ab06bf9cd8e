// The plan as three charts: the rate against n, against m and against k. Plain numbers; who asks
// draws them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "planner/plan.hpp"

namespace bloomlab::planner {

/// A line of a chart.
struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< (x, rate), by increasing x
};

/// What rate another n, m or k would give.
struct RateChart {
  std::string name;     ///< stem of a file
  std::string title;    ///< what it shows
  std::string x_label;  ///< quantity and unit
  bool log_x = false;   ///< whether x is shown by its logarithm; the rate always is
  double planned = 0;   ///< x as planned
  std::vector<Curve> curves = {};
};

/// `plan_rate_by_n`, `plan_rate_by_m` and `plan_rate_by_k`: the exact rate with everything else as
/// planned (along m also with the best k).
[[nodiscard]] std::vector<RateChart> rate_charts(const Plan& plan);

}  // namespace bloomlab::planner
