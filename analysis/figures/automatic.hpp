// The figure of a config that nobody drew one for: x is its first numeric axis, the other axes
// make the curves.
#pragma once

#include <vector>

#include "analysis/content.hpp"

namespace bloomlab::analysis {

/// One figure called "<stem>"; none where the config has no numeric axis or no estimates.
[[nodiscard]] std::vector<plot::Figure> automatic_figures(const Experiment& experiment,
                                                          const Words& words);

}  // namespace bloomlab::analysis
