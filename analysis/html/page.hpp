// The report's Markdown as blocks of HTML. Parsed by MD4C (M. Mitáš) in GitHub's dialect; what is
// written for each element is our own: figures stand in the text, tables can be put in order, and
// no raw HTML passes but the report's own (html/raw.hpp).
//
// The report as one page that needs nothing else: no network, no folder beside it. Blocks of HTML
// are put into its sections; what it lets a browser do is said by W3C, Content Security Policy
// Level 3.
#pragma once

#include <functional>
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

/// What a section says at a glance.
struct PageAnswer {
  std::string markdown;  ///< one paragraph
  std::string chapter;   ///< what the contents group it under; empty: nothing
};

/// Answers by the anchor before a section's heading.
using PageAnswers = std::map<std::string, PageAnswer, std::less<>>;

/// A heading of level 2 and everything up to the next.
struct PageSection {
  std::string id;
  std::string title;    ///< HTML
  std::string label;    ///< the title without markup, escaped
  std::string answer;   ///< HTML, one paragraph; empty: none
  std::string body;     ///< HTML
  std::string chapter;  ///< escaped; empty: none
  bool folded = false;
};

/// A page in parts.
struct Outline {
  std::string title;  ///< of the heading of level 1, without markup, escaped
  std::string intro;  ///< HTML between that heading and the first section
  std::vector<PageSection> sections;
};

/// The parts of a page. The first section stands open; a later one is folded if it has an answer, a
/// table or a figure. Ids: a section's anchor, else its title as GitHub makes it an anchor, each
/// once.
[[nodiscard]] Outline outline_of(const std::vector<Block>& blocks, const PageAnswers& answers);

/// What the page is made from.
struct PageSource {
  std::string_view markdown;  ///< the report: one heading of level 1, sections of level 2
  PageAnswers answers = {};   ///< these sections are folded, with the answer to be seen
  Pictures pictures = {};
  std::string report_link;     ///< Markdown link to the report's own file
  std::string results_folder;  ///< where the results are, as Markdown that may stand in code
};

/// The page, its own words in `language`. Equal sources give equal bytes. The page's policy lets
/// nothing be loaded and no script run but its own.
[[nodiscard]] std::string page(const PageSource& source, const std::string& language);

/// The policy of a page with this one script: nothing is loaded from anywhere, and no other script
/// runs, wherever it may have come from.
[[nodiscard]] std::string content_policy(std::string_view script);

/// Base64 with padding (RFC 4648, section 4).
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace bloomlab::analysis::html
