// The planner's page says what systems in production build of its keys and memory.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "planner/systems/system.hpp"
#include "tests/browser/chromium.hpp"
#include "tests/browser/planner_page.hpp"

using namespace bloomlab::tests;

TEST_CASE("the planner's page lists every system with its own rate, in three languages, on a phone",
          "[browser][planner]") {
  Chromium browser;
  browser.show_on({.width = 390, .height = 844, .dark = false});
  open_planner(browser, "#items=1M&memory=2MB");
  wait_for_all(browser);
  // The rules are worked out once the section is opened.
  CHECK(browser.evaluate("document.getElementById('systems-table').children.length") == 0);
  browser.evaluate("document.querySelector('#systems summary').focus()");
  CHECK(browser.evaluate("document.activeElement.matches('#systems summary')") == true);
  browser.evaluate("document.activeElement.click()");
  browser.evaluate(
      "new Promise(done => { const look = () => document.querySelector('#systems-table table') && "
      "!document.querySelector('.pending') ? done(1) : setTimeout(look, 20); look(); })");
  const auto systems = bloomlab::planner::systems();
  CHECK(browser.evaluate("document.querySelectorAll('#systems-table tbody tr').length") ==
        systems.size());
  const std::string row =
      "[...document.querySelectorAll('#systems-table tbody tr')].find(row => "
      "row.firstChild.firstChild.data === 'rocksdb')";
  const auto fit = bloomlab::planner::fit_of(bloomlab::planner::system_called("", "rocksdb"),
                                             1'000'000, 1e-3, 16'000'000);
  CHECK(browser.evaluate(row + ".querySelector('code').textContent") == fit.line);
  const std::string rate = browser.evaluate(row + ".children[4].textContent");
  CHECK(std::stod(rate) == Approx(fit.filter.rate()).epsilon(0.01));
  for (const auto& [language, title] : {std::pair{"zh", "各系统会造出什么"},
                                        {"ru", "Что из этого строят системы"},
                                        {"en", "What systems build of it"}}) {
    browser.evaluate(std::string("(list => { list.value = '") + language +
                     "'; list.dispatchEvent(new Event('change')); })"
                     "(document.getElementById('systems-language'))");
    CHECK(browser.evaluate("document.getElementById('systems-title-text').textContent") == title);
    CHECK(browser.evaluate("document.getElementById('systems').lang") == language);
    CHECK(browser.evaluate("document.documentElement.scrollWidth <= innerWidth") == true);
  }
  CHECK(browser.complaints().empty());
}
