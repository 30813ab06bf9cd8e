// Figures of every form that the suite draws, filled from closed forms and a fixed made-up noise.
#pragma once

#include <vector>

#include "analysis/plot/figure.hpp"

namespace plot_samples {

/// Rate against k for three m/n, theory lines, no-hit cells down to 1e-7, and a ratio panel.
[[nodiscard]] bloomlab::analysis::plot::Figure rate_by_k();

/// Rate against m, both axes logarithmic, with a reference line and a target.
[[nodiscard]] bloomlab::analysis::plot::Figure rate_by_m();

/// Rate against fill on linear axes with the best fill marked.
[[nodiscard]] bloomlab::analysis::plot::Figure rate_by_fill();

/// Growing filters: steps, their theory, and the openings of layers.
[[nodiscard]] bloomlab::analysis::plot::Figure growth();

/// Measured over theory for categories, two groups side by side.
[[nodiscard]] bloomlab::analysis::plot::Figure by_category();

/// 31 curves in a sequential palette.
[[nodiscard]] bloomlab::analysis::plot::Figure many_curves();

/// Labelled points on log axes, as for speed against rate.
[[nodiscard]] bloomlab::analysis::plot::Figure labelled_points();

/// Captions in Chinese and Russian, and every character that markup gives a meaning.
[[nodiscard]] bloomlab::analysis::plot::Figure difficult_text();

/// Rate against k in as many small panels, with a target and lines of theory.
[[nodiscard]] bloomlab::analysis::plot::Figure small_panels(int count);

/// Six of them, each with ends of y of its own and a title that is longer than a line.
[[nodiscard]] bloomlab::analysis::plot::Figure small_panels_of_own_scale();

/// All of the above.
[[nodiscard]] std::vector<bloomlab::analysis::plot::Figure> all();

}  // namespace plot_samples
