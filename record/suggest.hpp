// The nearest known word, for messages about misspelt ones.
// Distance: Damerau 1964, A technique for computer detection and correction of spelling errors.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bloomlab::record {

/// Number of letters to insert, delete, replace, or swap with their neighbour to turn `a` into `b`
/// (each stretch of text is edited once: optimal string alignment).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word nearest to `found`, or nothing where none is near: more than a third of its
/// letters would have to change (at least two may). A word that `found` is the beginning of is
/// near. The first of the known words wins a tie.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view found,
                                                      std::span<const std::string_view> known);

/// `did you mean "x"?`, or `known: "a", "b", "c"` where no known word is near.
[[nodiscard]] std::string suggestion(std::string_view found,
                                     std::span<const std::string_view> known);

}  // namespace bloomlab::record
