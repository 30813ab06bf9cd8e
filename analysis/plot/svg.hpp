// What gnuplot leaves to do in its SVG.
#pragma once

#include <string>
#include <string_view>

#include "analysis/plot/figure.hpp"

namespace bloomlab::analysis::plot {

/// gnuplot's SVG with the figure's title and caption as title and description (for readers that
/// speak) where gnuplot names itself and its version, so that the bytes are the same for every
/// patch level; with one list of fonts that most systems have one of; with ids of its own, so that
/// several figures can stand in one page; dark where its reader's screen is; and without gnuplot's
/// empty groups.
[[nodiscard]] std::string finish_svg(std::string_view svg, const Figure& figure);

}  // namespace bloomlab::analysis::plot
