// The figure of a config that nobody drew one for: x is its first numeric axis, the other axes
// make the curves. And figures of more curves than an eye can follow, taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "analysis/plot/figure.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis::pages {

/// One figure called "<stem>", in parts where it has many curves: measured points with intervals,
/// the closed form as a line, and below them measured over theory. None where the config has no
/// numeric axis or no estimates.
[[nodiscard]] std::vector<plot::Figure> automatic_figures(const Experiment& experiment,
                                                          const Words& words);

/// The caption of a figure of rates: what points, bars and lines are, and the result file.
[[nodiscard]] std::string figure_caption(const Experiment& experiment, const Words& words);

/// What the drawing itself says, in the report's language.
[[nodiscard]] plot::Words figure_words(const Words& words);

/// Logarithmic where the values span more than a decade and all are above 0.
[[nodiscard]] plot::Scale scale_for(const std::vector<double>& values);

/// `count` values from `low` to `high`, both included: each integer where there are few, else
/// spaced evenly in the logarithm; rising, without repetition. 1 <= low <= high.
[[nodiscard]] std::vector<std::uint64_t> spread(std::uint64_t low, std::uint64_t high,
                                                std::size_t count);

/// The figure, or where it has too many groups several of at most `groups_per_part` each, in their
/// order, all with the same ends of x. Too many are more than `most_groups`, or more than
/// `most_numbered_groups` where their names differ by numbers alone, as colours then follow them.
/// Their names end in "_1", "_2", ...; their titles say which part they are. What belongs to no
/// group is in every part.
[[nodiscard]] std::vector<plot::Figure> faceted(plot::Figure figure, const Words& words);

inline constexpr std::size_t most_groups = 12;
inline constexpr std::size_t most_numbered_groups = 24;
inline constexpr std::size_t groups_per_part = 8;
/// Largest number of parts of an automatic figure, of figures of a page, of points in these, and of
/// entries of a page's tables.
inline constexpr std::size_t most_parts = 12;
inline constexpr std::size_t most_figures_of_page = 120;
inline constexpr std::size_t most_points_of_page = 200'000;
inline constexpr std::size_t most_entries_of_page = 1'000'000;

/// Leaves out the figures beyond `most`, at least 1; the caption of the last that is left says how
/// many.
void leave_out_beyond(std::size_t most, std::vector<plot::Figure>& figures, const Words& words);

}  // namespace bloomlab::analysis::pages
