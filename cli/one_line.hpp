// What a person reads on a terminal: one line, of which every character is shown.
#pragma once

#include <string>
#include <string_view>

namespace bloomlab::cli {

/// The text in one line: line ends and tabs become spaces, what a terminal would not show is
/// written out, and the middle of a text of more than 2000 bytes is left out.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace bloomlab::cli
