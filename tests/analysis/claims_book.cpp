// Claims files: what is refused, what the built-in ones hold, how claims are shown.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/claims/book.hpp"
#include "analysis/text/utf8.hpp"
#include "analysis/text/words.hpp"
#include "record/result_file.hpp"
#include "record/strict_json.hpp"
#include "tests/analysis/one_claim.hpp"
#include "tests/analysis/temporary.hpp"
#include "tests/edit.hpp"

namespace bloomlab::analysis::claims {
namespace {

/// The "check" of a claim of a committed book, as it is written.
Json check_of(const std::string& file, const std::string& id) {
  const Json book =
      record::read_json(BLOOMLAB_SOURCE_DIR "/configs/claims/" + file, largest_claims_file);
  for (const Json& claim : book.at("claims")) {
    if (claim.at("id") == id) return claim.at("check");
  }
  FAIL("no claim " << id);
  return {};
}

}  // namespace

TEST_CASE("a bad claims file is refused with place and what is allowed", "[analysis][claims]") {
  CHECK(refusal_of("[]") == "mine.json: found an array; a claims file must be an object");
  CHECK(refusal_of(R"j({"format": "other"})j") ==
        "mine.json: /format: found \"other\"; \"bloomlab-claims-1\" is allowed");
  CHECK(refusal_of_check(R"j({"kind": "arithmetic"})j") ==
        "mine.json: /claims/0/check: found an object; a check is an object with \"sql\", "
        "\"property\", \"cited\", \"open\" or \"listed\"");
  CHECK(refusal_of_check("7") ==
        "mine.json: /claims/0/check: found 7; a check is an object with \"sql\", \"property\", "
        "\"cited\", \"open\" or \"listed\"");
  CHECK(refusal_of_check(R"j({"sql": "select 1 as holds", "rang": "size"})j") ==
        "mine.json: /claims/0/check/rang: unknown key \"rang\"; did you mean \"range\"?");
  CHECK(refusal_of_check(R"j({"sql": ["select 1 as holds", 7]})j") ==
        "mine.json: /claims/0/check/sql/1: found 7; a line must be a text");
  CHECK(refusal_of_check(R"j({"sql": "select 1 as truth", "relation": "at_mosst"})j") ==
        "mine.json: /claims/0/check/relation: unknown relation \"at_mosst\"; did you mean "
        "\"at_most\"?");
  CHECK(refusal_of_check(R"j({"property": "no_false_negative"})j") ==
        "mine.json: /claims/0/check/property: unknown property \"no_false_negative\"; did you mean "
        "\"no_false_negatives\"?");
  CHECK(refusal_of_check(R"j({"open": "a scenario", "why": "x"})j")
            .starts_with("mine.json: /claims/0/check/why: unknown key \"why\""));
}

TEST_CASE("who speaks, and which sentences the claims judge, is refused where it is wrong",
          "[analysis][claims]") {
  const auto with = [](const std::string& members) {
    return refusal_of(R"j({"format": "bloomlab-claims-1", "id": "T", "source": "test", )j" +
                      members + R"j(, "claims": [{"id": "T-1", "statement": "s",
        "check": {"sql": "select 1 as holds"}}]})j");
  };
  const auto said = [](const std::string& rows) {
    return R"j("sentences": [{"at": "page", "says": "one", "rows": [)j" + rows + "]}]";
  };
  CHECK(with(R"j("voice": "vendor")j").empty());
  CHECK(with(R"j("voice": "vendors")j") ==
        "mine.json: /voice: unknown voice \"vendors\"; did you mean \"vendor\"?");
  CHECK(with(said("\"T-1\"")).empty());
  CHECK(with(said("")) ==
        "mine.json: /sentences/0/rows: there is no row; give the id of one claim or more");
  CHECK(with(said("\"T-2\"")) ==
        "mine.json: /sentences/0/rows/0: no claim of this file is called \"T-2\"");
  CHECK(with("\"sentences\": []") ==
        "mine.json: /sentences: the claim \"T-1\" belongs to no sentence; name it in one");
}

TEST_CASE("the books of this project are read, complete and name each claim once",
          "[analysis][claims]") {
  std::set<std::string> books;
  std::set<std::string> ids;
  std::map<std::string, int> last = {{"S0", 22}, {"S1", 39}, {"S2", 25}, {"S3", 21}, {"S4", 23}};
  for (const Book& book : committed_books()) {
    books.insert(book.id);
    for (const Claim& claim : book.claims) CHECK(ids.insert(claim.text.id).second);
  }
  CHECK(books == std::set<std::string>{"S0", "S1", "S2", "S3", "S4", "vendor", "remarks"});
  for (const auto& [book, rows] : last) {
    for (int row = 1; row <= rows; ++row) {
      const std::string name = book + "-" + std::to_string(row);
      INFO(name);
      const std::string any_row = book + "?";
      CHECK(std::any_of(ids.begin(), ids.end(),
                        [&](const std::string& id) { return is_named(any_row, id, name); }));
    }
  }
}

