// Which filter: every filter of the catalogue for one goal, the best of them marked, and one
// recommended with its reason.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/candidate.hpp"
#include "planner/plan.hpp"
#include "planner/recommendation.hpp"

namespace bloomlab::planner {

/// Measured times of a filter of this size on this machine, or nothing.
using TimingOf = std::function<std::optional<Timing>(const Candidate&)>;

/// Compares every filter of the catalogue. `timing` may be empty: nothing is measured then, and the
/// cost of a lookup is counted in cache lines.
[[nodiscard]] Comparison compare(const Goal& goal, const TimingOf& timing = {});

/// The same for a plan: the row of the standard filter is the plan itself, and where the plan fixes
/// its form (Plan::fixes_form) no other filter is recommended.
[[nodiscard]] Comparison compare_for(const Plan& plan, const TimingOf& timing = {});

}  // namespace bloomlab::planner
