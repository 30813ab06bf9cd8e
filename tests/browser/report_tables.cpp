// Tables of REPORT.html, put in order by clicks and by the keyboard.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/browser/chromium.hpp"
#include "tests/browser/small_report.hpp"

using namespace bloomlab::tests;

namespace {

using Json = nlohmann::json;

/// Defines page.column(i): texts of a column of the table of all measurements of the first config.
constexpr const char* tools = R"((() => {
  const table = [...document.querySelectorAll('#first table')].at(-1);
  window.page = {
    table,
    heading: name => [...table.tHead.rows[0].cells].find(c => c.textContent.startsWith(name)),
    column: name => [...table.tBodies[0].rows].map(
        row => row.cells[page.heading(name).cellIndex].textContent),
  };
})())";

/// The number that a text of the table shows, read by other means than the program's.
double shown(std::string text) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  };
  const std::vector<std::string> raised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (std::size_t digit = 0; digit < raised.size(); ++digit) {
    replace(raised[digit], std::to_string(digit));
  }
  replace("⁻", "-");
  replace("−", "-");
  replace("\u202f", "");
  const auto power = text.find("×10");
  const double scale =
      power == std::string::npos
          ? 1.0
          : std::pow(10.0, std::stod(text.substr(power + std::string("×10").size())));
  return scale * std::stod(text.substr(text.front() == '(' ? 1 : 0));
}

std::vector<double> numbers_of(const Json& column) {
  std::vector<double> numbers;
  for (const auto& text : column) numbers.push_back(shown(text.get<std::string>()));
  return numbers;
}

}  // namespace

TEST_CASE("a table is put in order by clicks: up, down, and as it was", "[browser][report]") {
  const SmallReport report;
  Chromium browser;
  browser.open(report.url);
  browser.evaluate(tools);
  const auto rates = [&] { return numbers_of(browser.evaluate("page.column('measured rate')")); };
  const auto order = [&] {
    return browser.evaluate("page.heading('measured rate').getAttribute('aria-sort')");
  };
  const std::string click = "page.heading('measured rate').querySelector('button').click()";
  const auto before = rates();
  REQUIRE(before.size() == 10);
  REQUIRE_FALSE(std::is_sorted(before.begin(), before.end()));
  CHECK(order() == "none");
  browser.evaluate(click);
  auto sorted = rates();
  CHECK(std::is_sorted(sorted.begin(), sorted.end()));
  CHECK(order() == "ascending");
  browser.evaluate(click);
  sorted = rates();
  CHECK(std::is_sorted(sorted.rbegin(), sorted.rend()));
  CHECK(order() == "descending");
  browser.evaluate(click);
  CHECK(rates() == before);
  CHECK(order() == "none");
}

TEST_CASE("rows stay whole, nothing stands last, and the keyboard sorts too", "[browser][report]") {
  const SmallReport report;
  Chromium browser;
  browser.open(report.url);
  browser.evaluate(tools);
  const auto rows = [&] {
    auto texts = browser.evaluate("[...page.table.tBodies[0].rows].map(row => row.textContent)")
                     .get<std::vector<std::string>>();
    std::sort(texts.begin(), texts.end());
    return texts;
  };
  const auto before = rows();
  browser.evaluate(
      "for (let at = page.table; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open "
      "= true; page.heading('m [').querySelector('button').focus()");
  browser.press("Enter");
  CHECK(browser.evaluate("page.heading('m [').getAttribute('aria-sort')") == "ascending");
  CHECK(numbers_of(browser.evaluate("page.column('m [')")).front() == 1000);
  browser.press("Enter");
  CHECK(numbers_of(browser.evaluate("page.column('m [')")).front() == 12000);
  CHECK(rows() == before);

  browser.evaluate(
      "[1, 7].forEach(i => { const cell = page.table.tBodies[0].rows[i].cells[2]; "
      "cell.textContent = '–'; delete cell.dataset.v; })");
  for (int click = 0; click < 2; ++click) {
    browser.evaluate("page.table.tHead.rows[0].cells[2].querySelector('button').click()");
    const Json last = browser.evaluate(
        "[...page.table.tBodies[0].rows].slice(-2).map(row => row.cells[2].textContent)");
    CHECK(last == Json::array({"–", "–"}));
  }
}

TEST_CASE("words are put in order as people count", "[browser][report]") {
  const SmallReport report;
  Chromium browser;
  browser.open(report.url);
  browser.evaluate(tools);
  browser.evaluate(
      "['fp = 0.01', 'm = 1\u202f000\u202f000', 'fp = 0.001', 'm = 50\u202f000, b', 'xxhash3_64',"
      " 'm = 50\u202f000', 'xxhash3_128', 'a', '12', '7'].forEach((text, i) => {"
      " const cell = page.table.tBodies[0].rows[i].cells[1];"
      " cell.textContent = text; delete cell.dataset.v; });"
      "page.table.tHead.rows[0].cells[1].querySelector('button').click()");
  CHECK(
      browser.evaluate("[...page.table.tBodies[0].rows].map(row => row.cells[1].textContent)") ==
      Json::array({"7", "12", "a", "fp = 0.001", "fp = 0.01", "m = 50\u202f000",
                   "m = 50\u202f000, b", "m = 1\u202f000\u202f000", "xxhash3_64", "xxhash3_128"}));
}
