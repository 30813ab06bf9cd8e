// The one style of all figures: sizes, greys, and the colours, symbols and dashes of groups.
//
// Colours: Okabe and Ito, "Color universal design", 2008 (without its yellow, too pale on white);
// for long sequences viridis (van der Walt and Smith, 2015) without its palest fifth. Symbols and
// dashes differ too, so that a figure also reads in grey.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/plot/figure.hpp"

namespace bloomlab::analysis::plot {

namespace style {
// Pixels. Nothing is smaller than 14 on a canvas of 900.
inline constexpr double canvas_width = 900;
inline constexpr double edge = 24;
inline constexpr double title_size = 22;
inline constexpr double label_size = 17;
inline constexpr double tick_size = 16;
inline constexpr double note_size = 15;
inline constexpr double caption_size = 14;
inline constexpr double line_height = 1.35;  // of the font size

inline constexpr const char* ink = "#222222";
inline constexpr const char* grey_ink = "#555555";
inline constexpr const char* frame_grey = "#777777";
inline constexpr const char* reference_grey = "#767676";
inline constexpr const char* grid_grey = "#e6e6e6";
inline constexpr const char* band_grey = "#e3e3e3";
inline constexpr const char* band_ink =
    "#8c8c8c";  // gives band_grey where it is drawn at a quarter
}  // namespace style

/// Where the names of groups stand.
enum class Naming {
  legend,  ///< rows above the panel
  ends,    ///< right of the panel, a thin line leading from each curve's end: many groups
  points,  ///< beside the first point of each: groups of very few points and no curve
};

/// How one group (or one series without a group) is drawn.
struct GroupStyle {
  std::string colour;       ///< "#rrggbb"
  int symbol = 7;           ///< measured points
  int open_symbol = 6;      ///< points of theory and reference
  std::string dash;         ///< of measured lines and steps, as gnuplot's dashtype
  std::string theory_dash;  ///< of theory lines
};

/// The key under which `series` finds its style: its group, or its own name.
[[nodiscard]] std::string style_key(const Series& series);

/// All groups of a figure with their styles.
struct Styles {
  std::vector<std::string> keys;  ///< by first appearance, without grey references
  std::map<std::string, GroupStyle> by_key;
  bool sequential = false;
  Naming naming = Naming::legend;

  [[nodiscard]] const GroupStyle& of(const Series& series) const {
    return by_key.at(style_key(series));
  }
};

/// Whether the symbols of `series` are filled: what was measured, but for those set open.
[[nodiscard]] bool is_filled(const Series& series);

/// Gives every group of the figure (its ratio panel included) its style.
[[nodiscard]] Styles assign_styles(const Figure& figure);

/// The colour at `fraction` in [0, 1] of the sequential palette: dark purple to green.
[[nodiscard]] std::string sequential_colour(double fraction);

/// Dash and width of the lines of a series.
[[nodiscard]] std::string line_dash(const Series& series, const GroupStyle& group);
[[nodiscard]] double line_width(const Series& series);

}  // namespace bloomlab::analysis::plot
