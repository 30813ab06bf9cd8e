#include "analysis/claims/book.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "analysis/claims/claim.hpp"
#include "analysis/text/utf8.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
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

constexpr std::array<Verdict, 7> judging = {
    Verdict::right, Verdict::definition,   Verdict::misprint, Verdict::rough,
    Verdict::wrong, Verdict::not_measured, Verdict::open};

/// Text for people, escaped.
Entry prose_entry(const std::string& text) {
  if (text.empty()) return no_entry();
  return {markdown_escaped(text)};
}

Entry computed_entry(const Finding& finding, const Words& words) {
  if (finding.computed) return {finding.computed_text};
  return prose_entry(words.of_data(finding.computed_text));
}

std::string with_unit(const std::string& number, const std::string& unit) {
  return number.empty() || unit.empty() ? number : number + " " + unit;
}

Entry statement_entry(const ClaimText& text, const Words& words) {
  const auto translated = text.translations.find(words.language());
  if (translated != text.translations.end()) {
    return prose_entry(translated->second);
  }
  Entry entry = prose_entry(text.statement);
  if (words.language() != "en") entry.text.append(" ").append(words("claims.in_english"));
  return entry;
}

/// What was found out, then what the claim itself notes.
std::string full_note(const JudgedClaim& claim) {
  const std::string& found = claim.finding.note;
  const std::string& own = claim.text.note;
  return found + (found.empty() || own.empty() ? "" : "; ") + own;
}

/// How the source is understood stands in the note, too.
Entry note_entry(const JudgedClaim& claim, const Words& words) {
  const std::string note = full_note(claim);
  Entry entry = prose_entry(words.of_data(note));
  if (claim.text.reading.empty()) return entry;
  const std::string reading =
      words("claims.read_as", {{"reading", markdown_escaped(words.of_data(claim.text.reading))}});
  entry.text = note.empty() ? reading : reading + " " + entry.text;
  return entry;
}

/// The config whose section shows the claim.
const std::string& shown_by(const JudgedClaim& claim) {
  return claim.finding.evidence.empty() ? claim.text.see : claim.finding.evidence;
}

Entry shown_by_entry(const JudgedClaim& claim, std::span<const std::string> sections) {
  const std::string& stem = shown_by(claim);
  Entry entry = prose_entry(stem);
  if (std::find(sections.begin(), sections.end(), stem) != sections.end()) {
    std::string link = "[";
    entry.text = link.append(entry.text).append("](").append(section_mark(stem)).append(")");
  }
  return entry;
}

Json claim_json(const JudgedClaim& claim) {
  const Finding& finding = claim.finding;
  return {{"id", claim.text.id},
          {"voice", name_of(claim.voice)},
          {"source", claim.book},
          {"statement", claim.text.statement},
          {"kind", claim.kind},
          {"verdict", finding.verdict == Verdict::listed ? Json() : Json(name_of(finding.verdict))},
          {"printed", finding.printed},
          {"unit", claim.text.unit},
          {"computed", finding.computed ? Json(*finding.computed) : Json()},
          {"computed_text", finding.computed_text},
          {"entries", finding.entries},
          {"entries_right", finding.entries_right},
          {"evidence", finding.evidence},
          {"see", claim.text.see},
          {"reading", claim.text.reading},
          {"note", full_note(claim)}};
}