TEST_CASE("every sentence of a source with a number or a property has a row, and every row one",
          "[analysis][claims]") {
  for (const Book& book : committed_books()) {
    INFO(book.id);
    // The reader refuses sentences without a row and, where there are sentences, rows without one.
    CHECK(book.sentences.empty() == (book.voice == Voice::laboratory));
    std::set<std::string> said;
    for (const Sentence& sentence : book.sentences) {
      CHECK_FALSE(sentence.at.empty());
      CHECK(said.insert(sentence.at + ": " + sentence.says).second);
    }
  }
}

TEST_CASE("sources speak first, then vendors, then the laboratory, whose remarks hold",
          "[analysis][claims]") {
  const std::vector<Book> books = committed_books();
  CHECK(std::is_sorted(books.begin(), books.end(),
                       [](const Book& a, const Book& b) { return a.voice < b.voice; }));
  const auto judged = judge_books(books, {});
  for (const JudgedClaim& remark : claims_of(judged, Voice::laboratory)) {
    INFO(remark.text.id << ": " << remark.finding.note);
    const Verdict verdict = remark.finding.verdict;
    CHECK((verdict == Verdict::right || verdict == Verdict::not_measured));
    CHECK(remark.text.id.starts_with("S"));
  }
}

TEST_CASE("the most favourable reading of the sources gives these verdicts", "[analysis][claims]") {
  const std::map<std::string, Verdict> expected = {
      {"S0-8", Verdict::right},   {"S1-7", Verdict::rough},     {"S1-11a", Verdict::right},
      {"S1-13", Verdict::right},  {"S1-28", Verdict::misprint}, {"S1-29", Verdict::right},
      {"S1-43a", Verdict::right}, {"S2-1", Verdict::listed},    {"S2-4b", Verdict::right},
      {"S3-13", Verdict::right},  {"S4-3", Verdict::right},     {"S4-8a", Verdict::wrong},
      {"S4-10c", Verdict::right}, {"S4-11", Verdict::right},    {"S4-13b", Verdict::right},
      {"S4-16a", Verdict::right}, {"S4-16b", Verdict::right},   {"S4-16c", Verdict::right},
      {"S0-19", Verdict::right},  {"S1-34d", Verdict::right},   {"S1-34a", Verdict::not_measured}};
  std::size_t found = 0;
  for (const JudgedClaim& claim : judge_books(committed_books(), {})) {
    const auto wanted = expected.find(claim.text.id);
    if (wanted == expected.end()) continue;
    ++found;
    INFO(claim.text.id << ": " << claim.finding.note);
    CHECK(claim.voice == Voice::source);
    CHECK(claim.finding.verdict == wanted->second);
  }
  CHECK(found == expected.size());
}

TEST_CASE("one statement of two sources has one check", "[analysis][claims]") {
  const Json first = check_of("s0.json", "S0-8");
  CHECK(first.contains("sql"));
  CHECK(first == check_of("s1.json", "S1-13"));
}

TEST_CASE("every committed claim is judged without results", "[analysis][claims]") {
  const auto judged = judge_books(committed_books(), {});
  CHECK(judged.size() == 201);
  CHECK(claims_of(judged, Voice::source).size() == 165);
  CHECK(claims_of(judged, Voice::vendor).size() == 12);
  for (const JudgedClaim& claim : judged) {
    INFO(claim.text.id << ": " << claim.finding.note);
    const bool measured = claim.finding.verdict == Verdict::not_measured;
    CHECK(measured == (claim.kind == "experiment"));
  }
}

TEST_CASE("a claim whose results are stored is judged by them", "[analysis][claims]") {
  const Results stored(BLOOMLAB_SOURCE_DIR "/results");
  std::map<std::string, Verdict> verdicts;
  for (const JudgedClaim& claim : judge_books(committed_books(), stored)) {
    INFO(claim.text.id << ": " << claim.finding.note);
    CHECK(claim.finding.note.find("write its check") == std::string::npos);
    verdicts[claim.text.id] = claim.finding.verdict;
  }
  for (const char* counted : {"S0-16", "S1-3a", "S1-3b", "S1-3d", "S3-5"}) {
    INFO(counted);
    CHECK(verdicts.at(counted) == Verdict::right);
  }
  CHECK(verdicts.at("S4-19") != Verdict::not_measured);
}

