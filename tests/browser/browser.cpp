// The browser that the other tests look through.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tests/browser/chromium.hpp"

using namespace bloomlab::tests;

TEST_CASE("the browser says what a page holds, asks for and complains of", "[browser]") {
  const TemporaryFolder folder;
  write(folder / "page.html",
        "<!doctype html><meta name=viewport content='width=device-width'><title>A page</title>");
  write(folder / "broken.html",
        "<!doctype html><img src=missing.png><script>console.error('no good')</script>");
  Chromium browser;
  browser.show_on({.width = 390, .height = 844, .dark = true});
  browser.open("file://" + (folder / "page.html"));
  CHECK(browser.evaluate("document.title") == "A page");
  CHECK(browser.evaluate("Promise.resolve([1, 'a'])") == nlohmann::json({1, "a"}));
  CHECK(browser.evaluate("innerWidth") == 390);
  CHECK(browser.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") == true);
  CHECK(browser.complaints().empty());
  CHECK(browser.requests().empty());
  CHECK_THROWS_AS(browser.evaluate("nothing.like.it"), std::runtime_error);
  browser.screenshot(folder / "page.png");
  CHECK(read(folder / "page.png").starts_with("\x89PNG"));

  browser.open("file://" + (folder / "broken.html"));
  CHECK(std::ranges::any_of(browser.complaints(), [](const std::string& complaint) {
    return complaint.find("no good") != std::string::npos;
  }));
  REQUIRE(browser.requests().size() == 1);
  CHECK(browser.requests().front().ends_with("/missing.png"));
}
