// The report's Markdown as blocks of HTML. Parsed by MD4C (M. Mitáš) in GitHub's dialect; what is
// written for each element is our own: figures stand in the text, tables can be put in order, and
// no raw HTML passes but the report's own (html/raw.hpp).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::analysis::html {

/// SVG files by the link under which the Markdown shows them.
using Pictures = std::map<std::string, std::string, std::less<>>;

/// One block: a heading, a paragraph, a list, a table, raw HTML.
struct Block {
  unsigned heading = 0;  ///< its level, 1 to 6; 0: no heading
  std::string html;      ///< of a heading what stands in it, without its tags
  std::string text;      ///< the same without any markup, escaped
  std::string anchor;    ///< not empty: the block is nothing but this anchor
  bool folds = false;    ///< a table or a figure: what a reader may want folded away
};

/// The blocks of `markdown`, in order. An image whose link is in `pictures` becomes that picture,
/// every other one a link, so that a page loads nothing. Every entry of a table that shows another
/// number than its plain digits tells it (shown_number()) in the attribute data-v.
/// Throws std::bad_alloc alone.
[[nodiscard]] std::vector<Block> blocks_of(std::string_view markdown, const Pictures& pictures);

/// The same for a text of one paragraph, without the paragraph's tags.
[[nodiscard]] std::string line_of(std::string_view markdown);

}  // namespace bloomlab::analysis::html
