// The planted gaps of an assignment: parts of the student's file between marks.
#pragma once

#include <string_view>
#include <vector>

namespace bloomlab::lab {

/// Number of gaps in every assignment.
inline constexpr int planted_gaps = 2;

/// The numbers of the gaps, from 1, that stand in `text` as they were given in `given`, apart from
/// spaces. A gap whose marks are gone counts as filled.
[[nodiscard]] std::vector<int> unfilled_gaps(std::string_view text, std::string_view given);

}  // namespace bloomlab::lab
