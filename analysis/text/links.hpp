// Links of a report's texts. A text is made once, with marks for what it links to; the marks become
// links as seen from the file in which the text stands: REPORT.md, a page of its own, REPORT.html.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace bloomlab::analysis {

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
