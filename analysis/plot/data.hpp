// From the points of a series to the rows of gnuplot's data blocks, in drawing coordinates:
// across, up, and the ends of the interval.
#pragma once

#include <string>
#include <vector>

#include "analysis/plot/figure.hpp"
#include "analysis/plot/panel.hpp"

namespace bloomlab::analysis::plot {

/// The rows of a series' points by their fate; each row is one line of numbers. A vector is
/// across, up, and its extent across and up.
struct PointRows {
  std::vector<std::string> inside;   ///< across, up, low, high
  std::vector<std::string> limit;    ///< vectors: the short bar at the upper limit of a no hit
  std::vector<std::string> arrow;    ///< vectors: the arrow that hangs from it
  std::vector<std::string> outside;  ///< vectors: out of the panel, at the edge that was left
};

/// Sorts the points of a series. `shift` moves them by pixels along x, to distinguish groups.
[[nodiscard]] PointRows point_rows(const Panel& panel, const Series& series, double shift);

/// The rows of a line or step: across, up; an empty row is a gap, where a log axis has no place
/// for the value.
[[nodiscard]] std::vector<std::string> line_rows(const Panel& panel, const Series& series);

/// The rows of a band: across, low, high.
[[nodiscard]] std::vector<std::string> band_rows(const Panel& panel, const Series& series);

}  // namespace bloomlab::analysis::plot
