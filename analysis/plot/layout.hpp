// What the legend lists and where: rows between the title and the panel, so that it never hides
// data. Names that stand in or beside the panel (see Naming) are not repeated.
//
// Where everything of a figure stands on its canvas [pixels from the upper left corner].
#pragma once

#include <string>
#include <vector>

#include "analysis/plot/figure.hpp"
#include "analysis/plot/labels.hpp"
#include "analysis/plot/panel.hpp"

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
  double left = 0;                      ///< of the sample [pixels]
  int row = 0;                          ///< of the first line; 0 is the uppermost
  std::vector<std::string> lines = {};  ///< the text, broken where it is longer than a row
};

/// Space between the left end of a sample and its text [pixels].
inline constexpr double sample_space = 38;

/// Whether its group's name is enough: where groups are listed and have nothing but lines of one
/// name, a grey line with that name would stand beside them which the panel does not show.
[[nodiscard]] bool is_said_by_group(const Figure& figure, const Styles& styles,
                                    const Series& series);

/// The entries: groups, then names, then the words for points that are not drawn where they are.
/// `panels` are the figure's, in order: they say which points those are.
[[nodiscard]] std::vector<LegendEntry> legend_entries(const Figure& figure, const Styles& styles,
                                                      const std::vector<Panel>& panels);

/// Breaks the entries into lines and puts them into rows from `left` to `right`; returns the number
/// of rows.
int flow_legend(std::vector<LegendEntry>& entries, double left, double right);

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
