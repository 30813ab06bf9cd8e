// A figure as plain data: what is shown, not how. The style is chosen by role and is one for the
// whole suite; analysis/plot/gnuplot.hpp draws it.
//
// x is what was set, y is what came out: intervals always bound y. Where the x axis has categories
// the figure lies down: categories from top to bottom, y from left to right.
//
// The one style of all figures: sizes, greys, and the colours, symbols and dashes of groups.
//
// Colours: Okabe and Ito, "Color universal design", 2008 (without its yellow, too pale on white);
// for long sequences viridis (van der Walt and Smith, 2015) without its palest fifth. Symbols and
// dashes differ too, so that a figure also reads in grey.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bloomlab::analysis::plot {

enum class Scale { linear, log };

/// One axis. Its range is found from the data where it is not given.
struct Axis {
  std::string label;            ///< quantity and unit: "bits per key m/n [bits]"
  Scale scale = Scale::linear;  ///< log: every x > 0; y = 0 is "no hit" for points, a gap for lines
  std::optional<double> low = {};            ///< lower end; found from the data if absent
  std::optional<double> high = {};           ///< upper end; found from the data if absent
  std::vector<std::string> categories = {};  ///< x axis only: x = i stands for categories[i]
};

/// One point: y = value, [low, high] = its interval; without one, low = high = y.
struct Point {
  double x = 0;
  double y = 0;
  double low = y;
  double high = y;
  std::string label = {};  ///< printed beside the point; few, and short
};

enum class Kind {
  points,  ///< symbols with interval bars
  line,    ///< straight lines between the points; theory should be given densely
  step,    ///< y stays until the next x
};

enum class Role {
  measured,   ///< strong, with symbols
  theory,     ///< a line of the colour of its group
  reference,  ///< grey and dashed: something to compare with that is not this experiment's
};

/// Series of the same non-empty group share one colour and symbol: a measurement and its theory.
/// The legend then lists every group once ("m/n = 8") and every distinct name once ("measured",
/// "exact rate"). A series without a group has a colour (reference: grey) and an entry of its own.
struct Series {
  std::string name;
  Kind kind = Kind::points;
  Role role = Role::measured;
  std::vector<Point> points;  ///< lines and steps: by increasing x
  std::string group = {};
  /// Points only: symbols without filling, for what was measured under other conditions than the
  /// rest; the name says which.
  bool open = false;
  /// Points only: a thin line through them, by increasing x, to lead the eye.
  bool joined = false;
  std::size_t panel = 0;  ///< which of the figure's small panels it is drawn in
};

enum class MarkerAxis { x, y };

/// A thin line across the panel at one value of one axis, with a short label (may be empty): the
/// best fill, a target rate, a cache's size, the opening of a layer.
struct Marker {
  MarkerAxis axis = MarkerAxis::x;
  double at = 0;
  std::string label = {};
  bool shaded = false;    ///< the panel is a little darker on the side of the smaller values
  std::size_t panel = 0;  ///< as a series'
};

/// A second panel below the first with the same x axis: measured over theory, about 1.
/// Points that leave its range stand as small triangles at the edge that they left by.
struct RatioPanel {
  std::string label = "measured / theory";
  std::vector<Series> series;  ///< groups as in the figure, hence the same colours
  double band = 0.01;          ///< shaded: 1 - band to 1 + band
};

/// How groups get colours. `automatic`: distinct pairs of colour and symbol, but a sequential
/// palette where there are more than 7 groups whose names differ by a number alone. Every group is
/// named: in the legend, or at the end of its curve where there are many (see Naming).
enum class Palette { automatic, categorical, sequential };

/// Words that the drawing adds by itself, so that a figure can be in any language.
struct Words {
  std::string no_hit = "no hit: upper limit of the interval";
  std::string outside = "beyond the panel";
  std::string unnamed = "more curves than names: each lies between its neighbours";
};

/// More small panels than this are too small to be read.
inline constexpr std::size_t most_small_panels = 9;

/// A whole figure.
struct Figure {
  std::string name;     ///< file stem: letters, digits, '_' and '-'
  std::string title;    ///< the question or the finding, one sentence
  std::string caption;  ///< below the figure; names its result file
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<Marker> markers = {};
  std::optional<RatioPanel> ratio = {};
  Palette palette = Palette::automatic;
  Words words = {};
  /// Small panels side by side, by their titles, with the same axes; none: one panel.
  std::vector<std::string> panels = {};
  bool own_scale = false;  ///< every small panel has ends of y of its own
};

/// Whether `series` has no group and is grey: not of this experiment.
[[nodiscard]] bool is_grey(const Series& series);

/// Throws std::invalid_argument with one line that names figure and series and says what was found
/// and what is allowed (see gnuplot_script for the list). Returns otherwise.
void check_figure(const Figure& figure);

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
