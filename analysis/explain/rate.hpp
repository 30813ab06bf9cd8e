// The arithmetic of the false-positive rate, line by line with the numbers put in: from the fill
// ratio over the textbook's formulas to the exact rate.
// Sources: Bloom 1970; Broder and Mitzenmacher 2004; Bose et al. 2008 (see
// core/theory/standard.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/explain/trace.hpp"

namespace bloomlab::analysis::explain {

/// One line: what it says, the formula, and what it comes to.
struct RateLine {
  std::string_view name;  ///< of the line: "share", "conditional", "one_miss", ...
  std::string formula;    ///< such as "(X/m)^k"
  std::string numbers;  ///< the formula with the numbers put in; empty where there is no such form
  double value = 0.0;
};

/// The lines, in the order in which one leads to the next:
/// share X/m; conditional (X/m)^k; one_miss 1 - 1/m; key_miss (1 - 1/m)^k; all_miss
/// (1 - 1/m)^(kn); classic (1 - (1 - 1/m)^(kn))^k; textbook (1 - e^(-kn/m))^k; exact E[(X/m)^k];
/// and probe, the exact rate of the probe's own law, where the trace has one.
[[nodiscard]] std::vector<RateLine> rate_lines(const Trace& trace);

}  // namespace bloomlab::analysis::explain
