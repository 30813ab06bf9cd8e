// Blocks of HTML put into the sections of a page.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "analysis/html/blocks.hpp"

namespace bloomlab::analysis::html {

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

}  // namespace bloomlab::analysis::html
