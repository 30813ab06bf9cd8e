// The section of the report on what the sources claim, made from templates/claims.LANGUAGE.md.
#pragma once

#include <span>
#include <string>

#include "analysis/claims/claim.hpp"
#include "analysis/report/section.hpp"

namespace bloomlab::analysis {

/// Counts of verdicts by source, the claims that are off, then all claims, folded, source by
/// source. Claims of one source stand side by side.
/// @param sections stems of the configs that have a section of their own
[[nodiscard]] Page claims_section(std::span<const claims::JudgedClaim> judged,
                                  std::span<const std::string> sections, const Words& words);

}  // namespace bloomlab::analysis
