#include "analysis/report/report.hpp"

#include <catch2/catch.hpp>

#include "analysis/report/section.hpp"
#include "record/input_error.hpp"
#include "synthetic.hpp"
#include "temporary.hpp"
#include "tests/edit.hpp"
#include "tests/read_text.hpp"

using namespace bloomlab::analysis;

namespace {

/// REPORT.md as it is written for a folder of any results.
std::string main_file(const Report& report) {
  return report_files(report, {.links = {"r/", "r/figures/"}, .pages = "pages/"}, Words("en"),
                      false)
      .front()
      .text;
}

std::string method_file(const Report& report) {
  return report_files(report, {}, Words("en"), false).at(1).text;
}

synthetic::Plan own_plan() {
  return {.stem = "students_own", .m = {4000, 8000, 16000}, .k = {2, 4}, .trials = 5};
}

Section filled(const std::string& text) {
  return fill_section("page.md", text, synthetic::experiment(own_plan()),
                      {.values = {{"rate", "0.01"}}}, Words("en"), {});
}

}  // namespace

TEST_CASE("a config that nobody foresaw gets answer, figure and table", "[analysis][report]") {
  const auto report = build_report({synthetic::experiment(own_plan())}, Words("en"));
  const std::string text = main_file(report);
  CHECK(report.faults.empty());
  CHECK(report.figures.size() == 1);
  CHECK_THAT(text, Catch::Contains("## A synthetic sweep"));
  CHECK_THAT(text, Catch::Contains("(r/figures/students_own.svg)"));
  CHECK_THAT(text, Catch::Contains("[students_own.json](r/students_own.json)"));
  CHECK_THAT(text, Catch::Contains("**[A synthetic sweep](#students_own)** Rates from "));
  CHECK_THAT(method_file(report), Catch::Contains("| family_alpha | 0.01 |"));
  CHECK_THAT(method_file(report), Catch::Contains("| commit | 0123456 |"));
}

TEST_CASE("a report has what is in the folder, and nothing else", "[analysis][report]") {
  const auto report = build_report({synthetic::experiment(own_plan())}, Words("en"));
  const std::string text = main_file(report);
  CHECK(std::count(text.begin(), text.end(), '\n') <= 120);
  CHECK_THAT(text, !Catch::Contains("Not measured") && !Catch::Contains("claim"));
}

TEST_CASE("a front page orders, groups and names what was not measured", "[analysis][report]") {
  auto other = own_plan();
  other.stem = "another";
  auto third = own_plan();
  third.stem = "a_third";
  const std::string page =
      "# Mine\n\n### First\n\n{{answer:students_own}}\n{{answer:missing}}\n\n### Second\n\n"
      "{{answer:another}}\n\n{{figure:another}}\n\n{{answers}}\n\n"
      "```sql values\nselect count(*) as results from results\n```\n\nOf {{results}} results.\n";
  const auto report = build_report(
      {synthetic::experiment(other), synthetic::experiment(own_plan()),
       synthetic::experiment(third)},
      Words("en"), {.front = FrontText{.name = "front.md", .text = page, .prose = page}});
  REQUIRE(report.chapters.size() == 3);
  CHECK(report.chapters[0].stems == std::vector<std::string>{"students_own", "missing"});
  CHECK(report.chapters[2].title == "Further configs");
  const auto files =
      report_files(report, {.links = {"r/", "r/figures/"}, .pages = "r/pages/"}, Words("en"), true);
  REQUIRE(files.size() == 5);
  CHECK(files[2].name == "r/pages/students_own.md");
  CHECK(files[3].name == "r/pages/another.md");
  const std::string& text = files[0].text;
  CHECK_THAT(text, Catch::Contains("](r/pages/students_own.md)**") &&
                       Catch::Contains("- *Not measured: missing*") &&
                       Catch::Contains("(r/figures/another.svg)") &&
                       Catch::Contains("Of 3 results."));
  CHECK_THAT(files[2].text, Catch::Contains("(../../REPORT.md)") &&
                                Catch::Contains("(../../r/students_own.json)") &&
                                Catch::Contains("\n# A synthetic sweep"));
}

