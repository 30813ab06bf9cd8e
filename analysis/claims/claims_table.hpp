// Claims with their verdicts as a table, for the report, and as JSON.
#pragma once

#include <span>

#include "analysis/claims/claim.hpp"
#include "analysis/tables/table.hpp"

namespace bloomlab::analysis::claims {

/// One row a claim: id, statement, printed, computed, verdict, kind of check, note, and the config
/// it rests on. Verdicts that are not RIGHT, DEFINITION or without judgement are marked.
/// @param language of the statements: "en", "zh", "ru"; English where a claim has no other
[[nodiscard]] Table claims_table(std::span<const JudgedClaim> claims,
                                 const std::string& language = "en");

/// {"claims": [...], "verdicts": {"RIGHT": 12, ...}}. A claim that is only listed has a null
/// verdict and is not counted.
[[nodiscard]] Json claims_json(std::span<const JudgedClaim> claims);

}  // namespace bloomlab::analysis::claims
