// Text that a terminal or a page would not show as it stands: bytes that are no UTF-8, control
// characters, and marks that turn the direction of what follows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bloomlab::record {

/// What the first such place of the text is: "U+202E, a direction mark", "the byte FF, which is no
/// UTF-8"; nothing where all is shown. Tabs and line ends are shown.
[[nodiscard]] std::optional<std::string> first_hidden(std::string_view text);

/// The text with such places written out, as \u{202E} and \xFF.
[[nodiscard]] std::string made_visible(std::string_view text);

/// How many characters a text of UTF-8 has.
[[nodiscard]] std::size_t letters_in(std::string_view text);

/// The text as one word of a POSIX shell, for commands that a message advises: in quotation marks
/// where it holds more than plain letters.
[[nodiscard]] std::string shell_word(std::string_view text);

}  // namespace bloomlab::record
