// Verdicts of claims: each kind flips when its data flips.

#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "analysis/claims/book.hpp"
#include "analysis/claims/properties.hpp"
#include "tests/analysis/one_claim.hpp"
#include "tests/analysis/temporary.hpp"

namespace bloomlab::analysis::claims {
namespace {

/// A folder with one result file: two plain filters of 100 bits with these false positives of 1000.
class ResultFolder {
 public:
  ResultFolder(int first, int second) {
    Json observations = Json::array();
    int m = 100;
    for (const int hits : {first, second}) {
      const Json cell = {
          {"keys", {{"source", "uniform"}}},
          {"n", 10},
          {"filter", {{"kind", "standard"}, {"m", m}, {"k", 3}}},
          {"hash",
           {{"name", "xxhash3_64"}, {"probe", "independent"}, {"reduction", "multiply_shift"}}}};
      observations.push_back({{"cell", cell},
                              {"group", std::to_string(m)},
                              {"trial", 0},
                              {"seed", 1},
                              {"redrawn", {"keys", "hash_seed"}},
                              {"measured",
                               {{"true_positives", 10},
                                {"false_positives", hits},
                                {"true_negatives", 1000 - hits},
                                {"false_negatives", 0},
                                {"inserted", 10},
                                {"bits", m},
                                {"bits_set", 27},
                                {"memory_bits", 128},
                                {"layers", 1},
                                {"conditional_rate", 0.02}}},
                              {"timing", {{"insert_ns", 5}, {"pass_ns", {9, 1, 4}}}}});
      m += 100;
    }
    const Json file = {{"format", "bloomlab-result-1"},
                       {"config",
                        {{"$schema", "bloomlab-config-1"},
                         {"kind", "false_positive_rate"},
                         {"title", "t"},
                         {"question", "q"},
                         {"seed", 1},
                         {"trials", 1},
                         {"queries", 1000}}},
                       {"provenance", Json::object()},
                       {"observations", observations}};
    std::ofstream(folder_.path / "tiny.json") << file.dump();
  }
  [[nodiscard]] Results results() const { return Results(folder_.path); }

 private:
  Temporary folder_;
};

}  // namespace

TEST_CASE("of a duration's repetitions the median stands for the trial", "[analysis][claims]") {
  const ResultFolder folder(20, 20);
  const Results results = folder.results();
  const Experiment* experiment = results.find("tiny");
  REQUIRE(experiment != nullptr);
  const auto cells = cells_like(*experiment, Json::object());
  REQUIRE(cells.size() == 2);
  CHECK(cells[0].quantities.at("insert_ns") == 5.0);
  CHECK(cells[0].quantities.at("pass_ns") == 4.0);
}

TEST_CASE("a printed number is right within half a unit of its last digit, rough within a fifth",
          "[analysis][claims]") {
  const std::string truth = R"j("kind": "arithmetic", "truth": "1 / 3")j";
  CHECK(of_number("0.33", truth) == Verdict::right);
  CHECK(of_number("0.333333", truth) == Verdict::right);
  CHECK(of_number("0.34", truth) == Verdict::rough);
  CHECK(of_number("0.27", truth) == Verdict::rough);
  CHECK(of_number("0.26", truth) == Verdict::wrong);
  CHECK(of_number("33 %", truth) == Verdict::right);
  CHECK(of_number("3.3e-1", truth) == Verdict::right);
  CHECK(of_number("3.30e-1", truth) == Verdict::rough);
  CHECK(of_number("0.26", truth + R"j(, "rough_within": 0.3)j") == Verdict::rough);
  CHECK(of_number("0.34", truth + R"j(, "right_within": 0.05)j") == Verdict::right);
}

TEST_CASE("a bound is right on its side", "[analysis][claims]") {
  const std::string truth = R"j("kind": "arithmetic", "truth": "0.008", "relation": )j";
  CHECK(of_number("0.01", truth + R"j("at_most")j") == Verdict::right);
  CHECK(of_number("0.01", truth + R"j("at_least")j") == Verdict::right);
  CHECK(of_number("0.007", truth + R"j("at_most")j") == Verdict::rough);
  CHECK(of_number("0.010", truth + R"j("at_least")j") == Verdict::wrong);
  CHECK(of_number("0.010", truth + R"j("at_most")j") == Verdict::right);
  CHECK(of_number("0.010", truth + R"j("equal")j") == Verdict::wrong);
}

TEST_CASE("a misprint is wrong as printed and right as corrected", "[analysis][claims]") {
  const std::string check = R"j("kind": "arithmetic", "truth": "0.99^3", "correction": )j";
  const std::string good = R"j({"what": "the third power", "printed": "0.970299"})j";
  CHECK(of_number("0.9801", check + good) == Verdict::misprint);
  CHECK(of_number("0.970", check + good) == Verdict::right);
  CHECK(of_number("0.9801", check + R"j({"what": "no help", "printed": "0.9606"})j") ==
        Verdict::rough);
  CHECK(verdict_of(R"j("check": {"kind": "arithmetic", "holds": "1 > 2",
                     "correction": {"what": "exchanged", "holds": "2 > 1"}})j") ==
        Verdict::misprint);
}