TEST_CASE("a book translates what its claims say", "[analysis][claims]") {
  const std::string start =
      R"j({"format": "bloomlab-claims-1", "id": "T", "source": "test", "claims": [], "words": )j";
  const Book book = read_book(start + R"j({"ru": {"a # test": "# проба"}}})j", "mine.json");
  CHECK(book.words.at("ru").at("a # test") == "# проба");
  Words words("ru");
  CHECK(words.of_data("a 5 test") == "a 5 test");
  words = words.with(book.words.at("ru"));
  CHECK(words.of_data("a 5 test") == "5 проба");
  CHECK(refusal_of(start + R"j({"fr": {}}})j")
            .starts_with("mine.json: /words/fr: unknown key \"fr\""));
}

TEST_CASE("the printed table of the textbook's slides is in its claim", "[analysis][claims]") {
  const std::string sql = check_of("s0.json", "S0-12a").at("sql").dump();
  std::istringstream printed(
      "0.393 0.400 0.283 0.237 0.253 0.221 0.155 0.147 0.160 0.181 0.109 0.092 0.092 "
      "0.101 0.154 0.0804 0.0609 0.0561 0.0578 0.0638 0.133 0.0618 0.0423 0.0359 0.0347 "
      "0.0364 0.118 0.0489 0.0306 0.024 0.0217 0.0216 0.0229 0.105 0.0397 0.0228 0.0166 "
      "0.0141 0.0133 0.0135 0.0145 0.0952 0.0329 0.0174 0.0118 0.00943 0.00844 0.00819 "
      "0.00846 ");
  std::size_t at = 0;
  for (std::string rate; printed >> rate;) {
    at = sql.find("'" + rate + "')", at);
    REQUIRE(at != std::string::npos);
  }
}

TEST_CASE("a claim's table has a row a claim and marks what is off", "[analysis][claims]") {
  const std::string text = book_text(
      R"j("statement_zh": "zh", "printed": "2", "unit": "bits",
         "check": {"sql": "select 10 as truth"})j");
  const std::vector<Book> books = {read_book(text, "mine.json")};
  const auto judged = judge_books(books, {});
  const auto table = claims_table(judged, Words("en"));
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows.front().at(1).text == "a statement");
  CHECK(table.rows.front().at(2).text == "2 bits");
  CHECK(table.rows.front().at(4).text == "WRONG");
  CHECK(table.rows.front().at(4).marked);
  CHECK_FALSE(bloomlab::analysis::markdown(table).empty());
  const Json json = claims_json(judged);
  CHECK(json.at("verdicts").at("source").at("WRONG") == 1);
  CHECK(json.at("verdicts").at("vendor").at("WRONG") == 0);
  CHECK(json.at("claims").at(0).at("voice") == "source");
  CHECK(json.at("claims").at(0).at("computed") == 10);
}

TEST_CASE("a claim links to the section that shows it, if there is one", "[analysis][claims]") {
  const std::vector<Book> books = {read_book(
      book_text(R"j("see": "fpr_vs_m", "check": {"sql": "select 1 as holds"})j"), "a.json")};
  const auto judged = judge_books(books, {});
  const std::vector<std::string> sections = {"fpr_vs_m"};
  const Words words("en");
  const auto linked = claims_table(judged, words, sections).rows.front().at(6);
  CHECK(linked.text == "[fpr_vs_m](" + section_mark("fpr_vs_m") + ")");
  CHECK(claims_table(judged, words).rows.front().at(6).text == "fpr_vs_m");
}

TEST_CASE("what a claim looks like cannot break its table", "[analysis][claims]") {
  const std::vector<Book> books = {
      read_book(R"j({"format": "bloomlab-claims-1", "id": "T", "source": "t", "claims": [
        {"id": "T-1", "statement": "map<string,bool> *is* `fast`",
         "check": {"sql": "select 1 as holds"}}]})j",
                "a.json")};
  const auto table = claims_table(judge_books(books, {}), Words("en"));
  CHECK(table.rows.front().at(1).text == "map\\<string,bool\\> \\*is\\* \\`fast\\`");
  CHECK_THAT(claims_csv(judge_books(books, {})),
             Catch::Contains("\nT-1,\"map<string,bool> *is* `fast`\","));
}

TEST_CASE("every config that a claim names exists", "[analysis][claims]") {
  std::set<std::string> configs = {""};
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(BLOOMLAB_SOURCE_DIR "/configs")) {
    if (entry.path().extension() == ".json") configs.insert(entry.path().stem());
  }
  for (const Book& book : committed_books()) {
    for (const Claim& claim : book.claims) {
      INFO(claim.text.id);
      CHECK(configs.contains(claim.text.see));
    }
  }
}

