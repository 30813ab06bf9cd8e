// What the owner of a plan should know before building it.
#pragma once

#include <string>
#include <vector>

#include "planner/request.hpp"

namespace bloomlab::planner {

/// One sentence each; empty where there is nothing to warn of.
[[nodiscard]] std::vector<std::string> warnings_of(const Plan& plan);

}  // namespace bloomlab::planner
