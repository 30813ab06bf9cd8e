// Colour on a terminal, nothing elsewhere.
#pragma once

#include <string>
#include <string_view>

namespace bloomlab::analysis::explain {

/// Whether the text goes to a terminal that shows colours.
enum class Colours { none, ansi };

/// What a piece of text is, and so how it is shown.
enum class Ink {
  heading,
  fresh,     ///< a bit that a key sets
  standing,  ///< a bit that is found set
  missing,   ///< the bit that says no
  faint,     ///< what is only in the background
};

/// The text in its colour, by the escape sequences of ECMA-48, or as it is.
[[nodiscard]] std::string painted(std::string_view text, Ink ink, Colours colours);

}  // namespace bloomlab::analysis::explain
