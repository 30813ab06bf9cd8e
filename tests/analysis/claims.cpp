// Verdicts of claims: each kind flips when its data flips.

#include <catch2/catch.hpp>
#include <string>

#include "analysis/claims/book.hpp"
#include "record/result_file.hpp"
#include "tests/analysis/one_claim.hpp"
#include "tests/analysis/temporary.hpp"

namespace bloomlab::analysis::claims {
namespace {

/// A folder with one result file: two plain filters of 100 bits with these false positives of 1000.
class ResultFolder {
 public:
  ResultFolder(int first, int second) {
    record::ResultFile file;
    int m = 100;
    for (const int hits : {first, second}) {
      const Json cell = {
          {"keys", {{"source", "uniform"}}},
          {"n", 10},
          {"filter", {{"kind", "standard"}, {"m", m}, {"k", 3}}},
          {"hash",
           {{"name", "xxhash3_64"}, {"probe", "independent"}, {"reduction", "multiply_shift"}}}};
      file.observations.push_back({.cell = cell,
                                   .group = std::to_string(m),
                                   .trial = 0,
                                   .step = {},
                                   .seed = 1,
                                   .redrawn = {"keys", "hash_seed"},
                                   .measured = {{"true_positives", 10},
                                                {"false_positives", hits},
                                                {"true_negatives", 1000 - hits},
                                                {"false_negatives", 0},
                                                {"inserted", 10},
                                                {"bits", m},
                                                {"bits_set", 27},
                                                {"memory_bits", 128},
                                                {"layers", 1},
                                                {"conditional_rate", 0.02}},
                                   .timing = {{"insert_ns", 5}, {"pass_ns", {9, 1, 4}}}});
      m += 100;
    }
    file.config = {{"$schema", "bloomlab-config-1"},
                   {"kind", "false_positive_rate"},
                   {"title", "t"},
                   {"question", "q"},
                   {"seed", 1},
                   {"trials", 1},
                   {"queries", 1000}};
    file.provenance = Json::object();
    record::write_result_file(folder_.path / "tiny.json", file);
  }
  [[nodiscard]] Results results() const { return Results(folder_.path); }

 private:
  Temporary folder_;
};

}  // namespace

TEST_CASE("a printed number is right within half a unit of its last digit, rough within a fifth",
          "[analysis][claims]") {
  const std::string truth = "select 1.0 / 3 as truth";
  CHECK(of_number("0.33", truth) == Verdict::right);
  CHECK(of_number("0.333333", truth) == Verdict::right);
  CHECK(of_number("0.34", truth) == Verdict::rough);
  CHECK(of_number("0.27", truth) == Verdict::rough);
  CHECK(of_number("0.26", truth) == Verdict::wrong);
  CHECK(of_number("33 %", truth) == Verdict::right);
  CHECK(of_number("3.3e-1", truth) == Verdict::right);
  CHECK(of_number("3.30e-1", truth) == Verdict::rough);
  CHECK(of_number("0.26", truth, R"j("rough_within": 0.3)j") == Verdict::rough);
  CHECK(of_number("0.34", truth, R"j("right_within": 0.05)j") == Verdict::right);
}

TEST_CASE("a query may give what is printed: a text with its digits, or the number of a formula",
          "[analysis][claims]") {
  CHECK(of_number("", "select '0.33' as printed, 1.0 / 3 as truth") == Verdict::right);
  CHECK(of_number("1", "select '0.34' as printed, 1.0 / 3 as truth") == Verdict::rough);
  CHECK(of_number("many", "select 0.33 as printed, 1.0 / 3 as truth") == Verdict::rough);
  CHECK(of_number("many", "select 1 / 3.0 as printed, 1.0 / 3 as truth") == Verdict::right);
  CHECK(finding_of(R"j("printed": "x/3", "check": {"sql": "select 0.5 as printed, 0.5 as truth"})j")
            .printed == "x/3");
}

TEST_CASE("a bound is right on its side", "[analysis][claims]") {
  const auto bound = [](const std::string& printed, const std::string& relation) {
    return of_number(printed, "select 0.008 as truth", R"j("relation": ")j" + relation + "\"");
  };
  CHECK(bound("0.01", "at_most") == Verdict::right);
  CHECK(bound("0.01", "at_least") == Verdict::right);
  CHECK(bound("0.007", "at_most") == Verdict::rough);
  CHECK(bound("0.010", "at_least") == Verdict::wrong);
  CHECK(bound("0.010", "at_most") == Verdict::right);
  CHECK(bound("0.010", "equal") == Verdict::wrong);
}

