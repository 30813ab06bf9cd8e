// The claims in the report.

#include <catch2/catch.hpp>

#include "analysis/report/report.hpp"
#include "analysis/text/utf8.hpp"
#include "synthetic.hpp"
#include "tests/analysis/one_claim.hpp"

using namespace bloomlab::analysis;

namespace {

/// One claim that only results of "tiny" can judge.
std::vector<claims::JudgedClaim> judged_against(const claims::Results& results) {
  const std::string members = R"j("printed": "1000", "check": {"sql":
      "select inserted as truth from \"tiny.cells\" where filter_m = 8000 and filter_k = 3"})j";
  const std::vector<claims::Book> books = {
      claims::read_book(claims::book_text(members), "mine.json")};
  return claims::judge_books(books, results);
}

Report report_with(const std::string& stem) {
  std::vector<Experiment> experiments = {synthetic::experiment({.stem = stem})};
  const auto judged = judged_against(claims::Results(experiments));
  return build_report(std::move(experiments), Words("en"), {.claims = judged});
}

}  // namespace

TEST_CASE("a claim has its verdict in the report, with a link", "[analysis][report][claims]") {
  const Report report = report_with("tiny");
  CHECK_THAT(report.claims,
             Catch::Contains("| T-1 | a statement | 1000 | 1000 | RIGHT | experiment | [tiny](" +
                             section_mark("tiny") + ") |"));
  CHECK_THAT(report.claims_answer, Catch::StartsWith("Of 1 statements"));
  CHECK_THAT(report.front, Catch::Contains(report.claims_answer));
  CHECK_THAT(report.claims, Catch::Contains("<summary>T: test (1)</summary>"));
}

TEST_CASE("a claim whose results are missing reads not measured", "[analysis][report][claims]") {
  const Report report = report_with("another");
  CHECK_THAT(report.claims, Catch::Contains("| T-1 | a statement | – | – | NOT MEASURED | "
                                            "experiment | tiny | no results of tiny in the "
                                            "folder |"));
}

TEST_CASE("claims.csv holds every claim", "[analysis][report][claims]") {
  const Report report = report_with("tiny");
  REQUIRE(report.csv.back().name == "claims.csv");
  CHECK(whole_text(report.csv.back().text) ==
        "id,statement,printed,computed,verdict,kind,evidence,reading,note,voice\n"
        "T-1,a statement,1000,1000,RIGHT,experiment,tiny,,,source\n");
}

TEST_CASE("remarks stand under their own heading and in no source's count",
          "[analysis][report][claims]") {
  const auto book = [](const std::string& id, const std::string& voice, const std::string& holds) {
    return claims::read_book(R"j({"format": "bloomlab-claims-1", "id": ")j" + id +
                                 R"j(", "source": "test", "voice": ")j" + voice +
                                 R"j(", "claims": [{"id": ")j" + id + R"j(-1", "statement": "s",
            "check": {"sql": "select )j" +
                                 holds + " as holds\"}}]}",
                             "mine.json");
  };
  const std::vector<claims::Book> books = {book("A", "source", "1"), book("B", "vendor", "0"),
                                           book("C", "laboratory", "1")};
  const Page page = claims_section(claims::judge_books(books, {}), {}, Words("en"));
  CHECK_THAT(page.answer, Catch::StartsWith("Of 1 statements of 1 sources that could be judged, 1 "
                                            "hold, 0 are misprints"));
  CHECK_THAT(page.answer, !Catch::Contains("vendors"));
  CHECK_THAT(page.body, Catch::Contains("Of 1 statements of vendors, 0 hold"));
  CHECK_THAT(page.body, Catch::Contains("Of 1 remarks of our own, counted apart, 1 hold."));
  const std::size_t heading = page.body.find("### Remarks of the laboratory");
  REQUIRE(heading != std::string::npos);
  CHECK(page.body.find("<summary>B: test (1)</summary>") < heading);
  CHECK(page.body.find("<summary>C: test (1)</summary>") > heading);
}

TEST_CASE("a report without books of claims has no section on them", "[analysis][report][claims]") {
  const Report report = build_report({synthetic::experiment({.stem = "tiny"})}, Words("en"));
  CHECK(report.claims.empty());
  CHECK(report.front.find("What the sources say") == std::string::npos);
}