TEST_CASE("equal results give equal reports", "[analysis][report]") {
  const std::vector first = {synthetic::experiment(own_plan())};
  const std::vector second = {synthetic::experiment(own_plan())};
  const auto once = build_report(first, Words("en"));
  const auto twice = build_report(second, Words("en"));
  CHECK(main_file(once) == main_file(twice));
  REQUIRE(once.csv.size() == twice.csv.size());
  for (std::size_t i = 0; i < once.csv.size(); ++i) {
    CHECK(whole_text(once.csv[i].text) == whole_text(twice.csv[i].text));
  }
}

TEST_CASE("a flag that nobody expected is a fault, and stands in the report",
          "[analysis][report]") {
  auto plan = own_plan();
  plan.factor = [](const Json& cell) { return cell.at("filter").at("m") == 4000 ? 1.2 : 1.0; };
  const auto report = build_report({synthetic::experiment(plan)}, Words("en"));
  REQUIRE(report.faults.size() == 2);
  CHECK_THAT(report.faults[0],
             Catch::StartsWith("students_own: rate of m = 4000, k = 2 deviates from theory, which "
                               "expected_flags does not expect (z = "));
  CHECK_THAT(main_file(report), Catch::Contains("**What did not hold (2):**"));
  CHECK_THAT(main_file(report),
             Catch::Contains("12 tests against theory found 2 deviations beyond chance. **What"));
  CHECK_THAT(main_file(report), Catch::Contains("**not expected**"));
}

TEST_CASE("what was thought possible is no prediction", "[analysis][report]") {
  auto plan = own_plan();
  plan.factor = [](const Json& cell) { return cell.at("filter").at("m") == 4000 ? 1.2 : 1.0; };
  const auto entry = [](std::uint64_t k, const char* occurrence) {
    return Json{{"cell", Json{{"filter", Json{{"m", 4000}, {"k", k}}}}},
                {"test", "rate"},
                {"occurrence", occurrence},
                {"reason", "a known fault"}};
  };
  plan.expected_flags = Json::array({entry(2, "certain"), entry(4, "possible")});
  const auto report = build_report({synthetic::experiment(plan)}, Words("en"));
  CHECK(report.faults.empty());
  CHECK_THAT(main_file(report),
             Catch::Contains("12 tests against theory found 2 deviations beyond chance: 1 were "
                             "predicted before the run, 1 were thought possible, 0 were not "
                             "expected."));
}

TEST_CASE("where nothing was tested the first sentence says so", "[analysis][report]") {
  auto file = synthetic::results(own_plan());
  bloomlab::tests::edit_each(file.observations,
                             [&](auto& observation) { observation.cell.erase("filter"); });
  const auto report = build_report(
      {analyse({.stem = "a", .file_name = "a.json", .file = file, .confirmation = {}})},
      Words("en"));
  CHECK_THAT(main_file(report), Catch::Contains("\n\nNothing was tested against theory.\n\n"));
}

TEST_CASE("the rates of a filter from outside are named by the k that they have",
          "[analysis][report]") {
  auto plan = own_plan();
  plan.k = {4};
  plan.queries = 20'000;
  auto file = synthetic::results(plan);
  bloomlab::tests::edit_each(file.observations, [&](auto& observation) {
    const Json m = observation.cell.at("filter").at("m");
    observation.cell["filter"] = {
        {"kind", "command"},
        {"command", {"python3", "my_filter.py"}},
        {"expected", {{"model", "standard_exact"}, {"m", m}, {"k", std::uint64_t{5}}}}};
    observation.measured["implementation"] = "my_filter";
    for (const char* seen : {"bits", "bits_set", "layers", "conditional_rate"}) {
      observation.measured.erase(seen);
    }
  });
  const auto report = build_report(
      {analyse({.stem = "a", .file_name = "a.json", .file = file, .confirmation = {}})},
      Words("en"));
  CHECK_THAT(main_file(report),
             Catch::StartsWith("# A synthetic sweep\n\nmy_filter: 3 of 3 false-positive rates do "
                               "not fit theory; they are those of k = 4. **What"));
}