TEST_CASE("a misprint is wrong as printed and right as corrected", "[analysis][claims]") {
  const std::string good = "select pow(0.99, 3) as truth, '0.970299' as corrected";
  const std::string what = R"j("correction": "the third power")j";
  CHECK(of_number("0.9801", good, what) == Verdict::misprint);
  CHECK(of_number("0.970", good, what) == Verdict::right);
  CHECK(of_number("0.9801", "select pow(0.99, 3) as truth, '0.9606' as corrected") ==
        Verdict::rough);
  CHECK(of_number("", "select 1 > 2 as holds, 2 > 1 as corrected") == Verdict::misprint);
  CHECK(of_number("", "select 1 > 2 as holds, 3 > 4 as corrected") == Verdict::wrong);
  CHECK(finding_of(R"j("printed": "2", "check": {"sql": "select 3 as truth, 3 as corrected",
                       "correction": "a slip"})j")
            .note == "a slip");
}

TEST_CASE("a statement holds or does not", "[analysis][claims]") {
  CHECK(of_number("", "select 2 > 1 as holds") == Verdict::right);
  CHECK(of_number("", "select 1 > 2 as holds") == Verdict::wrong);
  const auto shown = [](const std::string& printed, const std::string& sql) {
    const std::string member = printed.empty() ? "" : "\"printed\": \"" + printed + "\", ";
    return finding_of(member + R"j("check": {"sql": ")j" + sql + "\"}");
  };
  CHECK(shown("", "select 1 as holds, 1 / 4.0 as shows").computed == 0.25);
  CHECK(shown("", "select 1 as holds, 1 / 4.0 as shows").computed_text == "0.25");
  CHECK(shown("0.333333333", "select 1 / 3.0 as truth").computed_text == "0.333333333");
  CHECK(shown("50000", "select 1e5 / 2 as truth").computed_text == "50000");
}

TEST_CASE("a closed form judges the promise of one's own documents", "[analysis][claims]") {
  const std::string ours = "select standard_exact(1000000, 100000, 7) as truth";
  CHECK(of_number("1 %", ours) == Verdict::right);
  CHECK(of_number("1.0 %", ours) == Verdict::wrong);
  CHECK(of_number("0.9 %", ours) == Verdict::rough);
  CHECK(of_number("1.0 %", ours, R"j("relation": "at_most")j") == Verdict::right);
  CHECK(of_number("0.8 %", ours) == Verdict::right);
  CHECK(of_number("0.1 %", ours) == Verdict::wrong);
}

TEST_CASE("rows have the gravest verdict among them, and say which", "[analysis][claims]") {
  const auto with = [&](const std::string& row) {
    return finding_of(R"j("check": {"sql": ["with part(name, x, printed, corrected) as (values",
      "('half', 2, '0.5', null), )j" +
                      row + R"j()",
      "select name, printed, corrected, 1.0 / x as truth from part"]})j");
  };
  CHECK(with("('third', 3, '0.333', null)").verdict == Verdict::right);
  CHECK(with("('third', 3, '0.334', '0.333')").verdict == Verdict::misprint);
  CHECK(with("('third', 3, '0.334', null)").verdict == Verdict::rough);
  const Finding wrong = with("('third', 3, '0.5', null)");
  CHECK(wrong.verdict == Verdict::wrong);
  CHECK(wrong.entries == 2);
  CHECK(wrong.entries_right == 1);
  CHECK(wrong.note == "1 of 2 right; WRONG third: 0.5, computed 0.333333");
}

