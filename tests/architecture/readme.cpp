// What the README says of the results is what the report says.

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "tests/paths.hpp"

namespace {

std::string text_of(const std::string& name) {
  std::ifstream file(BLOOMLAB_SOURCE_DIR "/" + name);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The numbers of a text, as written.
std::vector<std::string> numbers(const std::string& text) {
  static const std::regex number(R"(\d+(\.\d+)?)");
  std::vector<std::string> all;
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
    all.push_back(at->str());
  }
  return all;
}

/// Whether `shown` is one of the numbers, or the percentage of one, to the digits of `shown`.
bool is_among(const std::string& shown, const std::vector<std::string>& exact) {
  const std::size_t point = shown.find('.');
  const double unit = point == std::string::npos
                          ? 1.0
                          : std::pow(10.0, -static_cast<double>(shown.size() - point - 1));
  for (const std::string& one : exact) {
    for (const double scale : {1.0, 100.0}) {
      if (std::abs(std::stod(one) * scale - std::stod(shown)) <= 0.5 * unit * (1 + 1e-9)) {
        return true;
      }
    }
  }
  return false;
}

/// The line of the report that answers the question of this page.
std::string answer_of(const std::string& report, const std::string& page) {
  const std::size_t place = report.find("(" + page + ")**");
  REQUIRE(place != std::string::npos);
  const std::size_t begin = place + page.size() + 4;
  return report.substr(begin, report.find('\n', begin) - begin);
}

}  // namespace

TEST_CASE("every number that the README links to a page is in the report's answer",
          "[architecture]") {
  const std::string readme = text_of("README.md");
  const std::string report = text_of("REPORT.md");
  static const std::regex link(R"(\[([^\]]*\d[^\]]*)\]\((results/pages/\w+\.md)\))");
  int checked = 0;
  for (std::sregex_iterator at(readme.begin(), readme.end(), link), end; at != end; ++at) {
    const std::string answer = answer_of(report, at->str(2));
    for (const std::string& shown : numbers(at->str(1))) {
      INFO(at->str(2) << " says:" << answer);
      CHECK((is_among(shown, numbers(answer)) ? shown : "another number") == shown);
      ++checked;
    }
  }
  CHECK(checked >= 5);
  // How many deviations were predicted, as the report's first sentence counts them.
  static const std::regex deviations(
      R"(Of the (\d+) deviations from theory beyond chance in (\d+) tests, (\d+)\s+were predicted before the run and (\d+) were thought\s+possible)");
  std::smatch said;
  REQUIRE(std::regex_search(readme, said, deviations));
  CHECK_THAT(report, Catch::Contains(said.str(2) + " tests against theory found " + said.str(1) +
                                     " deviations beyond chance: " + said.str(3) +
                                     " were predicted before the run, " + said.str(4) +
                                     " were thought possible, 0 were not expected."));
  CHECK_THAT(readme, Catch::Contains("49 of 49") && Catch::Contains("88 of 88"));
  CHECK_THAT(answer_of(report, "results/pages/textbook_table.md"), Catch::Contains("49 of the 49"));
  CHECK_THAT(answer_of(report, "results/pages/lab_report.md"), Catch::Contains("88 of 88"));
}

TEST_CASE("what is cited has the version that is built", "[architecture]") {
  const auto version_in = [](const std::string& file, const std::regex& place) {
    const std::string text = text_of(file);
    std::smatch match;
    REQUIRE(std::regex_search(text, match, place));
    return match.str(1);
  };
  CHECK(version_in("CITATION.cff", std::regex(R"(\nversion: (\S+)\n)")) ==
        version_in("CMakeLists.txt", std::regex(R"(project\(bloomlab VERSION (\S+))")));
}
