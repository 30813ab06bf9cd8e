// REPORT.html in front of a class: formulas, a figure for the whole room, the textbook's table.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/browser/chromium.hpp"
#include "tests/browser/small_report.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;

namespace {

using Json = nlohmann::json;

/// The textbook's page over few keys and queries.
class SmallTextbook {
 public:
  SmallTextbook() {
    Json config = Json::parse(read(BLOOMLAB_SOURCE_DIR "/configs/textbook/textbook_table.json"));
    config["trials"] = 3;
    config["queries"] = 2000;
    config["grid"]["n"] = 500;
    config["grid"]["filter"]["m"] = {{"per_n", {2, 3, 4, 5, 6, 7, 8, 9, 10}}};
    config["grid"]["filter"]["k"] = {1, 2, 3, 4, 5, 6, 7, 8};
    write(folder / "textbook_table.json", config.dump());
    write(folder / "textbook_table.page.md",
          read(BLOOMLAB_SOURCE_DIR "/configs/textbook/textbook_table.page.md"));
    const Said run =
        bloomlab_says("run " + (folder / "textbook_table.json") + " --out " + (folder / "out"));
    REQUIRE(run.status == 0);
    REQUIRE(bloomlab_says("report " + (folder / "out")).err.find("textbook_table.page.md") ==
            std::string::npos);
  }

  [[nodiscard]] std::string url() const { return "file://" + (folder / "out/REPORT.html"); }

  TemporaryFolder folder;
};

const std::string teach_dialog = "document.getElementById('page-teach')";

std::string dialog_text(Chromium& browser, const std::string& part) {
  return browser.evaluate(teach_dialog + ".querySelector('.teach-" + part + "').innerText");
}

}  // namespace

TEST_CASE("formulas of a page are set as formulas", "[browser][report][formula]") {
  const SmallTextbook report;
  Chromium browser;
  browser.open(report.url() + "#textbook_table");
  const Json raised = browser.evaluate(
      "(math => [...math.querySelectorAll('msup')].map(power => "
      "power.lastElementChild.getBoundingClientRect().top < "
      "power.firstElementChild.getBoundingClientRect().top + 2))"
      "(document.querySelector('#textbook_table math'))");
  CHECK(raised == Json({true, true}));
  CHECK(browser.evaluate("document.querySelector('#textbook_table math').textContent") ==
        "(1−e−kn/m)k");
  CHECK(browser.evaluate("document.querySelectorAll('#method math[display=block]').length") == 1);
  CHECK(browser.evaluate("document.querySelector('main').textContent.includes('$')") == false);
  CHECK(browser.complaints().empty());
}

TEST_CASE("the textbook's table stands on a projector whole", "[browser][report]") {
  const SmallTextbook report;
  Chromium browser;
  browser.show_on({.width = 1280, .height = 720});
  browser.open(report.url() + "#textbook_table");
  // Boxes that come into sight get their height first.
  const std::string box = "document.querySelector('#textbook_table .body > .scroll')";
  for (int i = 0; i < 3; ++i) {
    browser.evaluate(box + ".scrollIntoView({block: 'end'})");
    browser.evaluate("new Promise(done => setTimeout(done, 100))");
  }
  const Json seen = browser.evaluate(
      "(box => { const at = box.getBoundingClientRect(); "
      "const bar = document.querySelector('.bar').getBoundingClientRect().bottom; "
      "return [box.querySelectorAll('th').length, box.scrollWidth <= box.clientWidth, "
      "box.scrollHeight <= box.clientHeight, at.top >= bar, at.bottom <= innerHeight + 1, "
      "at.right <= innerWidth]; })(" +
      box + ")");
  CHECK(seen == Json({10, true, true, true, true, true}));
}

TEST_CASE("a figure is shown to the whole room, the next one by an arrow key",
          "[browser][report]") {
  const SmallTextbook report;
  Chromium browser;
  browser.show_on({.width = 1280, .height = 720});
  browser.open(report.url() + "#textbook_table");
  const std::string homes =
      "[...document.querySelectorAll('#textbook_table .body figure .scroll')]"
      ".map(home => home.children.length)";
  browser.evaluate("document.querySelector('#textbook_table button.teach').focus()");
  browser.press("Enter");
  CHECK(browser.evaluate(teach_dialog + ".open") == true);
  CHECK(dialog_text(browser, "title") == "The textbook's table of false-positive rates");
  const std::string answer = dialog_text(browser, "answer");
  CHECK(answer.starts_with("The closed form equals 49 of the 49 printed"));
  CHECK(answer.find("The slide's column") == std::string::npos);
  CHECK(dialog_text(browser, "place") == "1 / 2");
  CHECK(browser.evaluate(homes) == Json({0, 1}));
  CHECK(browser.evaluate(teach_dialog +
                         ".querySelector('svg').getBoundingClientRect().height > 500") == true);
  CHECK(browser.evaluate(teach_dialog + ".scrollHeight <= innerHeight") == true);
  browser.press("ArrowRight");
  CHECK(dialog_text(browser, "place") == "2 / 2");
  CHECK(browser.evaluate(homes) == Json({1, 0}));
  browser.press("ArrowRight");
  CHECK(dialog_text(browser, "place") == "2 / 2");
  browser.press("ArrowLeft");
  CHECK(dialog_text(browser, "place") == "1 / 2");
  browser.press("Escape");
  browser.evaluate("new Promise(done => setTimeout(done, 100))");
  CHECK(browser.evaluate(teach_dialog + ".open") == false);
  CHECK(browser.evaluate(homes) == Json({1, 1}));
  browser.evaluate(
      "document.querySelector('#textbook_table figure svg')"
      ".dispatchEvent(new MouseEvent('click', {bubbles: true}))");
  CHECK(browser.evaluate(teach_dialog + ".open") == true);
  // Paper knows nothing of it.
  browser.evaluate("dispatchEvent(new Event('beforeprint'))");
  browser.evaluate("new Promise(done => setTimeout(done, 50))");
  CHECK(browser.evaluate(teach_dialog + ".open") == false);
  CHECK(browser.evaluate(homes) == Json({1, 1}));
  CHECK(browser.complaints().empty());
}