TEST_CASE("over a range that the source leaves open the most favourable part judges",
          "[analysis][claims]") {
  const auto over = [](const std::string& bound) {
    return finding_of(
        R"j("check": {"range": "size", "sql": ["with part(name, x) as (values ('small', 1),",
        "('middle', 2), ('large', 4)) select name, 10 * x as shows, x < )j" +
        bound + R"j( as holds from part"]})j");
  };
  const Finding everywhere = over("5");
  CHECK(everywhere.verdict == Verdict::right);
  CHECK(everywhere.note == "by size; 3 of 3 right");
  CHECK(everywhere.computed_text == "10 – 40");
  const Finding somewhere = over("4");
  CHECK(somewhere.verdict == Verdict::right);
  CHECK(somewhere.entries_right == 2);
  CHECK(somewhere.note ==
        "by size; 2 of 3 right; holds at: small (10.0), middle (20.0); not at: large (40.0)");
  const Finding nowhere = over("1");
  CHECK(nowhere.verdict == Verdict::wrong);
  CHECK(nowhere.note == "by size; 0 of 3 right");
}

TEST_CASE("parts of one statement show least and greatest, printed numbers of their own do not",
          "[analysis][claims]") {
  const auto shown = [](const std::string& columns) {
    return finding_of(R"j("check": {"sql": "with part(x) as (values (3), (1), (2)) select )j" +
                      columns + " from part\"}")
        .computed_text;
  };
  CHECK(shown("x / 4.0 as shows, x > 0 as holds") == "0.25 – 0.75");
  CHECK(shown("cast(x as text) as printed, x as truth").empty());
}

TEST_CASE("where the tolerance is ours the note says how far off the source is",
          "[analysis][claims]") {
  const auto note = [](const std::string& claimed) {
    return finding_of(R"j("check": {"right_within": 0.02, "sql": "select 100 as truth, )j" +
                      claimed + " as printed\"}")
        .note;
  };
  CHECK(note("99") == "off by 1.0 %, 2.0 % allowed");
  CHECK(note("97") == "off by 3.0 %, 2.0 % allowed");
  CHECK(note("100") == "off by less than a tenth of the 2.0 % allowed");
}

TEST_CASE("an experiment's cells judge, and flip with the counts", "[analysis][claims]") {
  const std::string named = R"j("printed": "0.02", "check": {"sql":
    "select fpr as truth from \"tiny.cells\" where filter_m = 100"})j";
  const ResultFolder good(20, 3);
  const ResultFolder bad(70, 3);
  CHECK(verdict_of(named, good.results()) == Verdict::right);
  CHECK(verdict_of(named, bad.results()) == Verdict::wrong);
  CHECK(finding_of(named, good.results()).evidence == "tiny");
  const std::string each = R"j("check": {"sql":
    "select 'm = ' || filter_m as name, fpr <= 0.02 as holds from \"tiny.cells\""})j";
  CHECK(verdict_of(each, good.results()) == Verdict::right);
  const Finding half = finding_of(each, bad.results());
  CHECK(half.verdict == Verdict::wrong);
  CHECK(half.note == "1 of 2 right; WRONG m = 100");
  CHECK(verdict_of(R"j("printed": "4", "check": {"sql":
    "select median(pass_ns) as truth from \"tiny.timings\" group by cell"})j",
                   good.results()) == Verdict::right);
}

TEST_CASE("without its results a claim is not measured", "[analysis][claims]") {
  const ResultFolder folder(20, 3);
  const auto judged = [](const std::string& config, const std::string& m, const Results& results) {
    return finding_of(R"j("check": {"sql": ["with part(m) as (values (100), ()j" + m + R"j())",
        "select m as name, fpr < 1 as holds from part left join \")j" +
                          config + R"j(.cells\" on filter_m = m"]})j",
                      results);
  };
  CHECK(judged("tiny", "200", folder.results()).verdict == Verdict::right);
  const Finding partly = judged("tiny", "300", folder.results());
  CHECK(partly.verdict == Verdict::not_measured);
  CHECK(partly.note == "tiny.json has nothing for 300");
  CHECK(partly.evidence == "tiny");
  CHECK(judged("huge", "100", folder.results()).note == "no results of huge in the folder");
  CHECK(judged("tiny", "100", {}).verdict == Verdict::not_measured);
  CHECK(finding_of(R"j("check": {"sql": "select 1 as holds from \"tiny.cells\" where n = 7"})j",
                   folder.results())
            .note == "tiny.json has no such cells");
}

