// The report as one page that needs nothing else: no network, no folder beside it.
#pragma once

#include <string>
#include <string_view>

#include "analysis/html/blocks.hpp"
#include "analysis/html/sections.hpp"

namespace bloomlab::analysis::html {

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

}  // namespace bloomlab::analysis::html