TEST_CASE("a survey of filters from outside says how many were held against a closed form",
          "[analysis][report]") {
  auto plan = own_plan();
  plan.m = {4000, 6000, 8000, 10000, 12000};
  plan.k = {4};
  const auto first_sentence = [&](std::uint64_t tested) {
    auto file = synthetic::results(plan);
    bloomlab::tests::edit_each(file.observations, [&](auto& observation) {
      const Json m = observation.cell.at("filter").at("m");
      observation.cell["filter"] = {{"kind", "command"},
                                    {"command", {"python3", "m" + m.dump() + ".py"}}};
      if (m == 4000 && tested == 1) {
        observation.cell["filter"]["expected"] = {
            {"model", "standard_exact"}, {"m", m}, {"k", std::uint64_t{4}}};
      }
      observation.measured["implementation"] = "m" + m.dump();
      for (const char* seen : {"bits", "bits_set", "layers", "conditional_rate"}) {
        observation.measured.erase(seen);
      }
    });
    return main_file(build_report(
        {analyse({.stem = "a", .file_name = "a.json", .file = file, .confirmation = {}})},
        Words("en")));
  };
  CHECK_THAT(first_sentence(0),
             Catch::Contains("Filters from outside: 5, none of which was held against a closed "
                             "form; without a result in some cell: 0."));
  CHECK_THAT(first_sentence(1),
             Catch::Contains("Filters from outside: 5; held against a closed form: 1; with "
                             "false-positive rates that deviate from it beyond chance: 0; without "
                             "a result in some cell: 0."));
}

TEST_CASE("sentences on one cell have no plural for it", "[analysis][report]") {
  auto plan = own_plan();
  plan.m = {8000};
  plan.k = {4};
  const std::string text = main_file(build_report({synthetic::experiment(plan)}, Words("en")));
  CHECK_THAT(text, Catch::Contains("Cells: 1; trials per cell: 5;"));
  CHECK_THAT(text, !Catch::Contains("1 cells") && !Catch::Contains("1 measurements") &&
                       !Catch::Contains("1 of them are"));
}

TEST_CASE("where too few hits are expected no sentence tells a detectable effect",
          "[analysis][report]") {
  auto plan = own_plan();
  plan.m = {64000};
  plan.k = {10};
  plan.queries = 100;
  const std::string text = main_file(build_report({synthetic::experiment(plan)}, Words("en")));
  CHECK_THAT(text, Catch::Contains("half of the tests expect too few hits to show any error."));
  CHECK_THAT(text, Catch::Contains("Too few hits are expected for any of these tests to have a "
                                   "minimum detectable effect."));
  CHECK_THAT(text, !Catch::Contains("error of ∞"));
}

TEST_CASE("an expected flag that is not seen is a fault", "[analysis][report]") {
  auto plan = own_plan();
  plan.expected_flags = Json::array({Json{{"cell", Json{{"filter", Json{{"m", 4000}, {"k", 2}}}}},
                                          {"test", "rate"},
                                          {"reason", "a known fault"}}});
  const auto report = build_report({synthetic::experiment(plan)}, Words("en"));
  REQUIRE(report.faults.size() == 1);
  CHECK(report.faults[0] ==
        "students_own: expected_flags expects the rate of m = 4000, k = 2 to "
        "deviate from theory, and it does not");
  CHECK_THAT(main_file(report), Catch::Contains("expected, not seen: a known fault"));
}

TEST_CASE("a false negative is a fault", "[analysis][report]") {
  auto file = synthetic::results(own_plan());
  bloomlab::tests::edit(file.observations, [&](auto& list) {
    list[3].measured["false_negatives"] = 2;
    list[3].measured["true_positives"] = own_plan().n - 2;
  });
  const auto report = build_report(
      {analyse({.stem = "a", .file_name = "a.json", .file = file, .confirmation = {}})},
      Words("en"));
  REQUIRE(report.faults.size() == 1);
  CHECK(report.faults[0] == "a: 2 inserted keys were answered \"absent\": false negatives");
}

TEST_CASE("inserted keys that a filter turned away may be denied", "[analysis][report]") {
  const auto faults_with = [](std::uint64_t refused) {
    auto file = synthetic::results(own_plan());
    bloomlab::tests::edit(file.observations, [&](auto& list) {
      list[3].measured["false_negatives"] = 5;
      list[3].measured["true_positives"] = own_plan().n - 5;
      list[3].measured["refused"] = refused;
    });
    return build_report(
               {analyse({.stem = "a", .file_name = "a.json", .file = file, .confirmation = {}})},
               Words("en"))
        .faults;
  };
  CHECK(faults_with(5).empty());
  CHECK(faults_with(6).empty());
  REQUIRE(faults_with(3).size() == 1);
  CHECK(faults_with(3)[0] == "a: 2 inserted keys were answered \"absent\": false negatives");
}

