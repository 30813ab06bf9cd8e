// Text of anybody's making as UTF-8 that can be shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bloomlab::analysis {

/// What stands for bytes that are no UTF-8.
inline constexpr char32_t replacement_character = 0xFFFD;

/// A character, and how many bytes it takes.
struct DecodedCharacter {
  char32_t character;
  std::size_t bytes;
};

/// The first character of a non-empty text; one byte and U+FFFD where it is not well formed.
[[nodiscard]] DecodedCharacter decode(std::string_view text);

/// Valid UTF-8 on one line: every byte that is no UTF-8 and every character that XML forbids
/// becomes U+FFFD, every control character a space.
[[nodiscard]] std::string clean_text(std::string_view text);

/// The clean text with the characters escaped that mean something to XML, for text between tags and
/// in attributes.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace bloomlab::analysis
