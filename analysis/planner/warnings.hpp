// What the owner of a plan should know before building it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/planner/plan.hpp"

namespace bloomlab::analysis::planner {

/// One sentence each; empty where there is nothing to warn of.
[[nodiscard]] std::vector<std::string> warnings_of(const Plan& plan);

/// A whole number in groups of three from five digits on, with plain spaces: "1 000 000".
[[nodiscard]] std::string spaced(std::uint64_t value);

/// "1 in 9 994 297": the inverse of a rate, rounded down; "1 in 1.06" below 10.
[[nodiscard]] std::string one_in_text(double rate);

}  // namespace bloomlab::analysis::planner
