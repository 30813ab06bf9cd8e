// Where the labels of markers and points stand: beside what they name, where they hide least.
//
// Names at the ends of curves: right of the panel, each with a thin line to where its curve ends,
// so that no name can be taken for another's however near the curves end together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/plot/figure.hpp"
#include "analysis/plot/panel.hpp"

namespace bloomlab::analysis::plot {

/// A straight line on the canvas.
struct Stroke {
  Pixel from;
  Pixel to;
};

/// The end of a label's text that stays where it is in whichever font draws the text.
enum class Anchor { left, middle, right };

/// A short text and the room that it has in the widest of the usual fonts [pixels].
struct PlacedLabel {
  std::string text;
  Box box;
  Anchor anchor = Anchor::left;       ///< the end that is nearer to what it names
  std::optional<Stroke> leader = {};  ///< from what it names, where it stands apart from that

  /// Where the anchored end is, at half the text's height.
  [[nodiscard]] Pixel at() const {
    const double share = anchor == Anchor::left ? 0 : anchor == Anchor::middle ? 0.5 : 1;
    return {box.left + share * box.width, box.top + box.height / 2};
  }
};

/// Labels of the markers, then of the labelled points, of a panel. Each takes, of the places beside
/// what it names and then farther and farther away, the one that covers least of the data, the
/// markers and the labels before it.
[[nodiscard]] std::vector<PlacedLabel> place_labels(const Panel& panel,
                                                    const std::vector<Series>& series,
                                                    const std::vector<Marker>& markers);

/// The series with the names of their groups as labels of their first points.
[[nodiscard]] std::vector<Series> named_at_points(std::vector<Series> series);

/// The marker's line from edge to edge of the panel; nothing where its value is out of range.
[[nodiscard]] std::optional<Stroke> marker_stroke(const Panel& panel, const Marker& marker);

/// The name of a group right of the panel.
struct EndLabel {
  std::string text;
  std::string colour;  ///< of the curve, for the line that leads to it
  Pixel at;            ///< left end and vertical middle of the text
  Pixel from;          ///< where the line begins, beside the curve's end
};

/// Space between the panel and the names, which the lines cross [pixels].
inline constexpr double ends_space = 34;

/// More groups than this are named in part: the first, the last, and some between.
inline constexpr std::size_t most_ends = 40;

/// Whether the series' group has its name at the end of its curve: all but grey references that end
/// far from it, which the legend lists.
[[nodiscard]] bool is_named_at_end(const Styles& styles, const Panel& panel, const Series& series);

/// One label for each group that is named so, from top to bottom; none touches another or leaves
/// the panel's height where that is at least ends_height of their number.
[[nodiscard]] std::vector<EndLabel> end_labels(const Figure& figure, const Styles& styles,
                                               const Panel& panel);

/// The height that so many names take [pixels].
[[nodiscard]] double ends_height(std::size_t labels);

}  // namespace bloomlab::analysis::plot
