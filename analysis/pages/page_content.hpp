// A page with its numbers: every block is run, and what it gives becomes the content of a section.
#pragma once

#include <span>

#include "analysis/content.hpp"
#include "analysis/pages/page.hpp"

namespace bloomlab::analysis::pages {

/// The values, tables and figures of a page about `own`; `others` are all results of the folder. A
/// value that no row gives, since the config was run with a smaller grid, is a dash.
/// Throws record::InputError `PAGE: line N: fault` for a fault of a block.
[[nodiscard]] Content content_of(const PageText& page, const Experiment& own,
                                 std::span<const Experiment> others, const Words& words);

}  // namespace bloomlab::analysis::pages
