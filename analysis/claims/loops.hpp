// The loops of formulas: what becomes of the values of a formula for i = from .. to.
#pragma once

#include <limits>
#include <span>
#include <string_view>

namespace bloomlab::analysis::claims {

/// The running state of a loop.
struct LoopState {
  double value = 0;                                       ///< what the loop gives in the end
  double best = std::numeric_limits<double>::infinity();  ///< the smallest value so far
};

/// A loop: `start` is its value over nothing, `take` adds the value `x` at `i`.
struct Loop {
  std::string_view name;
  std::string_view meaning;
  double start;
  void (*take)(LoopState& state, double i, double x);
};

/// Every loop, in the order of the documentation.
[[nodiscard]] std::span<const Loop> claim_loops();

}  // namespace bloomlab::analysis::claims
