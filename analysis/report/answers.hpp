// The first page of the report: one answer a config, by subject, each with a link to its section.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/section.hpp"

namespace bloomlab::analysis {

/// Where the section on the sources' claims begins.
inline constexpr std::string_view claims_anchor = "claims_book";

/// The configs that the suite knows, in the order of the report.
[[nodiscard]] std::vector<std::string> known_stems();

/// The answers of all sections and of the claims, then, by subject, the configs that were not
/// measured.
[[nodiscard]] std::string answers_text(const std::vector<Section>& sections, const Page& claims,
                                       const Words& words);

}  // namespace bloomlab::analysis
