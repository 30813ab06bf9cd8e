// What a person reads on a terminal: one line, of which every character is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomlab::cli {

/// The text in one line: line ends and tabs become spaces, what a terminal would not show is
/// written out, and the middle of a text of more than 2000 bytes is left out.
[[nodiscard]] std::string one_line(std::string_view text);

/// The text as a column of a table: at the right of `width` characters, and never without two
/// spaces before it, however long it is.
[[nodiscard]] std::string column(std::string_view text, std::size_t width);

/// "1 figure", "2 figures".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular);

}  // namespace bloomlab::cli