TEST_CASE("a statement holds or does not", "[analysis][claims]") {
  CHECK(verdict_of(R"j("check": {"kind": "arithmetic", "holds": "2 > 1"})j") == Verdict::right);
  CHECK(verdict_of(R"j("check": {"kind": "arithmetic", "holds": "1 > 2"})j") == Verdict::wrong);
  const Finding finding =
      finding_of(R"j("check": {"kind": "arithmetic", "holds": "1", "shows": "1 / 4"})j");
  CHECK(finding.computed == 0.25);
  CHECK(finding.computed_text == "0.25");
  CHECK(finding_of(R"j("printed": "0.333333333", "check": {"kind": "arithmetic", "truth": "1/3"})j")
            .computed_text == "0.333333333");
  CHECK(finding_of(R"j("printed": "50000", "check": {"kind": "arithmetic", "truth": "1e5/2"})j")
            .computed_text == "50000");
}

TEST_CASE("a closed form judges the promise of one's own documents", "[analysis][claims]") {
  const std::string ours =
      R"j("kind": "closed_form", "truth": "standard_exact(m=1000000, n=100000, k=7)")j";
  CHECK(of_number("1 %", ours) == Verdict::right);
  CHECK(of_number("1.0 %", ours) == Verdict::wrong);
  CHECK(of_number("0.9 %", ours) == Verdict::rough);
  CHECK(of_number("1.0 %", ours + R"j(, "relation": "at_most")j") == Verdict::right);
  CHECK(of_number("0.8 %", ours) == Verdict::right);
  CHECK(of_number("0.1 %", ours) == Verdict::wrong);
}

TEST_CASE("a table has the gravest verdict of its rows, and says which", "[analysis][claims]") {
  const std::string table = R"j("check": {"kind": "table", "truth": "1 / x",
    "columns": ["name", "x", "printed", "correction"], "rows": [["half", 2, "0.5", null],)j";
  const auto with = [&](const std::string& row) { return finding_of(table + row + "]}"); };
  CHECK(with(R"j(["third", 3, "0.333", null])j").verdict == Verdict::right);
  CHECK(with(R"j(["third", 3, "0.334", "0.333"])j").verdict == Verdict::misprint);
  CHECK(with(R"j(["third", 3, "0.334", null])j").verdict == Verdict::rough);
  const Finding wrong = with(R"j(["third", 3, "0.5", null])j");
  CHECK(wrong.verdict == Verdict::wrong);
  CHECK(wrong.entries == 2);
  CHECK(wrong.entries_right == 1);
  CHECK(wrong.note == "1 of 2 right; WRONG third: 0.5, computed 0.333333");
}

TEST_CASE("over a range that the source leaves open the most favourable part judges",
          "[analysis][claims]") {
  const auto over = [](const std::string& bound) {
    return finding_of(R"j("check": {"kind": "table", "range": "size", "columns": ["name", "x"],
      "rows": [["small", 1], ["middle", 2], ["large", 4]], "shows": "10 * x", "holds": "x < )j" +
                      bound + "\"}");
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
  CHECK(finding_of(R"j("check": {"kind": "table", "columns": ["x"], "rows": [[3], [1], [2]],
                     "shows": "x / 4", "holds": "x > 0"})j")
            .computed_text == "0.25 – 0.75");
  CHECK(finding_of(R"j("check": {"kind": "table", "columns": ["x", "printed"],
                     "rows": [[3, "3"], [1, "1"]], "truth": "x"})j")
            .computed_text.empty());
}

TEST_CASE("where the tolerance is ours the note says how far off the source is",
          "[analysis][claims]") {
  const auto note = [](const std::string& claimed, const std::string& allowed) {
    return finding_of(R"j("check": {"kind": "arithmetic", "truth": "100", "claimed": )j" + claimed +
                      R"j(, "right_within": )j" + allowed + "}")
        .note;
  };
  CHECK(note("99", "0.02") == "off by 1.0 %, 2.0 % allowed");
  CHECK(note("97", "0.02") == "off by 3.0 %, 2.0 % allowed");
  CHECK(note("100", "0.02") == "off by less than a tenth of the 2.0 % allowed");
}

