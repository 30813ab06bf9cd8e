// REPORT.html as `write_report` leaves it beside REPORT.md.

#include <algorithm>
#include <catch2/catch.hpp>
#include <regex>
#include <set>

#include "analysis/report/report.hpp"
#include "synthetic.hpp"
#include "temporary.hpp"
#include "tests/read_text.hpp"

using namespace bloomlab::analysis;

namespace {

/// A report on two sweeps in a folder of its own.
struct WrittenReport {
  Temporary folder;
  ReportRequest request{.results = folder.path / "results",
                        .report = folder.path,
                        .figures = folder.path / "results/figures",
                        .pages = folder.path / "results/pages"};
  ReportOutcome outcome;

  WrittenReport() {
    for (const char* stem : {"students_own", "fpr_vs_m"}) {
      bloomlab::record::write_result_file(
          request.results / (std::string(stem) + ".json"),
          synthetic::results({.stem = stem, .m = {4000, 8000, 16000}, .trials = 5}));
    }
    outcome = write_report(request);
  }

  [[nodiscard]] std::string page() const { return read_text(folder.path / "REPORT.html"); }
  [[nodiscard]] std::string markdown() const { return read_text(folder.path / "REPORT.md"); }
};

/// What the group of `pattern` holds in every match, in order.
std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) {
    found.push_back((*at)[1]);
  }
  return found;
}

}  // namespace

TEST_CASE("the page stands beside the report, twice the same", "[analysis][report][html]") {
  const WrittenReport report;
  CHECK(report.outcome.page_file == report.folder.path / "REPORT.html");
  const std::string page = report.page();
  CHECK_THAT(page, Catch::StartsWith("<!DOCTYPE html>") && Catch::EndsWith("</html>\n"));
  write_report(report.request);
  CHECK(report.page() == page);
}

TEST_CASE("every figure of the report stands in the page, with its words",
          "[analysis][report][html]") {
  const WrittenReport report;
  const auto images = all_matches(report.markdown(), R"(!\[([^\]]*)\])");
  REQUIRE(images.size() >= 2);
  CHECK(all_matches(report.page(), "<svg role=\"img\" aria-label=\"([^\"]*)\"") == images);
}

TEST_CASE("every id of the page is there once, every link within it has a target",
          "[analysis][report][html]") {
  const WrittenReport report;
  const std::string page = report.page();
  const auto ids = all_matches(page, R"(\sid=["']([^"']*)["'])");
  const std::set<std::string> different(ids.begin(), ids.end());
  CHECK(different.size() == ids.size());
  for (const std::string& target : all_matches(page, "href=['\"]#([^'\"]*)['\"]")) {
    INFO(target);
    CHECK(different.contains(target));
  }
}

TEST_CASE("the page asks for nothing that is not in it", "[analysis][report][html]") {
  const WrittenReport report;
  const std::string page = report.page();
  CHECK(page.find("http://") == std::string::npos);
  CHECK(page.find(" src=") == std::string::npos);
  CHECK(all_matches(page, "<(link|script|iframe|object|embed|img|image)[ >]") ==
        std::vector<std::string>{"link", "script"});
  CHECK_THAT(page, Catch::Contains("<link rel=\"icon\" href=\"data:,\">"));
}

TEST_CASE("experiments are folded with their answers, beside them everything else",
          "[analysis][report][html]") {
  const WrittenReport report;
  const std::string page = report.page();
  const auto folded = all_matches(page, "<details class=\"section\" id=\"([^\"]*)\">");
  CHECK(folded == std::vector<std::string>{"fpr_vs_m", "students_own", "method"});
  const auto answers = all_matches(page, "<span class=\"answer\">([^<]{20})");
  CHECK(answers.size() == 2);
}
