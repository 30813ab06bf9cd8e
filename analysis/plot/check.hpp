// Whether a figure can be drawn at all, asked before anything is.
#pragma once

#include "analysis/plot/figure.hpp"

namespace bloomlab::analysis::plot {

/// Throws std::invalid_argument with one line that names figure and series and says what was found
/// and what is allowed (see gnuplot_script for the list). Returns otherwise.
void check_figure(const Figure& figure);

}  // namespace bloomlab::analysis::plot
