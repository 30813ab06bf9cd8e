// What a lookup in the recommended filter costs, for the break-even.
#pragma once

#include <string>

#include "planner/comparison.hpp"

namespace bloomlab::cli {

/// Time of a lookup and where it is from.
struct FilterCost {
  double ns = 0.0;
  std::string source;
};

/// The duration that `text` says, or for "auto" what was measured for the recommended filter, mixed
/// by the hit ratio; where nothing was measured, 100 ns for each cache line that it reads.
/// Throws record::InputError for a text that is neither.
[[nodiscard]] FilterCost filter_cost_of(const std::string& text,
                                        const planner::Comparison& comparison, double hit_ratio);

}  // namespace bloomlab::cli
