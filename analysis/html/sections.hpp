// Blocks of HTML put into the sections of a page.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/html/blocks.hpp"

namespace bloomlab::analysis::html {

/// A heading of level 2 and everything up to the next.
struct PageSection {
  std::string id;
  std::string title;   ///< HTML
  std::string label;   ///< the title without markup, escaped
  std::string answer;  ///< HTML, one paragraph; empty: no experiment
  std::string body;    ///< HTML
  bool folded = false;
};

/// A page in parts.
struct Outline {
  std::string title;  ///< of the heading of level 1, without markup, escaped
  std::string intro;  ///< HTML between that heading and the first section
  std::vector<PageSection> sections;
};

/// The parts of a page; answers in Markdown by the anchor before a heading. Ids are unique.
[[nodiscard]] Outline outline_of(const std::vector<Block>& blocks,
                                 const std::map<std::string, std::string>& answers);

}  // namespace bloomlab::analysis::html