TEST_CASE("a confirmation run stands beside its flag", "[analysis][report]") {
  auto plan = own_plan();
  plan.factor = [](const Json& cell) {
    return cell.at("filter").at("m") == 4000 && cell.at("filter").at("k") == 2 ? 1.2 : 1.0;
  };
  auto again = plan;
  again.seed = 99;
  again.m = {4000};
  again.k = {2};
  const auto experiment = analyse({.stem = "a",
                                   .file_name = "a.json",
                                   .file = synthetic::results(plan),
                                   .confirmation = synthetic::results(again)});
  const auto content = common_content(experiment, Words("en"), {});
  CHECK_THAT(content.values.at("tests"), Catch::Contains("| k = 2 ") || Catch::Contains("k = 2 |"));
  // Deviation and p twice: of the run, and of its confirmation.
  const std::string& text = content.values.at("tests");
  const std::size_t first = text.find(" % [");
  REQUIRE(first != std::string::npos);
  CHECK(text.find(" % [", first + 1) != std::string::npos);
}

TEST_CASE("a section template with a fault is refused", "[analysis][report]") {
  CHECK_NOTHROW(filled("Answer {{rate}}.\n\n---\n\n## Body\n"));
  CHECK_THROWS_WITH(filled("Answer {{rat}} {{rate}}\n---\n"),
                    Catch::Contains("unknown tag \"{{rat}}\""));
  CHECK_THROWS_WITH(filled("Answer\n\n---\n\n"), Catch::Contains("the text \"rate\" is computed"));
  CHECK_THROWS_WITH(filled("Answer {{rate}} in 7 of\n\n---\n\n"),
                    Catch::Contains("a digit is typed in prose"));
  CHECK_THROWS_WITH(filled("Answer {{rate}}"), Catch::Contains("no line \"---\""));
}

TEST_CASE("links are safe for any file name", "[analysis][report]") {
  CHECK(link_text("my config (1).json") == "my%20config%20%281%29.json");
  CHECK(link_text("results/figures") == "results/figures");
}

TEST_CASE("the report is written with relative links, twice the same", "[analysis][report]") {
  const Temporary folder;
  const auto results = folder.path / "results";
  bloomlab::record::write_result_file(results / "students_own.json",
                                      synthetic::results(own_plan()));
  const ReportRequest request{.results = results,
                              .report = folder.path,
                              .figures = results / "figures",
                              .pages = folder.path / "pages",
                              .csv = folder.path / "csv"};
  const auto outcome = write_report(request);
  CHECK(outcome.report_file == folder.path / "REPORT.md");
  CHECK(outcome.faults.empty());
  CHECK(outcome.figures == 1);
  const std::string text = read_text(folder.path / "REPORT.md");
  CHECK_THAT(text, Catch::Contains("](results/figures/students_own.svg)"));
  CHECK_THAT(text, Catch::Contains("](results/students_own.json)"));
  const std::string trials = read_text(folder.path / "csv/students_own.trials.csv");
  CHECK_THAT(trials, Catch::StartsWith("cell,keys_source,n,filter_kind,filter_m,filter_k,"));
  CHECK_THAT(trials, Catch::Contains(",seed,true_positives,false_positives,true_negatives,"));
  CHECK(std::count(trials.begin(), trials.end(), '\n') == 31);
  CHECK_THAT(read_text(folder.path / "csv/students_own.cells.csv"),
             Catch::Contains(",fpr,fpr_low,"));
  const std::string picture = read_text(results / "figures/students_own.svg");
  CHECK(picture.starts_with("<?xml"));
  write_report(request);
  CHECK(read_text(folder.path / "REPORT.md") == text);
  CHECK(read_text(results / "figures/students_own.svg") == picture);
}

TEST_CASE("a report into the results' own folder links without a folder", "[analysis][report]") {
  const Temporary folder;
  bloomlab::record::write_result_file(folder.path / "students_own.json",
                                      synthetic::results(own_plan()));
  write_report({.results = folder.path,
                .report = folder.path,
                .figures = folder.path / "figures",
                .pages = folder.path / "pages"});
  const std::string text = read_text(folder.path / "REPORT.md");
  CHECK_THAT(text, Catch::Contains("](students_own.json)"));
  CHECK_THAT(text, Catch::Contains("](figures/students_own.svg)"));
}

TEST_CASE("an unknown language is bad input before anything is read", "[analysis][report]") {
  CHECK_THROWS_AS(
      write_report(
          {.results = "nowhere", .report = ".", .figures = ".", .pages = ".", .language = "xx"}),
      bloomlab::record::InputError);
}
