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

/// The verdicts that judge, in the order of claim.hpp: all but "listed".
[[nodiscard]] std::span<const Verdict> judging_verdicts();

/// "source", "vendor" or "laboratory".
[[nodiscard]] std::string_view name_of(Voice voice);

/// The claims of one voice, in order.
[[nodiscard]] std::vector<JudgedClaim> claims_of(std::span<const JudgedClaim> claims, Voice voice);

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

/// Every claim, one a line, in English.
[[nodiscard]] std::string claims_csv(std::span<const JudgedClaim> claims);

/// One row a book: how many of its claims have which verdict. Behind the books of sources stands
/// their sum; vendors and remarks of the laboratory are not in it. Claims of one book stand side by
/// side, sources first.
[[nodiscard]] Table verdicts_table(std::span<const JudgedClaim> claims, const Words& words);

/// {"claims": [...], "verdicts": {"source": {"RIGHT": 12, ...}, "vendor": ..., "laboratory": ...}}.
/// A claim that is only listed has a null verdict and is not counted.
[[nodiscard]] Json claims_json(std::span<const JudgedClaim> claims);

}  // namespace bloomlab::analysis::claims