TEST_CASE("an experiment's cells judge, and flip with the counts", "[analysis][claims]") {
  const std::string named = R"j("printed": "0.02", "check": {"kind": "experiment", "config": "tiny",
    "cells": {"plain": {"filter": {"m": 100}}}, "truth": "plain.rate"})j";
  const ResultFolder good(20, 3);
  const ResultFolder bad(70, 3);
  CHECK(verdict_of(named, good.results()) == Verdict::right);
  CHECK(verdict_of(named, bad.results()) == Verdict::wrong);
  CHECK(finding_of(named, good.results()).evidence == "tiny");
  const std::string each = R"j("check": {"kind": "experiment", "config": "tiny",
    "each": {"filter": {"kind": "standard"}}, "holds": "cell.rate <= 0.02"})j";
  CHECK(verdict_of(each, good.results()) == Verdict::right);
  const Finding half = finding_of(each, bad.results());
  CHECK(half.verdict == Verdict::wrong);
  CHECK(half.note == "1 of 2 right; WRONG m = 100");
  const std::string rows = R"j("check": {"kind": "experiment", "config": "tiny",
    "cells": {"plain": {"filter": {"m": "$m"}}}, "columns": ["m", "hits", "size"],
    "entries": [{"printed": "hits", "truth": "plain.false_positives"},
                {"printed": "size", "truth": "plain.bits"}],
    "rows": [[100, "20", "100"], [200, "3", "200"]]})j";
  const std::string called = R"j("check": {"kind": "experiment", "config": "tiny",
    "cells": {"plain": {"filter": {"kind": "$name"}, "n": "$n", "trial": "$none"}},
    "columns": ["name", "n"], "rows": [["standard", 10]], "holds": "1"})j";
  CHECK(finding_of(called, good.results()).note ==
        R"j(tiny.json has no cell {"filter":{"kind":"standard"},"n":10.0,"trial":"$none"})j");
  CHECK(finding_of(rows, good.results()).entries_right == 4);
  CHECK(finding_of(rows, bad.results()).entries_right == 3);
}

TEST_CASE("without its results a claim is not measured", "[analysis][claims]") {
  const auto check = [](const std::string& config, const std::string& m) {
    return R"j("check": {"kind": "experiment", "config": ")j" + config +
           R"j(", "cells": {"plain": {"filter": {"m": )j" + m +
           R"j(}}}, "holds": "plain.rate < 1"})j";
  };
  const ResultFolder folder(20, 3);
  CHECK(verdict_of(check("tiny", "100"), folder.results()) == Verdict::right);
  CHECK(verdict_of(check("tiny", "300"), folder.results()) == Verdict::not_measured);
  CHECK(verdict_of(check("huge", "100"), folder.results()) == Verdict::not_measured);
  CHECK(verdict_of(check("tiny", "100")) == Verdict::not_measured);
}

TEST_CASE("a claim is open while its experiment does not exist", "[analysis][claims]") {
  const std::string check =
      R"j("check": {"kind": "open", "needs": "a scenario", "config": "tiny"})j";
  CHECK(verdict_of(check) == Verdict::open);
  CHECK(verdict_of(check, ResultFolder(20, 3).results()) == Verdict::not_measured);
  CHECK(verdict_of(R"j("check": {"kind": "listed", "why": "a wish"})j") == Verdict::listed);
}

TEST_CASE("every property holds, and is a definition or a behaviour", "[analysis][claims]") {
  for (const Property& property : properties()) {
    const Observed observed = property.observe();
    INFO(property.name << ": " << observed.seen);
    CHECK(observed.holds);
    CHECK_FALSE(observed.seen.empty());
    const std::string check =
        R"j("check": {"kind": "property", "property": ")j" + std::string(property.name) + "\"";
    CHECK(verdict_of(check + "}") == Verdict::definition);
    CHECK(verdict_of(check + R"j(, "as": "behaviour"})j") == Verdict::right);
  }
}

TEST_CASE("a fault that shows only in judging names the claim", "[analysis][claims]") {
  CHECK_THROWS_WITH(of_number("1", R"j("kind": "arithmetic", "truth": "x")j"),
                    "mine.json: /claims/0: \"x\": the name \"x\" has no value");
  CHECK_THROWS_WITH(
      verdict_of(R"j("check": {"kind": "experiment", "config": "tiny",
        "cells": {"plain": {"n": 10}}, "holds": "1"})j",
                 ResultFolder(1, 1).results()),
      Catch::StartsWith("mine.json: /claims/0/check/cells/plain: 2 cells of tiny contain"));
}

}  // namespace bloomlab::analysis::claims
