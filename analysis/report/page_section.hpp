// The section of an experiment whose config names a page (docs/pages.md): the page's answer and
// prose in the frame that every section has.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "analysis/report/section.hpp"

namespace bloomlab::analysis {

/// Whether the result brings the page that its config names.
[[nodiscard]] bool has_page(const Experiment& experiment);

/// The texts that the page's translation has words for; none in English.
[[nodiscard]] std::map<std::string, std::string, std::less<>> page_phrases(
    const Experiment& experiment, const Words& words);

/// The section that the page makes; `others` are all results of the folder. Only where has_page().
/// Throws record::InputError or TemplateError, one line with page and line, for a fault of it.
[[nodiscard]] Section page_section(const Experiment& experiment, std::span<const Experiment> others,
                                   const Words& general, const Links& links);

}  // namespace bloomlab::analysis
