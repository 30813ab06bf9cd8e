// What the legend lists and where: rows between the title and the panel, so that it never hides
// data, or, with a sequential palette, a few names at the ends of the curves.
#pragma once

#include <string>
#include <vector>

#include "analysis/plot/figure.hpp"
#include "analysis/plot/panel.hpp"
#include "analysis/plot/style.hpp"

namespace bloomlab::analysis::plot {

/// An arrow in a legend.
enum class Arrow { none, open_down, filled_up };

/// The sample drawn beside a legend's text. An empty dash is no line, symbol 0 no symbol.
struct Sample {
  std::string colour;
  int symbol = 0;
  std::string dash = {};
  double width = 0;
  bool interval = false;  ///< a bar through the symbol
  bool band = false;      ///< a filled swatch
  Arrow arrow = Arrow::none;
};

/// One entry of the legend.
struct LegendEntry {
  std::string text;
  Sample sample;
  double left = 0;  ///< of the sample [pixels]
  int row = 0;      ///< 0 is the uppermost
};

/// Space between the left end of a sample and its text [pixels].
inline constexpr double sample_space = 38;

/// The entries: groups, then names, then the words for points that are not drawn where they are.
/// `panels` are the figure's, in order: they say which points those are.
[[nodiscard]] std::vector<LegendEntry> legend_entries(const Figure& figure, const Styles& styles,
                                                      const std::vector<Panel>& panels);

/// Puts the entries into rows from `left` to `right`; returns the number of rows.
int flow_legend(std::vector<LegendEntry>& entries, double left, double right);

/// The name of a group at the end of its curve.
struct EndLabel {
  std::string text;
  Pixel at;
};

/// Labels for some groups at the right ends of their curves, moved apart by less than a line
/// each, the first and last group before the others. Empty unless the palette is sequential.
[[nodiscard]] std::vector<EndLabel> end_labels(const Figure& figure, const Styles& styles,
                                               const Panel& panel);

}  // namespace bloomlab::analysis::plot
