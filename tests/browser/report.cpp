// REPORT.html as readers hold it: whole in one file, folded and opened, on a phone and in the dark.

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/browser/chromium.hpp"
#include "tests/browser/small_report.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;

namespace {

using Json = nlohmann::json;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Every figure of `markdown` is drawn on the page, which complains of nothing and asks nobody.
void check_figures(Chromium& browser, const std::string& url, const std::string& markdown) {
  browser.open(url);
  browser.evaluate("document.getElementById('page-open-button').click()");
  const Json drawn = browser.evaluate(
      "[...document.querySelectorAll('figure svg[role=img]')].filter(svg => "
      "svg.getBoundingClientRect().height > 100 && svg.ariaLabel !== '').length");
  CHECK(drawn == count_of(markdown, "!["));
  INFO(joined_lines(browser.complaints()) << joined_lines(browser.requests()));
  CHECK(browser.complaints().empty());
  CHECK(browser.requests().empty());
}

/// With every fold open, the page is as wide as the screen and no wider.
void check_width(Chromium& browser, const std::string& url, int width) {
  browser.show_on({.width = width, .height = 844, .dark = false});
  browser.open(url);
  browser.evaluate("document.getElementById('page-open-button').click()");
  INFO("a screen of " << width << " pixels");
  CHECK(browser.evaluate("document.documentElement.scrollWidth") == width);
}

}  // namespace

TEST_CASE("the report's page shows every figure, complains of nothing and asks nobody",
          "[browser][report]") {
  const SmallReport report;
  Chromium browser;
  check_figures(browser, report.url, read(report.folder / "out/REPORT.md"));
  CHECK(browser.evaluate("document.querySelectorAll('figure').length") == 2);
  CHECK(browser.evaluate("document.documentElement.lang") == "en");
}

TEST_CASE("a title that means harm is only shown", "[browser][report]") {
  const SmallReport report;
  Chromium browser;
  browser.open(report.url);
  CHECK(browser.evaluate("typeof window.harm") == "undefined");
  CHECK(browser.evaluate("document.querySelectorAll('script').length") == 1);
  CHECK(browser.evaluate("document.querySelectorAll('img').length") == 0);
  CHECK(browser.evaluate("document.querySelector('#second h2').textContent") == harmful_title);
}

TEST_CASE("the report's page never scrolls sideways", "[browser][report]") {
  const SmallReport report;
  Chromium browser;
  for (const int width : {360, 390, 768, 1440}) check_width(browser, report.url, width);
}

TEST_CASE("a link opens every fold around its target", "[browser][report]") {
  const SmallReport report;
  Chromium browser;
  const auto open = [&](const std::string& id) {
    return browser.evaluate("document.getElementById('" + id + "').open").get<bool>();
  };
  browser.open(report.url);
  CHECK_FALSE(open("first"));
  browser.evaluate("document.querySelector('main section a[href=\"#first\"]').click()");
  browser.evaluate("new Promise(done => setTimeout(done, 50))");
  CHECK(open("first"));
  CHECK_FALSE(open("second"));
  browser.evaluate("document.getElementById('first').open = false");
  browser.evaluate("document.querySelector('nav a[href=\"#first\"]').click()");
  CHECK(open("first"));

  browser.open("about:blank");
  browser.open(report.url + "#second");
  CHECK(open("second"));
  CHECK(browser.evaluate("document.getElementById('second').getBoundingClientRect().top < 200") ==
        true);

  browser.evaluate(
      "document.querySelector('#first details').id = 'inner'; location.hash = '#inner'");
  browser.evaluate("new Promise(done => setTimeout(done, 50))");
  CHECK(open("first"));
  CHECK(open("inner"));
}

TEST_CASE("all folds are opened and closed by one button each", "[browser][report]") {
  const SmallReport report;
  Chromium browser;
  browser.open(report.url);
  const std::string opened = "document.querySelectorAll('main details[open]').length";
  const Json all = browser.evaluate("document.querySelectorAll('main details').length");
  REQUIRE(all > 3);
  CHECK(browser.evaluate(opened) == 0);
  browser.evaluate("document.getElementById('page-open-button').click()");
  CHECK(browser.evaluate(opened) == all);
  browser.evaluate("document.getElementById('page-close-button').click()");
  CHECK(browser.evaluate(opened) == 0);
}

