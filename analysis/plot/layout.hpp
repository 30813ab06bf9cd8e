// Where everything of a figure stands on its canvas [pixels from the upper left corner].
#pragma once

#include <string>
#include <vector>

#include "analysis/plot/figure.hpp"
#include "analysis/plot/labels.hpp"
#include "analysis/plot/legend.hpp"
#include "analysis/plot/panel.hpp"
#include "analysis/plot/style.hpp"

namespace bloomlab::analysis::plot {

/// One line of text outside of the panels; `at` is its left end and vertical middle.
struct TextLine {
  std::string text;
  Pixel at;
  double size = 0;
  bool bold = false;
  std::string colour = style::ink;
  bool centred = false;  ///< `at` is its centre instead
};

/// A panel and its ticks, those across (below) and those up its left side.
struct PanelLayout {
  Panel panel;
  Ticks across;
  Ticks up;
  bool numbered_across = true;
  bool numbered_up = true;
};

/// The whole figure: one panel, two that share x, or small ones in rows.
struct Layout {
  double height = 0;
  Styles styles;
  std::vector<TextLine> lines;  ///< title, axis labels, titles of small panels, caption
  std::vector<LegendEntry> legend;
  double legend_top = 0;
  std::vector<EndLabel> end_labels;
  std::vector<Series> series;  ///< the figure's, with the labels that the layout gives them
  std::vector<PanelLayout> panels;
};

inline constexpr double legend_row_height = 27;

/// Lays out a figure that was found drawable (see figure.hpp).
[[nodiscard]] Layout lay_out(const Figure& figure);

}  // namespace bloomlab::analysis::plot
