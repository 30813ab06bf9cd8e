// Claims files: what is refused, what the built-in ones hold, how claims are shown.

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "analysis/claims/book.hpp"
#include "analysis/claims/claims_table.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/text/embedded.hpp"
#include "tests/analysis/one_claim.hpp"

namespace bloomlab::analysis::claims {

TEST_CASE("a bad claims file is refused with place and what is allowed", "[analysis][claims]") {
  CHECK(refusal_of("[]") == "mine.json: found an array; a claims file must be an object");
  CHECK(refusal_of(R"j({"format": "other"})j") ==
        "mine.json: /format: found \"other\"; \"bloomlab-claims-1\" is allowed");
  CHECK(refusal_of_check(R"j("kind": "arithmetics", "truth": "1")j") ==
        "mine.json: /claims/0/check/kind: unknown kind of check \"arithmetics\"; did you mean "
        "\"arithmetic\"?");
  CHECK(refusal_of_check(R"j("kind": "arithmetic", "truht": "1")j") ==
        "mine.json: /claims/0/check/truht: unknown key \"truht\"; did you mean \"truth\"?");
  CHECK(refusal_of_check(R"j("kind": "arithmetic", "truth": "1 +")j") ==
        "mine.json: /claims/0/check/truth: column 4: found the end; expected a number, a name or "
        "\"(\"");
  CHECK(refusal_of_check(R"j("kind": "arithmetic")j") ==
        "mine.json: /claims/0/check: missing key \"truth\": a formula of what is true, or "
        "\"holds\"");
  CHECK(refusal_of_check(R"j("kind": "arithmetic", "truth": "1")j", "many") ==
        "mine.json: /claims/0/check: the claim's \"printed\" is \"many\", no number; write one, or "
        "give \"claimed\" or \"holds\"");
  CHECK(refusal_of_check(R"j("kind": "arithmetic", "truth": "lower_bound(n=1, eps=0.1)")j") ==
        "mine.json: /claims/0/check: the formula asks a closed form; this check's kind is "
        "\"closed_form\"");
  CHECK(refusal_of_check(R"j("kind": "closed_form", "truth": "1")j") ==
        "mine.json: /claims/0/check: no formula asks a closed form; this check's kind is "
        "\"arithmetic\"");
  CHECK(refusal_of_check(R"j("kind": "experiment", "config": "../x", "each": {}, "holds": "1")j") ==
        "mine.json: /claims/0/check/config: found \"../x\"; a name without folder is allowed");
  CHECK(refusal_of_check(R"j("kind": "property", "property": "no_false_negative")j") ==
        "mine.json: /claims/0/check/property: unknown property \"no_false_negative\"; did you mean "
        "\"no_false_negatives\"?");
  CHECK(
      refusal_of_check(R"j("kind": "table", "columns": ["printed"], "rows": [], "truth": "1")j") ==
      "mine.json: /claims/0/check/rows: there is no row; give one or more");
  CHECK(refusal_of_check(R"j("kind": "arithmetic", "holds": "1",
                             "correction": {"what": "none", "printed": "2"})j") ==
        "mine.json: /claims/0/check/correction: missing key \"holds\": the corrected statement, a "
        "formula");
  CHECK(refusal_of_check(R"j("kind": "table", "range": "size", "columns": ["x"], "rows": [[1]],
                             "holds": "x")j") ==
        "mine.json: /claims/0/check/rows: rows of a \"range\" need a column \"name\"");
}

TEST_CASE("who speaks, and which sentences the claims judge, is refused where it is wrong",
          "[analysis][claims]") {
  const auto with = [](const std::string& members) {
    return refusal_of(R"j({"format": "bloomlab-claims-1", "id": "T", "source": "test", )j" +
                      members + R"j(, "claims": [{"id": "T-1", "statement": "s",
        "check": {"kind": "arithmetic", "holds": "1"}}]})j");
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

TEST_CASE("the built-in books are read, complete and name each claim once", "[analysis][claims]") {
  std::set<std::string> books;
  std::set<std::string> ids;
  std::map<std::string, int> last = {{"S0", 22}, {"S1", 39}, {"S2", 25}, {"S3", 21}, {"S4", 23}};
  for (const Book& book : built_in_books()) {
    books.insert(book.id);
    for (const Claim& claim : book.claims) CHECK(ids.insert(claim.text.id).second);
  }
  CHECK(books == std::set<std::string>{"S0", "S1", "S2", "S3", "S4", "vendor", "remarks"});
  for (const auto& [book, rows] : last) {
    for (int row = 1; row <= rows; ++row) {
      const std::string name = book + "-" + std::to_string(row);
      INFO(name);
      CHECK(std::any_of(ids.begin(), ids.end(),
                        [&](const std::string& id) { return is_named(book + "?", id, name); }));
    }
  }
}

