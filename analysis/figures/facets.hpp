// Figures of more curves than an eye can follow, taken apart.
#pragma once

#include <vector>

#include "analysis/plot/figure.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis {

/// The figure, or where it has too many groups several of at most `groups_per_part` each, in their
/// order, all with the same ends of x. Too many are more than `most_groups`, or more than
/// `most_numbered_groups` where their names differ by numbers alone, as colours then follow them.
/// Their names end in "_1", "_2", ...; their titles say which part they are. What belongs to no
/// group is in every part.
[[nodiscard]] std::vector<plot::Figure> faceted(plot::Figure figure, const Words& words);

inline constexpr std::size_t most_groups = 12;
inline constexpr std::size_t most_numbered_groups = 24;
inline constexpr std::size_t groups_per_part = 8;

}  // namespace bloomlab::analysis