TEST_CASE("verdicts are counted by source and for all sources, vendors and remarks apart",
          "[analysis][claims]") {
  const auto book = [](const std::string& id, const std::string& checks,
                       const std::string& voice = "source") {
    return read_book(R"j({"format": "bloomlab-claims-1", "id": ")j" + id + R"j(", "voice": ")j" +
                         voice + R"j(", "source": "test", "claims": [)j" + checks + "]}",
                     "a.json");
  };
  const std::string right = R"j({"id": "a", "statement": "s", "printed": "2",
                                 "check": {"sql": "select 2 as truth"}})j";
  const std::string wrong = R"j({"id": "b", "statement": "s", "printed": "3",
                                 "check": {"sql": "select 2 as truth"}})j";
  const std::string wish = R"j({"id": "c", "statement": "s",
                                "check": {"listed": "a wish"}})j";
  const std::vector<Book> books = {book("A", right + "," + wrong + "," + wish), book("B", right),
                                   book("C", wrong, "vendor"), book("D", right, "laboratory")};
  const auto judged = judge_books(books, {});
  const auto counts = tally(judged);
  CHECK(counts.at(Verdict::right) == 3);
  CHECK(counts.at(Verdict::wrong) == 2);
  CHECK_FALSE(counts.contains(Verdict::listed));
  const auto table = verdicts_table(judged, Words("en"));
  REQUIRE(table.rows.size() == 5);
  const auto numbers = [&](std::size_t row) {
    std::vector<std::uint64_t> found;
    for (std::size_t i = 2; i < table.columns.size(); ++i) {
      found.push_back(std::stoull(table.rows[row][i].text));
    }
    return found;
  };
  // Statements, then RIGHT, DEFINITION, MISPRINT, ROUGH, WRONG, NOT MEASURED, OPEN.
  CHECK(numbers(0) == std::vector<std::uint64_t>{3, 1, 0, 0, 0, 1, 0, 0});
  CHECK(numbers(1) == std::vector<std::uint64_t>{1, 1, 0, 0, 0, 0, 0, 0});
  CHECK(numbers(2) == std::vector<std::uint64_t>{4, 2, 0, 0, 0, 1, 0, 0});
  CHECK(table.rows[2][1].text == "all sources");
  CHECK(numbers(3) == std::vector<std::uint64_t>{1, 0, 0, 0, 0, 1, 0, 0});
  CHECK(numbers(4) == std::vector<std::uint64_t>{1, 1, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("a claim is found by its source, its name and its row", "[analysis][claims]") {
  CHECK(is_named("S0", "S0-12a", "S0"));
  CHECK(is_named("S0", "S0-12a", "S0-12"));
  CHECK(is_named("S0", "S0-12a", "S0-12a"));
  CHECK_FALSE(is_named("S0", "S0-12a", "S0-1"));
  CHECK_FALSE(is_named("S0", "S0-12a", "S1"));
}

TEST_CASE("what a claim computes does not depend on how many trials there are",
          "[analysis][claims]") {
  namespace fs = std::filesystem;
  const fs::path once = fs::path(BLOOMLAB_SOURCE_DIR) / "results";
  const Temporary twice;
  const auto books = committed_books();
  const auto of_once = judge_books(books, Results(once));
  std::set<std::string> stems;
  for (const JudgedClaim& one : of_once) {
    if (one.finding.evidence.empty() || one.finding.verdict == Verdict::not_measured) continue;
    stems.insert(one.finding.evidence);
  }
  REQUIRE(stems.count("map_against_filter") == 1);
  for (const std::string& stem : stems) {
    record::ResultFile file = record::read_result_file(once / (stem + ".json"));
    const auto trials = file.config.value("trials", std::uint64_t{1});
    file.config["trials"] = 2 * trials;
    for (std::size_t i = 0, count = file.observations.size(); i < count; ++i) {
      record::Observation again = file.observations[i];
      again.trial += trials;
      file.observations.push_back(std::move(again));
    }
    tests::edit(file.observations, [](auto& list) {
      std::ranges::stable_sort(list, {}, [](const record::Observation& one) {
        return std::pair(one.cell.dump(), one.trial);
      });
    });
    record::write_result_file(twice.path / (stem + ".json"), file);
  }
  const auto of_twice = judge_books(books, Results(twice.path));
  std::size_t compared = 0;
  for (std::size_t i = 0; i < of_once.size(); ++i) {
    const Finding& a = of_once[i].finding;
    const Finding& b = of_twice[i].finding;
    if (b.verdict == Verdict::not_measured) continue;
    INFO(of_once[i].text.id);
    CHECK(a.computed_text == b.computed_text);
    ++compared;
  }
  CHECK(compared > 100);
}

}  // namespace bloomlab::analysis::claims
