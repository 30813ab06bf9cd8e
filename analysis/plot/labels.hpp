// Where the labels of markers and points stand: beside what they name, where they hide least.
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

/// A short text whose left end and vertical middle are given [pixels].
struct PlacedLabel {
  std::string text;
  Pixel left_middle;
  std::optional<Stroke> leader = {};  ///< from what it names, where it stands apart from that
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

}  // namespace bloomlab::analysis::plot