std::vector<Entry> tally_row(const std::string& id, Entry source,
                             std::span<const JudgedClaim> claims) {
  std::vector<Entry> row = {Entry{id}, std::move(source), count_entry(claims.size())};
  const auto counts = tally(claims);
  for (const Verdict verdict : judging) {
    const auto found = counts.find(verdict);
    row.push_back(count_entry(found == counts.end() ? 0 : found->second));
  }
  return row;
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
    if (files.size() == first) {
      throw record::InputError(place.string() +
                               ": holds no file of claims; name files of claims, NAME.json, or a "
                               "folder of them");
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

std::span<const Verdict> judging_verdicts() { return judging; }

std::string_view name_of(Voice voice) {
  constexpr std::array<std::string_view, 3> names = {"source", "vendor", "laboratory"};
  return names[static_cast<std::size_t>(voice)];
}

std::vector<JudgedClaim> claims_of(std::span<const JudgedClaim> claims, Voice voice) {
  std::vector<JudgedClaim> own;
  std::copy_if(claims.begin(), claims.end(), std::back_inserter(own),
               [&](const JudgedClaim& claim) { return claim.voice == voice; });
  return own;
}

std::map<Verdict, std::uint64_t> tally(std::span<const JudgedClaim> claims) {
  std::map<Verdict, std::uint64_t> counts;
  for (const JudgedClaim& claim : claims) {
    if (claim.finding.verdict != Verdict::listed) ++counts[claim.finding.verdict];
  }
  return counts;
}

std::string verdict_word(Verdict verdict, const Words& words) {
  return words("claims.verdict." + std::string(name_of(verdict)));
}

bool is_off(const JudgedClaim& claim) {
  const Verdict verdict = claim.finding.verdict;
  return verdict == Verdict::misprint || verdict == Verdict::rough || verdict == Verdict::wrong;
}

Table claims_table(std::span<const JudgedClaim> claims, const Words& words,
                   std::span<const std::string> sections) {
  Table table{.name = "claims",
              .caption = words("table.claims.caption"),
              .columns = {{words("column.claim")},
                          {words("column.statement")},
                          {words("column.printed")},
                          {words("column.computed")},
                          {words("column.verdict")},
                          {words("column.checked_by")},
                          {words("column.shown_by")},
                          {words("column.note")}},
              .rows = {}};
  for (const JudgedClaim& claim : claims) {
    const std::string printed = with_unit(claim.finding.printed, claim.text.unit);
    table.rows.push_back({Entry{claim.text.id}, statement_entry(claim.text, words),
                          prose_entry(words.of_data(printed)), computed_entry(claim.finding, words),
                          Entry{verdict_word(claim.finding.verdict, words), is_off(claim)},
                          Entry{words("claims.kind." + claim.kind)},
                          shown_by_entry(claim, sections), note_entry(claim, words)});
  }
  return table;
}

std::string claims_csv(std::span<const JudgedClaim> claims) {
  std::string text = "id,statement,printed,computed,verdict,kind,evidence,reading,note,voice\n";
  for (const JudgedClaim& claim : claims) {
    const Finding& finding = claim.finding;
    const std::vector<std::string> fields = {
        claim.text.id,
        claim.text.statement,
        with_unit(finding.printed, claim.text.unit),
        finding.computed ? exact_text(*finding.computed) : finding.computed_text,
        std::string(name_of(finding.verdict)),
        claim.kind,
        shown_by(claim),
        claim.text.reading,
        full_note(claim),
        std::string(name_of(claim.voice))};
    text += csv_line(fields);
  }
  return text;
}

Table verdicts_table(std::span<const JudgedClaim> claims, const Words& words) {
  Table table{
      .name = "verdicts",
      .caption = words("table.verdicts.caption"),
      .columns = {{words("column.source_id")}, {words("column.source")}, {words("column.claims")}},
      .rows = {}};
  for (const Verdict verdict : judging) {
    table.columns.push_back({verdict_word(verdict, words)});
  }
  for (auto first = claims.begin(); first != claims.end();) {
    const auto last = std::find_if(
        first, claims.end(), [&](const JudgedClaim& claim) { return claim.book != first->book; });
    table.rows.push_back(
        tally_row(first->book, prose_entry(words.of_data(first->source)), {first, last}));
    const bool more = last != claims.end() && last->voice == Voice::source;
    if (first->voice == Voice::source && !more) {
      const auto sources = claims_of(claims, Voice::source);
      table.rows.push_back(tally_row("", Entry{words("claims.all_sources")}, sources));
    }
    first = last;
  }
  return table;
}

Json claims_json(std::span<const JudgedClaim> claims) {
  Json list = Json::array();
  Json verdicts = Json::object();
  for (const JudgedClaim& claim : claims) list.push_back(claim_json(claim));
  for (const Voice voice : {Voice::source, Voice::vendor, Voice::laboratory}) {
    Json& counts = verdicts[std::string(name_of(voice))];
    for (const Verdict verdict : judging) counts[std::string(name_of(verdict))] = 0;
    for (const auto& [verdict, count] : tally(claims_of(claims, voice))) {
      counts[std::string(name_of(verdict))] = count;
    }
  }
  return {{"claims", list}, {"verdicts", verdicts}};
}

}  // namespace bloomlab::analysis::claims
