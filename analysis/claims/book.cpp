#include "analysis/claims/book.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "analysis/claims/checks.hpp"
#include "record/input_error.hpp"
#include "record/strict_json.hpp"
#include "record/suggest.hpp"

namespace bloomlab::analysis::claims {
namespace {

using record::JsonView;
using record::ObjectReader;

constexpr std::string_view book_format = "bloomlab-claims-1";
constexpr std::array<std::string_view, 7> book_keys = {"format", "id",        "source", "voice",
                                                       "claims", "sentences", "words"};
constexpr std::array<std::string_view, 2> languages = {"zh", "ru"};
constexpr std::array<std::string_view, 3> voice_words = {"source", "vendor", "laboratory"};
constexpr std::array<std::string_view, 3> sentence_keys = {"at", "says", "rows"};
constexpr std::array<std::string_view, 10> claim_keys = {
    "id",   "statement", "statement_zh", "statement_ru", "printed",
    "unit", "reading",   "note",         "see",          "check"};

std::string required_text(const ObjectReader& object, std::string_view key,
                          std::string_view meaning) {
  return object.at(key, meaning).text({key, meaning});
}

std::string optional_text(const ObjectReader& object, std::string_view key) {
  return object.has(key) ? required_text(object, key, "") : "";
}

ClaimText read_claim_text(const ObjectReader& claim) {
  ClaimText text{.id = required_text(claim, "id", "what the claim is called, a text"),
                 .statement = required_text(claim, "statement", "what is claimed, a text"),
                 .printed = optional_text(claim, "printed"),
                 .unit = optional_text(claim, "unit"),
                 .reading = optional_text(claim, "reading"),
                 .note = optional_text(claim, "note"),
                 .see = optional_text(claim, "see")};
  for (const std::string_view language : languages) {
    const std::string key = std::string("statement_").append(language);
    if (claim.has(key)) text.translations[std::string(language)] = optional_text(claim, key);
  }
  return text;
}

Claim read_claim(const JsonView& view, const record::Origin& origin) {
  const ObjectReader object(view, "a claim", claim_keys);
  ClaimText text = read_claim_text(object);
  text.place = origin.file + ": claim " + text.id;
  ReadCheck read = read_check(object.at("check", "how the claim is checked, an object"), text);
  return {std::move(text), std::move(read.kind), std::move(read.check)};
}

/// Reads the sentences of `book`, if it has some: then every claim must belong to one.
void read_sentences(const ObjectReader& reader, const std::set<std::string>& ids, Book& book) {
  if (!reader.has("sentences")) return;
  const JsonView sentences = reader.at("sentences", "");
  std::set<std::string> unsaid = ids;
  for (const JsonView& view : sentences.elements("sentences")) {
    const ObjectReader object(view, "a sentence", sentence_keys);
    book.sentences.push_back({required_text(object, "at", "where it stands, a text"),
                              required_text(object, "says", "what it says, a text"),
                              {}});
    const JsonView rows = object.at("rows", "ids of the claims that judge it");
    for (const JsonView& row : rows.elements("rows")) {
      const std::string id = row.text({"a row", "the id of a claim"});
      if (!ids.contains(id)) row.refuse("no claim of this file is called \"" + id + "\"");
      book.sentences.back().rows.push_back(id);
      unsaid.erase(id);
    }
    if (rows.json().empty()) rows.refuse("there is no row; give the id of one claim or more");
  }
  if (unsaid.empty()) return;
  sentences.refuse("the claim \"" + *unsaid.begin() + "\" belongs to no sentence; name it in one");
}

void read_words(const ObjectReader& reader, Book& book) {
  if (!reader.has("words")) return;
  const JsonView words = reader.at("words", "");
  (void)ObjectReader(words, "the words of a book", languages);
  for (const auto& [language, texts] : words.members()) {
    for (const auto& [english, view] : texts.members()) {
      book.words[language][english] = view.text({"a translation", "a text"});
    }
  }
}

}  // namespace

Book read_book(std::string_view text, const std::string& file) {
  const record::Json json = record::parse_json(text, file);
  const record::Origin origin{file};
  const ObjectReader reader(JsonView(json, origin), "a claims file", book_keys);
  const JsonView format = reader.at("format", "\"bloomlab-claims-1\"");
  if (format.json() != book_format) {
    format.refuse("found " + record::shown(format.json()) + "; \"" + std::string(book_format) +
                  "\" is allowed");
  }
  Book book{required_text(reader, "id", "a short name of the source, a text"),
            required_text(reader, "source", "who says it and where, a text"),
            {}};
  if (reader.has("voice")) {
    const auto word = reader.at("voice", "").word("voice", voice_words);
    book.voice = static_cast<Voice>(std::find(voice_words.begin(), voice_words.end(), word) -
                                    voice_words.begin());
  }
  std::set<std::string> ids;
  for (const JsonView& view : reader.at("claims", "the claims").elements("claims")) {
    book.claims.push_back(read_claim(view, origin));
    const std::string& id = book.claims.back().text.id;
    if (!ids.insert(id).second) view.refuse("the id \"" + id + "\" is taken; choose another one");
  }
  read_sentences(reader, ids, book);
  read_words(reader, book);
  return book;
}

std::vector<Book> read_books(std::span<const std::filesystem::path> places) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& place : places) {
    if (!std::filesystem::is_directory(place)) {
      files.push_back(place);
      continue;
    }
    const std::size_t first = files.size();
    for (const auto& entry : std::filesystem::directory_iterator(place)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
  }
  std::vector<Book> books;
  for (const std::filesystem::path& file : files) {
    books.push_back(read_book(record::read_text(file, largest_claims_file), file.string()));
  }
  std::stable_sort(books.begin(), books.end(),
                   [](const Book& a, const Book& b) { return a.voice < b.voice; });
  return books;
}

bool is_named(const std::string& book, const std::string& claim, const std::string& only) {
  if (only.empty() || only == book || only == claim) return true;
  const bool part = claim.starts_with(only) && claim.size() == only.size() + 1;
  return part && claim.back() >= 'a' && claim.back() <= 'z';
}

std::vector<JudgedClaim> judge_books(std::span<const Book> books, const Results& results,
                                     const std::string& only) {
  std::vector<JudgedClaim> judged;
  std::vector<std::string_view> known;
  for (const Book& book : books) {
    known.push_back(book.id);
    for (const Claim& claim : book.claims) {
      if (!is_named(book.id, claim.text.id, only)) continue;
      judged.push_back(
          {book.voice, book.id, book.source, claim.text, claim.kind, claim.check(results)});
    }
  }
  if (judged.empty() && !only.empty()) {
    throw record::InputError("no claim is called \"" + only + "\"; " +
                             record::suggestion(only, known) +
                             "; a source, such as S1, or a claim, such as S1-28, is allowed");
  }
  return judged;
}

}  // namespace bloomlab::analysis::claims