TEST_CASE("a claim read at its places holds where all of them do", "[analysis][claims]") {
  const std::string first = R"j("check": {"cited": [{"name": "A", "holds": true, "where": "a.c"})j";
  const auto with = [&](const std::string& holds) {
    return first + R"j(, {"name": "B", "holds": )j" + holds + R"j(, "where": "b.c"}]})j";
  };
  const Finding all = finding_of(with("true"));
  CHECK(all.verdict == Verdict::right);
  CHECK(all.note == "A: a.c; B: b.c");
  CHECK(all.entries_right == 2);
  CHECK(verdict_of(with("false")) == Verdict::wrong);
  CHECK_THROWS_WITH(verdict_of(with("1")), Catch::Contains("allowed: true or false"));
  CHECK_THROWS_WITH(verdict_of(R"j("check": {"cited": []})j"), Catch::Contains("names no place"));
}

TEST_CASE("a claim is open while its experiment does not exist", "[analysis][claims]") {
  const std::string check = R"j("check": {"open": "a scenario", "config": "tiny"})j";
  CHECK(finding_of(check).note == "needs a scenario");
  CHECK(verdict_of(check) == Verdict::open);
  CHECK(verdict_of(check, ResultFolder(20, 3).results()) == Verdict::not_measured);
  CHECK(verdict_of(R"j("check": {"listed": "a wish"})j") == Verdict::listed);
}

TEST_CASE("every property holds, and is a definition or a behaviour", "[analysis][claims]") {
  for (const Property& property : properties()) {
    const Observed observed = property.observe();
    INFO(property.name << ": " << observed.seen);
    CHECK(observed.holds);
    CHECK_FALSE(observed.seen.empty());
    const std::string check = R"j("check": {"property": ")j" + std::string(property.name) + "\"";
    CHECK(verdict_of(check + "}") == Verdict::definition);
    CHECK(verdict_of(check + R"j(, "as": "behaviour"})j") == Verdict::right);
  }
}

TEST_CASE("a broken query is one line with book, claim and fault", "[analysis][claims]") {
  const std::string where = "mine.json: claim T-1: ";
  CHECK(fault_of("select x as truth") == where + "no such column: x");
  CHECK(fault_of("select 1 as truht") ==
        where + "unknown column \"truht\"; did you mean \"truth\"?");
  const std::string one = "the query must give one column \"truth\" or one column \"holds\"";
  CHECK(fault_of("select 1 as printed") == where + one);
  CHECK(fault_of("select 1 as truth, 1 as holds") == where + one);
  CHECK(fault_of("select 1 as truth where 0") ==
        where + "the query gives no row; one or more are wanted");
  CHECK(fault_of("select null as holds") ==
        where + "the column \"holds\" has a row without a number");
  CHECK(fault_of("select 'many' as printed, 1 as truth") ==
        where + "found \"many\"; a printed number is allowed, such as \"0.0609\"");
  CHECK(fault_of("select 1 as truth") ==
        where +
            "the claim's \"printed\" is \"\", no number; write one, or give a column "
            "\"printed\" or \"holds\"");
  CHECK(fault_of("select 1 as holds", R"j(, "range": "size")j") ==
        where + "the rows of a \"range\" need a column \"name\"");
  CHECK(fault_of("select standard_exact(0, 1, 1) as truth").starts_with(where));
  CHECK(fault_of("create table mine (x)").starts_with(where + "only a query that reads"));
  CHECK(fault_of("select no_column as holds from \\\"tiny.cells\\\"", "",
                 ResultFolder(1, 1).results()) == where + "no such column: no_column");
}

}  // namespace bloomlab::analysis::claims
