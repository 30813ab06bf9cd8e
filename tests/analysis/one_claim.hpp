// Books of one claim, for tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/claims/book.hpp"
#include "record/input_error.hpp"
#include "tests/paths.hpp"
#include "tests/thrown.hpp"

namespace bloomlab::analysis::claims {

/// The books of this project.
inline std::vector<Book> committed_books() {
  const std::vector<std::filesystem::path> folder = {BLOOMLAB_SOURCE_DIR "/configs/claims"};
  return read_books(folder);
}

/// A book of one claim with these further members.
inline std::string book_text(const std::string& members) {
  return R"j({"format": "bloomlab-claims-1", "id": "T", "source": "test", "claims": [)j"
         R"j({"id": "T-1", "statement": "a statement", )j" +
         members + "}]}";
}

inline Finding finding_of(const std::string& members, const Results& results = {}) {
  const std::vector<Book> books = {read_book(book_text(members), "mine.json")};
  return judge_books(books, results).front().finding;
}

inline Verdict verdict_of(const std::string& members, const Results& results = {}) {
  return finding_of(members, results).verdict;
}

/// Of a claim that prints `printed` and is checked by this query; `further` are members of its
/// check.
inline Verdict of_number(const std::string& printed, const std::string& sql,
                         const std::string& further = "") {
  const std::string member = printed.empty() ? "" : "\"printed\": \"" + printed + "\", ";
  return verdict_of(member + R"j("check": {"sql": ")j" + sql + "\"" +
                    (further.empty() ? "" : ", " + further) + "}");
}

/// The fault that shows when a claim with this query is judged.
inline std::string fault_of(const std::string& sql, const std::string& further = "",
                            const Results& results = {}) {
  return tests::thrown(
      [&] { (void)finding_of(R"j("check": {"sql": ")j" + sql + "\"" + further + "}", results); },
      "");
}

inline std::string refusal_of(const std::string& text) {
  return tests::thrown([&] { (void)read_book(text, "mine.json"); }, "");
}

inline std::string refusal_of_check(const std::string& check) {
  return refusal_of(book_text("\"check\": " + check));
}

}  // namespace bloomlab::analysis::claims
