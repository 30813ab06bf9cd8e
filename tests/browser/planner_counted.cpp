// What the planner's page says of a count and of a test, and the line that stays in view.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/browser/chromium.hpp"
#include "tests/browser/planner_page.hpp"
#include "tests/browser/questions.hpp"

using namespace bloomlab::tests;
using Json = nlohmann::json;

TEST_CASE("the planner's page judges a count and a test as the command line does",
          "[browser][planner]") {
  Chromium browser;
  struct Count {
    const char* hash;
    const char* judged;  ///< the same for the command line
    const char* page;    ///< how the answer begins
  };
  for (const Count& count :
       {Count{"#items=100k&bits=800k&looked_up=5000&reported=115",
              "n=100k m=800k k=6 seen=115/5000",
              "As it should be: 115 of 5000 is 0.0230 (p = 0.51)."},
        Count{"#items=100k&bits=800k&probes=6&looked_up=5000&reported=215",
              "n=100k m=800k k=6 seen=215/5000",
              "Not as it should be: 215 of 5000 is 0.0430 (p = "},
        Count{"#items=50&bits=300&probes=4&looked_up=1M&reported=0", "n=50 m=300 k=4 seen=0/1M",
              "Not as it should be: 0 of 1\u202f000\u202f000 is 0"}}) {
    INFO(count.hash);
    open_planner(browser, count.hash);
    wait_for_all(browser);
    const std::string said = browser.evaluate("document.getElementById('judged').innerText");
    CHECK(said.find(count.page) == 0);
    const Json judged =
        Json::parse(shell("\"$BLOOMLAB\" judge --json " + std::string(count.judged)).out);
    const Json& seen = judged.at("observations").at(0);
    const Json shown = Json::parse(
        browser
            .evaluate("JSON.stringify(bloomlab.judge(document.getElementById('reported').value, "
                      "document.getElementById('looked_up').value), "
                      "(name, value) => typeof value === 'bigint' ? Number(value) : value)")
            .get<std::string>());
    for (const char* name : {"expected", "usual_from", "usual_to", "p_value"}) {
      INFO(name << ": " << seen.at(name) << ", " << shown.at(name));
      CHECK(shown.at(name).get<double>() == Approx(seen.at(name).get<double>()).epsilon(1e-6));
    }
    REQUIRE(shown.at("causes").size() == judged.at("causes").size());
    for (std::size_t i = 0; i < judged.at("causes").size(); ++i) {
      const Json& cause = judged.at("causes").at(i);
      CHECK(shown.at("causes").at(i).at("cause") == cause.at("cause"));
      CHECK(shown.at("causes").at(i).at("mend") == cause.at("mend"));
      CHECK(said.find(cause.at("cause").get<std::string>()) != std::string::npos);
    }
    CHECK(shown.at("count_next").is_null() == !judged.contains("count_next"));
    CHECK((said.find("To tell 1 from 2: ") == std::string::npos) == !judged.contains("count_next"));
  }
  open_planner(browser, "#items=1M&fpr=1%25&queries=300&limit=3");
  const std::string tested = browser.evaluate("document.getElementById('tested').innerText");
  CHECK(tested.find("With \"at most 3 in 300\", a right filter, of rate 0.01000, fails with "
                    "probability 35.3 %.") == 0);
  CHECK(tested.find("Least limits: ") != std::string::npos);
  open_planner(browser, "#items=1M&fpr=1%25&queries=10k&alpha=1e-6");
  const Json plan =
      Json::parse(shell("\"$BLOOMLAB\" threshold --fpr 1% --queries 10k --alpha 1e-6 --json").out);
  const std::string asserted = browser.evaluate("document.getElementById('tested').innerText");
  CHECK(asserted.find("Assert at most " + plan.at("max_false_positives").dump() + " ") == 0);
  for (const auto& [hash, place] :
       {std::pair{"#items=1M&fpr=1%25&looked_up=5&reported=7", "judged"},
        std::pair{"#items=1M&fpr=1%25&looked_up=x&reported=7", "judged"},
        std::pair{"#items=1M&fpr=1%25&queries=0", "tested"},
        std::pair{"#items=1M&fpr=1%25&queries=10&limit=11", "tested"}}) {
    open_planner(browser, hash);
    wait_for_all(browser);
    INFO(hash);
    CHECK(browser.evaluate("document.querySelectorAll('#" + std::string(place) +
                           " .fault').length") == 1);
  }
  CHECK(browser.complaints().empty());
}

TEST_CASE("the planner's page keeps what was counted in the URL", "[browser][planner]") {
  Chromium browser;
  open_planner(browser, "#items=100k&bits=800k");
  browser.evaluate("document.getElementById('looked_up').focus()");
  type(browser, "5000");
  browser.evaluate("document.getElementById('reported').focus()");
  type(browser, "115");
  CHECK(browser.evaluate("location.hash") == "#items=100k&bits=800k&looked_up=5000&reported=115");
}

TEST_CASE("the line that stays in view says what the answer recommends", "[browser][planner]") {
  Chromium browser;
  browser.show_on({.width = 390, .height = 800, .dark = false});
  open_planner(browser, "#items=10M&fpr=0.01%25");
  wait_for_all(browser);
  const std::string line = browser.evaluate("document.getElementById('result').innerText");
  const std::string memory =
      browser.evaluate("document.querySelector('#figures .value').innerText");
  CHECK(line.find("26.26 MiB") == 0);
  CHECK(line.find("blocked") != std::string::npos);
  CHECK(memory.find("26.26") == 0);
  open_planner(browser, "#items=4000&fpr=1e-7&mode=compatible");
  CHECK(browser.evaluate("document.getElementById('result').innerText")
            .get<std::string>()
            .find("standard") != std::string::npos);
}
