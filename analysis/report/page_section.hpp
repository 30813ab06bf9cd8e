// The section of an experiment whose config names a page (docs/pages.md): the page's answer and
// prose in the frame that every section has.
#pragma once

#include <span>

#include "analysis/report/section.hpp"

namespace bloomlab::analysis {

/// Whether the result brings the page that its config names.
[[nodiscard]] bool has_page(const Experiment& experiment);

/// The section that the page makes; `others` are all results of the folder. Only where has_page().
/// Throws record::InputError or TemplateError, one line with page and line, for a fault of it.
[[nodiscard]] Section page_section(const Experiment& experiment, std::span<const Experiment> others,
                                   const Words& general, const Links& links);

}  // namespace bloomlab::analysis
