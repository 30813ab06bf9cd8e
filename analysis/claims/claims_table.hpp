// Claims with their verdicts as tables, for the report, and as JSON.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "analysis/claims/claim.hpp"
#include "analysis/tables/table.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis::claims {

/// The verdicts that judge, in the order of verdict.hpp: all but "listed".
[[nodiscard]] std::span<const Verdict> judging_verdicts();

/// How often each verdict was given. Claims that are only listed are not counted.
[[nodiscard]] std::map<Verdict, std::uint64_t> tally(std::span<const JudgedClaim> claims);

/// The verdict in the language of `words`.
[[nodiscard]] std::string verdict_word(Verdict verdict, const Words& words);

/// Whether readers should look: wrong, rough or misprinted.
[[nodiscard]] bool is_off(const JudgedClaim& claim);

/// One row a claim: id, statement, printed, computed, verdict, kind of check, the config that shows
/// it, and a note. Verdicts of claims that are off are marked. Statements are in the language of
/// `words`; English ones, where a claim has no other, are said to be so.
/// @param sections stems of the configs that have a section: references to them become links
[[nodiscard]] Table claims_table(std::span<const JudgedClaim> claims, const Words& words,
                                 std::span<const std::string> sections = {});

/// One row a source: how many of its claims have which verdict; the last row is the sum.
[[nodiscard]] Table verdicts_table(std::span<const JudgedClaim> claims, const Words& words);

/// {"claims": [...], "verdicts": {"RIGHT": 12, ...}}. A claim that is only listed has a null
/// verdict and is not counted.
[[nodiscard]] Json claims_json(std::span<const JudgedClaim> claims);

}  // namespace bloomlab::analysis::claims
