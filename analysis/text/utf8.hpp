// Text of anybody's making as UTF-8 that can be shown.
//
// Links of a report's texts. A text is made once, with marks for what it links to; the marks become
// links as seen from the file in which the text stands: REPORT.md, a page of its own, REPORT.html.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace bloomlab::analysis {

/// Whether it is one of a-z, A-Z and 0-9.
[[nodiscard]] constexpr bool is_letter_or_digit(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9');
}

/// Puts `to` in the place of every `from` in the text.
void replace_all(std::string& text, std::string_view from, std::string_view to);

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

/// Where things stand, seen from a file: relative, with "/" at the end, or empty. Or marks.
struct Links {
  std::string results;
  std::string figures;
  std::string tables = {};  ///< of CSV files
};

/// Marks in the place of links.
[[nodiscard]] Links marked_links();

/// A mark for the section of this anchor: a result's stem, or a name below.
[[nodiscard]] std::string section_mark(std::string_view anchor);

inline constexpr std::string_view claims_anchor = "claims_book";
inline constexpr std::string_view method_anchor = "method";

/// Where the marks of a text lead.
struct Targets {
  Links links;
  std::function<std::string(const std::string& anchor)> section;
};

/// `text` with links for its marks.
[[nodiscard]] std::string with_links(std::string_view text, const Targets& targets);

/// `text` with everything escaped that has no place in a link.
[[nodiscard]] std::string link_text(const std::string& text);

}  // namespace bloomlab::analysis