TEST_CASE("every sentence of a source with a number or a property has a row, and every row one",
          "[analysis][claims]") {
  for (const Book& book : built_in_books()) {
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
  const std::vector<Book> books = built_in_books();
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
      {"S0-19", Verdict::right},  {"S1-34c", Verdict::open},    {"S1-34a", Verdict::not_measured}};
  std::size_t found = 0;
  for (const JudgedClaim& claim : judge_books(built_in_books(), {})) {
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
  std::vector<Json> checks;
  for (const std::string file : {"claims/s0.json", "claims/s1.json"}) {
    const auto text = bloomlab::analysis::embedded_text(file);
    REQUIRE(text);
    const Json book = Json::parse(*text);
    for (const Json& claim : book.at("claims")) {
      if (claim.at("id") == "S0-8" || claim.at("id") == "S1-13") {
        checks.push_back(claim.at("check"));
      }
    }
  }
  REQUIRE(checks.size() == 2);
  CHECK(checks[0] == checks[1]);
}

TEST_CASE("the printed tables of the claims are those of the sources", "[analysis][claims]") {
  const auto text = bloomlab::analysis::embedded_text("claims/s0.json");
  const auto source = bloomlab::analysis::embedded_text("sources/textbook_slides.json");
  REQUIRE((text && source));
  std::vector<std::string> claimed;
  const Json claims = Json::parse(*text);
  for (const Json& claim : claims.at("claims")) {
    if (claim.at("id") != "S0-12a") continue;
    for (const Json& row : claim.at("check").at("rows")) claimed.push_back(row.back());
  }
  std::vector<std::string> printed;
  const Json rows = Json::parse(*source);
  for (const Json& row : rows.at("rows")) {
    for (const Json& rate : row.at("rates")) printed.push_back(rate);
  }
  CHECK(printed.size() == 49);
  CHECK(claimed == printed);
}

TEST_CASE("a claim's table has a row a claim and marks what is off", "[analysis][claims]") {
  const std::string text = book_text(
      R"j("statement_zh": "zh", "printed": "2", "unit": "bits",
         "check": {"kind": "arithmetic", "truth": "10"})j");
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
  const std::vector<Book> books = {
      read_book(book_text(R"j("see": "fpr_vs_m", "check": {"kind": "arithmetic", "holds": "1"})j"),
                "a.json")};
  const auto judged = judge_books(books, {});
  const std::vector<std::string> sections = {"fpr_vs_m"};
  const Words words("en");
  const auto linked = claims_table(judged, words, sections).rows.front().at(6);
  CHECK(linked.text == "[fpr_vs_m](#fpr_vs_m)");
  CHECK(std::get<std::string>(linked.value) == "fpr_vs_m");
  CHECK(claims_table(judged, words).rows.front().at(6).text == "fpr_vs_m");
}

TEST_CASE("what a claim looks like cannot break its table", "[analysis][claims]") {
  const std::vector<Book> books = {
      read_book(R"j({"format": "bloomlab-claims-1", "id": "T", "source": "t", "claims": [
        {"id": "T-1", "statement": "map<string,bool> *is* `fast`",
         "check": {"kind": "arithmetic", "holds": "1"}}]})j",
                "a.json")};
  const auto table = claims_table(judge_books(books, {}), Words("en"));
  CHECK(table.rows.front().at(1).text == "map\\<string,bool\\> \\*is\\* \\`fast\\`");
  CHECK(std::get<std::string>(table.rows.front().at(1).value) == "map<string,bool> *is* `fast`");
}

TEST_CASE("every claim's section exists", "[analysis][claims]") {
  std::set<std::string> stems;
  for (const ExhibitEntry& exhibit : exhibits()) stems.insert(std::string(exhibit.stem));
  for (const Book& book : built_in_books()) {
    for (const Claim& claim : book.claims) {
      INFO(claim.text.id);
      CHECK((claim.text.see.empty() || stems.contains(claim.text.see)));
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
                                 "check": {"kind": "arithmetic", "truth": "2"}})j";
  const std::string wrong = R"j({"id": "b", "statement": "s", "printed": "3",
                                 "check": {"kind": "arithmetic", "truth": "2"}})j";
  const std::string wish = R"j({"id": "c", "statement": "s",
                                "check": {"kind": "listed", "why": "a wish"}})j";
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
      found.push_back(std::get<std::uint64_t>(table.rows[row][i].value));
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

}  // namespace bloomlab::analysis::claims
