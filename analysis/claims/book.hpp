// Claims files: {"format": "bloomlab-claims-1", "id": "S1", "source": ..., "claims": [...]}.
// docs/claims.md shows how to write one.
//
// Claims with their verdicts as tables, for the report, and as JSON.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/claims/claim.hpp"
#include "analysis/tables/table.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis::claims {

/// Largest claims file that is read [bytes].
inline constexpr std::uintmax_t largest_claims_file = std::uintmax_t{16} << 20;

/// The book that `text` is; `file` names it in messages. Throws record::InputError, one line, for
/// anything unknown, missing or of the wrong kind, formulas included.
[[nodiscard]] Book read_book(std::string_view text, const std::string& file);

/// The books in these files, and in the files *.json of these folders: those of sources first, then
/// vendors' documents, then remarks of the laboratory.
[[nodiscard]] std::vector<Book> read_books(std::span<const std::filesystem::path> places);

/// Whether `only` names the book, the claim, or the row that the claim is a part of: "S0",
/// "S0-12a", "S0-12". An empty text names everything.
[[nodiscard]] bool is_named(const std::string& book, const std::string& claim,
                            const std::string& only);

/// Every claim of the books that `only` names, judged, in order. Throws record::InputError where it
/// names none, and for faults of the data that show only then.
[[nodiscard]] std::vector<JudgedClaim> judge_books(std::span<const Book> books,
                                                   const Results& results,
                                                   const std::string& only = "");

/// The verdicts that judge, in their order: all but "listed".
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