TEST_CASE("a search leaves the sections that have every word", "[browser][report]") {
  const SmallReport report;
  Chromium browser;
  browser.open(report.url);
  const std::string shown = "document.querySelectorAll('main > [id]:not([hidden])').length";
  const Json all = browser.evaluate(shown);
  REQUIRE(all > 1);
  const auto search_for = [&](const std::string& text) {
    browser.evaluate("{const box = document.getElementById('page-search'); box.value = '" + text +
                     "'; box.dispatchEvent(new Event('input'))}");
  };
  browser.evaluate(
      "window.word = document.querySelector('main > [id] h2, main > [id] h3').textContent");
  search_for("no such word anywhere");
  CHECK(browser.evaluate(shown) == 0);
  CHECK(browser.evaluate("document.querySelectorAll('nav li:not([hidden])').length") == 0);
  CHECK(browser.evaluate("document.getElementById('page-found').value") == "Nothing found");
  browser.evaluate(
      "{const box = document.getElementById('page-search'); box.value = word.toUpperCase();"
      " box.dispatchEvent(new Event('input'))}");
  CHECK(browser.evaluate(shown) >= 1);
  CHECK(browser.evaluate("document.getElementById('page-found').value.endsWith(' / ' + "
                         "document.querySelectorAll('main > [id]').length)") == true);
  browser.evaluate(
      "document.getElementById('page-search').dispatchEvent(new KeyboardEvent('keydown', "
      "{key: 'Escape'}))");
  CHECK(browser.evaluate(shown) == all);
  browser.evaluate(
      "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true}))");
  CHECK(browser.evaluate("document.activeElement.id") == "page-search");
}

TEST_CASE("the page is dark where the reader is, until told otherwise", "[browser][report]") {
  const SmallReport report;
  Chromium browser;
  const auto is_dark = [&] {
    const auto colour =
        browser.evaluate("getComputedStyle(document.body).backgroundColor").get<std::string>();
    return std::stoi(colour.substr(colour.find('(') + 1)) < 100;
  };
  browser.open(report.url);
  CHECK_FALSE(is_dark());
  browser.show_on({.width = 1440, .height = 900, .dark = true});
  CHECK(is_dark());
  const std::string click = "document.getElementById('page-theme-button').click()";
  browser.evaluate(click);
  CHECK_FALSE(is_dark());
  browser.evaluate(click);
  CHECK(is_dark());
}

TEST_CASE("contents stand beside the text, on a phone above it when asked", "[browser][report]") {
  const SmallReport report;
  Chromium browser;
  const std::string visible = "document.querySelector('nav').getBoundingClientRect().height > 0";
  const std::string button = "document.getElementById('page-contents-button')";
  browser.show_on({});
  browser.open(report.url);
  CHECK(browser.evaluate(visible) == true);
  browser.show_on({.width = 390, .height = 844, .dark = false});
  browser.open("about:blank");
  browser.open(report.url);
  CHECK(browser.evaluate(visible) == false);
  CHECK(browser.evaluate(button + ".getAttribute('aria-expanded')") == "false");
  browser.evaluate(button + ".click()");
  CHECK(browser.evaluate(visible) == true);
  CHECK(browser.evaluate(button + ".getAttribute('aria-expanded')") == "true");
  browser.evaluate("document.querySelector('nav a[href=\"#first\"]').click()");
  CHECK(browser.evaluate(visible) == false);
}

TEST_CASE("the page of the reference run shows every figure of its report", "[browser][report]") {
  const std::string root = BLOOMLAB_SOURCE_DIR;
  const TemporaryFolder folder;
  const Said said =
      bloomlab_says("report " + root + "/results --out " + (folder / "out") + " --front " + root +
                    "/configs/REPORT.page.md --claims " + root + "/configs/claims");
  INFO(said.err);
  REQUIRE(said.status == 0);
  Chromium browser;
  std::string markdown = read(folder / "out/REPORT.md");
  for (const auto& entry : std::filesystem::directory_iterator(folder / "out/pages")) {
    markdown += read(entry.path());
  }
  const std::string url = "file://" + (folder / "out/REPORT.html");
  check_figures(browser, url, markdown);
  for (const int width : {390, 1440}) check_width(browser, url, width);
}
