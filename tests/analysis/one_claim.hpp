// Books of one claim, for tests.
#pragma once

#include <string>
#include <vector>

#include "analysis/claims/book.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis::claims {

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

inline Verdict of_number(const std::string& printed, const std::string& check) {
  return verdict_of("\"printed\": \"" + printed + "\", \"check\": {" + check + "}");
}

inline std::string refusal_of(const std::string& text) {
  try {
    (void)read_book(text, "mine.json");
  } catch (const record::InputError& error) {
    return error.what();
  }
  return "";
}

inline std::string refusal_of_check(const std::string& check, const std::string& printed = "1") {
  return refusal_of(book_text("\"printed\": \"" + printed + "\", \"check\": {" + check + "}"));
}

}  // namespace bloomlab::analysis::claims
