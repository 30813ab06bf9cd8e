// Claims files: {"format": "bloomlab-claims-1", "id": "S1", "source": ..., "claims": [...]}.
// docs/claims.md shows how to write one.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/claims/claim.hpp"

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

}  // namespace bloomlab::analysis::claims
