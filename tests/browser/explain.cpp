// docs/explain/index.html says what `bloomlab explain` says, keeps its state in the address, and is
// a page that works alone, with the keyboard, on a phone and in the dark.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/hashing.hpp"
#include "tests/browser/chromium.hpp"

using namespace bloomlab::tests;

namespace {

using Json = nlohmann::json;

const std::string lesson_page = "docs/explain/index.html";

/// The page at this hash, with the rate of that state measured.
void open_lesson(Chromium& browser, const std::string& hash) {
  browser.open("about:blank");
  browser.open(url_of(lesson_page) + hash);
  browser.evaluate(
      "new Promise(done => { const look = () => globalThis.bloomlab ? done(1) : "
      "setTimeout(look, 10); look(); })");
}

void wait_for_rate(Chromium& browser) {
  browser.evaluate(
      "new Promise(done => { const look = () => document.getElementById('rates').rows.length && "
      "!document.querySelector('.pending') ? done(1) : setTimeout(look, 20); look(); })");
}

std::string text_of(Chromium& browser, const std::string& id) {
  return browser.evaluate("document.getElementById('" + id + "').innerText");
}

void type(Chromium& browser, const std::string& id, const std::string& text) {
  browser.evaluate("document.getElementById('" + id + "').focus()");
  for (const char c : text) browser.press(std::string(1, c));
}

/// The page's own command, said by the command line.
Json command_line_says(Chromium& browser) {
  const std::string command = browser.evaluate("bloomlab.command()");
  REQUIRE(command.starts_with("bloomlab explain"));
  const Said said =
      shell("\"$BLOOMLAB\"" + command.substr(std::string("bloomlab").size()) + " --json");
  INFO(command << ": " << said.err);
  REQUIRE(said.status == 0);
  return Json::parse(said.out);
}

void same_reading(const Json& on_page, const Json& command) {
  CHECK(on_page.at("key") == command.at("key"));
  CHECK(on_page.at("digest") == command.at("digest"));
  CHECK(on_page.at("positions") == command.at("positions"));
}

/// Sorted and without repetition, as the command line lists what an insert touched.
Json touched(const Json& insertion, const std::string& kind) {
  std::set<int> positions;
  for (std::size_t i = 0; i < insertion.at("touches").size(); ++i) {
    if (insertion.at("touches")[i] == kind)
      positions.insert(insertion.at("positions")[i].get<int>());
  }
  return positions;
}

/// Equal at 12 significant digits.
bool agree(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(a); }

/// Compares the state that the page shows with the command line.
void compare(Chromium& browser) {
  const Json command = command_line_says(browser);
  const Json shown = browser.evaluate("bloomlab.follow()");
  REQUIRE_FALSE(shown.contains("fault"));
  CHECK(shown.at("bits") == command.at("bits"));
  CHECK(shown.at("n") == command.at("n"));
  REQUIRE(shown.at("inserted").size() == command.at("inserted").size());
  for (std::size_t i = 0; i < command.at("inserted").size(); ++i) {
    same_reading(shown.at("inserted")[i], command.at("inserted")[i]);
    CHECK(touched(shown.at("inserted")[i], "fresh") == command.at("inserted")[i].at("newly_set"));
    CHECK(touched(shown.at("inserted")[i], "standing") ==
          command.at("inserted")[i].at("already_set"));
  }
  REQUIRE(shown.at("queries").size() == command.at("queries").size());
  for (std::size_t i = 0; i < command.at("queries").size(); ++i) {
    same_reading(shown.at("queries")[i], command.at("queries")[i]);
    for (const char* name : {"answer", "stopped_by", "inserted", "false_positive"}) {
      CHECK(shown.at("queries")[i].at(name) == command.at("queries")[i].at(name));
    }
  }
  CHECK(shown.at("remarks").size() == command.at("remarks").size());
  for (const Json& remark : shown.at("remarks")) {
    for (const auto& [tag, value] : command.at("remarks").at(remark.at("text")).items()) {
      std::string text = remark.at("tags").at(tag);
      if (value.is_number() && text.starts_with("−")) text.replace(0, std::string("−").size(), "-");
      INFO(tag);
      if (value.is_string()) CHECK(text == value.get<std::string>());
      if (value.is_number()) CHECK(std::stod(text) == Approx(value.get<double>()).epsilon(1e-5));
    }
  }
  CHECK(shown.at("rate").size() == command.at("rate").size());
  for (const Json& line : shown.at("rate")) {
    const std::string name = line.at("name");
    INFO(name);
    CHECK(agree(command.at("rate").at(name).get<double>(), line.at("value").get<double>()));
  }
}

/// All that is visible keeps within the screen. A phone's own innerWidth grows with what is wider.
void keeps_within(Chromium& browser, int width) {
  CHECK(browser.evaluate("document.documentElement.scrollWidth").get<int>() <= width);
}

}  // namespace

TEST_CASE("the bit array's page says what bloomlab explain says, for scenes and random lessons",
          "[browser][explain]") {
  Chromium browser;
  for (const char* scene :
       {"slides", "chance", "fruits", "shared_bit", "probing", "optimum", "full", "double"}) {
    INFO(scene);
    open_lesson(browser, std::string("#lang=en&scene=") + scene);
    compare(browser);
  }
  const Json names = browser.evaluate("bloomlab.catalogue()");
  // All that take texts, but for OpenSSL's four hashes.
  CHECK(names.at("hash").size() == bloomlab::Hashes::size - 5);
  CHECK(names.at("probe").size() == bloomlab::HashingSchemes::size - 1);
  CHECK(names.at("reduction").size() == bloomlab::Reductions::size);
  std::mt19937 random(20240917);
  const auto one_of = [&](const Json& list) {
    return list[random() % list.size()].get<std::string>();
  };
  int compared = 0;
  for (int i = 0; i < 40; ++i) {
    const std::string hash =
        "#m=" + std::to_string(8 + random() % 249) + "&k=" + std::to_string(1 + random() % 8) +
        "&seed=" + std::to_string(random()) + "&hash=" + one_of(names.at("hash")) +
        "&probe=" + one_of(names.at("probe")) + "&reduction=" + one_of(names.at("reduction")) +
        "&insert=red,green%20tea,%E9%94%AE&query=blue,red,%D1%81%D0%BE%D0%BD&fill=" +
        std::to_string(random() % 12) + "&lang=en";
    INFO(hash);
    browser.evaluate("location.hash = " + Json(hash).dump());
    browser.evaluate("new Promise(done => setTimeout(done, 30))");
    if (browser.evaluate("document.getElementById('fault').hidden") == false) {
      CHECK(text_of(browser, "fault").find("reduction") != std::string::npos);
      continue;
    }
    compare(browser);
    ++compared;
  }
  CHECK(compared >= 20);
  CHECK(browser.complaints().empty());
  CHECK(browser.requests().empty());
}

TEST_CASE("the bit array's page ends the examples with what they add", "[browser][explain]") {
  Chromium browser;
  open_lesson(browser, "#scene=fruits&lang=en");
  CHECK(text_of(browser, "story").find("cabbage is reported under 19:") != std::string::npos);
  open_lesson(browser, "#scene=fruits&step=1&lang=en");
  CHECK(text_of(browser, "story").find("pairs") == std::string::npos);
  open_lesson(browser, "#scene=shared_bit&lang=zh");
  CHECK(text_of(browser, "story").find("1 2 1") != std::string::npos);
  CHECK(text_of(browser, "story").find("可能存在") != std::string::npos);
  CHECK(text_of(browser, "story").find("maybe") == std::string::npos);
  open_lesson(browser, "#scene=probing&lang=ru");
  CHECK(text_of(browser, "story").find("6 → 1 → 9") != std::string::npos);
  CHECK(browser.complaints().empty());
}

TEST_CASE("the bit array's page solves the puzzle as bloomlab explain does", "[browser][explain]") {
  Chromium browser;
  for (const auto& [bottles, poisoned] :
       std::vector<std::pair<int, int>>{{1000, 1000}, {1000, 617}, {16, 16}, {2, 1}}) {
    open_lesson(browser, "#scene=bottles&bottles=" + std::to_string(bottles) +
                             "&poisoned=" + std::to_string(poisoned) + "&lang=en");
    const Json command = command_line_says(browser);
    const Json shown = browser.evaluate("bloomlab.puzzle()");
    CHECK(command.at("poisoned") == poisoned);
    for (const char* name : {"mice", "dead_mice", "named", "rightly_named"}) {
      CHECK(shown.at(name) == command.at(name));
    }
    CHECK(browser.evaluate("[...document.querySelectorAll('.mouse .bit')].map(bit => "
                           "bit.textContent).join('')") == command.at("code"));
  }
  // A mouse that is pressed lives, and another bottle is named.
  open_lesson(browser, "#scene=bottles&poisoned=5&lang=en");
  browser.evaluate("document.getElementById('mice').lastChild.click()");
  CHECK(browser.evaluate("bloomlab.state().poisoned") == 4);
  CHECK(browser.evaluate("location.hash") == "#scene=bottles&poisoned=4&lang=en");
}

TEST_CASE("words typed into the bit array's page light their bits", "[browser][explain]") {
  Chromium browser;
  open_lesson(browser, "#m=16&lang=en");
  const auto lit = [&] {
    return browser.evaluate(
        "[...document.querySelectorAll('.cell.set')].map(cell => Number(cell.dataset.bit))");
  };
  CHECK(lit() == Json::array());
  type(browser, "insert", "apple");
  // The bits are shown before the word is entered, and kept in the address after.
  CHECK(lit() == Json({1, 3, 5}));
  CHECK(browser.evaluate("location.hash") == "#m=16&lang=en");
  browser.press("Enter");
  CHECK(lit() == Json({1, 3, 5}));
  CHECK(browser.evaluate("location.hash") == "#insert=apple&lang=en");
  type(browser, "insert", "pear,plum,cherry");
  browser.press("Enter");
  CHECK(lit() == Json({0, 1, 2, 3, 5, 8}));
  compare(browser);
  CHECK(text_of(browser, "words").find("→ 8") != std::string::npos);

  type(browser, "query", "fig");
  CHECK(text_of(browser, "verdict") == "Certainly absent");
  CHECK(text_of(browser, "story").find("Bit 7 is 0") == 0);
  CHECK(browser.evaluate("document.querySelector('.cell.first').dataset.bit") == "7");
  browser.press("Enter");
  type(browser, "query", "nut");
  browser.press("Enter");
  CHECK(text_of(browser, "verdict") == "Maybe: a false positive");
  // Whose words set each of its bits.
  CHECK(text_of(browser, "story").find("5 by apple, 2 by cherry") != std::string::npos);
  CHECK(browser.evaluate("document.querySelectorAll('.pointer.active:not(.asks)').length") == 2);
  browser.evaluate("new Promise(done => setTimeout(done, 600))");
  CHECK(browser.evaluate("document.getElementById('status').textContent.includes('5 by apple')") ==
        true);
  CHECK(browser.complaints().empty());
}

TEST_CASE("the bit array's page compares counts with theory", "[browser][explain]") {
  Chromium browser;
  open_lesson(browser, "#scene=full&lang=en");
  wait_for_rate(browser);
  const Json measured = browser.evaluate("bloomlab.measured()");
  CHECK(measured.at("own").at("queries") == 2000);
  CHECK(measured.at("many").at("queries") == 100000);
  // The same count by the command line: the absent words asked of the same filter.
  std::string absent;
  for (int i = 1; i <= 2000; ++i) absent += (i == 1 ? "absent-" : ",absent-") + std::to_string(i);
  std::string inserted = "apple";
  for (int i = 1; i <= 63; ++i) inserted += ",key-" + std::to_string(i);
  const Said said =
      shell("\"$BLOOMLAB\" explain --m 64 --insert " + inserted + " --query " + absent + " --json");
  REQUIRE(said.status == 0);
  const Json command = Json::parse(said.out);
  const auto hits = std::ranges::count_if(
      command.at("queries"), [](const Json& query) -> bool { return query.at("false_positive"); });
  CHECK(measured.at("own").at("hits") == hits);
  CHECK(hits > 1500);
  // Intervals hold what they are about.
  for (const auto& [name, theory] : std::vector<std::pair<std::string, std::string>>{
           {"own", "conditional"}, {"many", "exact"}}) {
    INFO(name);
    const double rate = command.at("rate").at(theory);
    CHECK(measured.at(name).at("low").get<double>() < rate);
    CHECK(measured.at(name).at("high").get<double>() > rate);
  }
  const std::string table = text_of(browser, "rates");
  CHECK(table.find(std::to_string(hits) + " of 2000") != std::string::npos);
  CHECK(table.find("(1 − e^(−kn/m))^k") != std::string::npos);
  CHECK(browser.evaluate("document.querySelectorAll('#rates tr').length") == 5);
  CHECK(browser.evaluate("document.querySelectorAll('#chart .interval').length") == 2);
  // The article's hash is far from theory, and the page says why.
  CHECK(browser.evaluate("document.getElementById('rate-apart').hidden") == true);
  open_lesson(browser, "#scene=fruits&lang=en");
  wait_for_rate(browser);
  CHECK(browser.evaluate("document.getElementById('rate-apart').hidden") == false);
}

TEST_CASE("the bit array's page keeps its state in the address, and goes back",
          "[browser][explain]") {
  Chromium browser;
  const std::string hash =
      "#m=32&k=4&seed=7&hash=fnv1a_64&insert=a%26b,%E9%94%AE&fill=3&query=x&positions=x:1.2.3.4"
      "&step=2&view=teach&lang=ru";
  open_lesson(browser, hash);
  const Json state = browser.evaluate("bloomlab.state()");
  CHECK(state.at("inserted") == Json({"a&b", "键"}));
  CHECK(state.at("positions").at("x") == Json({1, 2, 3, 4}));
  browser.evaluate("document.getElementById('next').click()");
  CHECK(browser.evaluate("location.hash") ==
        "#m=32&k=4&seed=7&hash=fnv1a_64&insert=a%26b,%E9%94%AE&fill=3&query=x&positions=x:1.2.3.4"
        "&step=3&view=teach&lang=ru");
  browser.evaluate("document.getElementById('back').click()");
  CHECK(browser.evaluate("location.hash") == hash);

  open_lesson(browser, "#scene=slides&lang=en");
  type(browser, "insert", "sohu");
  browser.press("Enter");
  CHECK(browser.evaluate("bloomlab.state().inserted.length") == 3);
  CHECK(browser.evaluate("bloomlab.state().positions.taobao") == Json({3, 7, 8}));
  browser.evaluate(
      "new Promise(done => { addEventListener('popstate', () => setTimeout(done, 50));"
      "history.back(); })");
  CHECK(browser.evaluate("location.hash") == "#scene=slides&lang=en");
  CHECK(browser.evaluate("document.querySelectorAll('#inserted .chip').length") == 2);
  CHECK(text_of(browser, "verdict") == "Maybe: a false positive");
  // Nonsense in an address is the usual value.
  open_lesson(browser, "#m=9999&k=-3&seed=x&hash=%3Cb%3E&lang=xx");
  CHECK(browser.evaluate("[bloomlab.state().m, bloomlab.state().k, bloomlab.state().hash]") ==
        Json({256, 3, "xxhash3_64"}));
  CHECK(browser.complaints().empty());
}

TEST_CASE("the bit array's page speaks three languages", "[browser][explain]") {
  Chromium browser;
  open_lesson(browser, "#scene=slides&lang=en");
  const Json texts = browser.evaluate("bloomlab.texts");
  const auto tags_of = [](const std::string& text) {
    std::multiset<std::string> tags;
    for (auto at = text.find("{{"); at != std::string::npos; at = text.find("{{", at + 1)) {
      tags.insert(text.substr(at, text.find("}}", at) - at));
    }
    return tags;
  };
  for (const char* language : {"zh", "ru"}) {
    const Json& own = texts.at(std::string("page.") + language + ".json");
    CHECK(own.size() == texts.at("page.en.json").size());
    for (const auto& [key, text] : texts.at("page.en.json").items()) {
      INFO(language << " " << key);
      REQUIRE(own.contains(key));
      CHECK(tags_of(own.at(key)) == tags_of(text));
      CHECK(std::ranges::none_of(own.at(key).get<std::string>(),
                                 [](char c) { return c >= '0' && c <= '9'; }));
    }
  }
  const std::array<std::array<std::string, 3>, 3> verdicts = {
      {{"en", "Maybe: a false positive", "3 by tencent"},
       {"zh", "可能存在：误判", "3 由 tencent 置位"},
       {"ru", "Возможно, есть: ложное срабатывание", "3"}}};
  for (const auto& [language, verdict, owner] : verdicts) {
    INFO(language);
    browser.evaluate("document.querySelector('[data-lang=" + language + "]').click()");
    CHECK(text_of(browser, "verdict") == verdict);
    CHECK(text_of(browser, "story").find(owner) != std::string::npos);
    CHECK(browser.evaluate("location.hash") == "#scene=slides&lang=" + language);
    CHECK(browser.evaluate("document.documentElement.lang.slice(0, 2)") == language);
    CHECK(browser.evaluate("[...document.querySelectorAll('[data-text]')].every(node => "
                           "node.textContent !== '')") == true);
    for (const char* scene :
         {"chance", "fruits", "shared_bit", "probing", "optimum", "full", "double", "bottles"}) {
      open_lesson(browser, std::string("#scene=") + scene + "&lang=" + language);
      if (std::string(scene) != "bottles") wait_for_rate(browser);
    }
    CHECK(browser.complaints().empty());
    open_lesson(browser, "#scene=slides&lang=" + language);
  }
}

TEST_CASE("the bit array's page is worked with the keyboard alone", "[browser][explain]") {
  Chromium browser;
  open_lesson(browser, "#scene=slides&lang=en");
  std::vector<std::string> reached;
  bool outlined = true;
  while (reached.size() < 100) {
    browser.press("Tab");
    const Json at = browser.evaluate(
        "(at => [at.tagName, at.id || at.className, getComputedStyle(at).outlineStyle])"
        "(document.activeElement)");
    if (at[0] == "BODY") break;
    reached.push_back(at[1]);
    outlined = outlined && at[2] != "none";
    if (at[1] != "array") continue;
    for (int i = 0; i < 5; ++i) browser.press("ArrowRight");
    CHECK(browser.evaluate("document.activeElement.getAttribute('aria-valuetext')") ==
          "Bit 4 is 1: set by baidu, also used by tencent.");
    CHECK(text_of(browser, "readout") == "Bit 4 is 1: set by baidu, also used by tencent.");
  }
  CHECK(outlined);
  for (const char* wanted : {"scene", "teach", "insert", "query", "chip hue-0", "away", "m",
                             "k-range", "n", "back", "array"}) {
    INFO(wanted);
    CHECK(std::ranges::find(reached, wanted) != reached.end());
  }
  // Every field and every button has a name.
  CHECK(browser.evaluate("[...document.querySelectorAll('input, select')].every(field => "
                         "field.labels.length > 0 || field.hasAttribute('aria-label'))") == true);
  CHECK(browser.evaluate("[...document.querySelectorAll('button')].every(button => "
                         "(button.textContent + (button.ariaLabel ?? '')).trim() !== '')") == true);
  // Steps, by the buttons and, in the large view, by a presenter's keys.
  browser.evaluate("document.getElementById('back').focus()");
  browser.press("Enter");
  CHECK(text_of(browser, "verdict") == "Certainly absent");
  browser.evaluate("document.getElementById('teach').focus()");
  browser.press("Enter");
  browser.press("PageUp");
  CHECK(text_of(browser, "verdict") == "Maybe: really inserted");
  browser.press("PageUp");
  CHECK(text_of(browser, "headline") == "Insert tencent");
  CHECK(text_of(browser, "story").find("4 by baidu") != std::string::npos);
}

TEST_CASE("the bit array's page fits a phone, a projector and a desk, in the light and in the dark",
          "[browser][explain]") {
  Chromium browser;
  const auto bottom_of = [&](const std::string& id) {
    return browser.evaluate("document.getElementById('" + id + "').getBoundingClientRect().bottom")
        .get<double>();
  };
  for (const bool dark : {false, true}) {
    for (const int width : {320, 390, 768, 1280, 1440}) {
      INFO(width << (dark ? " dark" : " light"));
      browser.show_on({.width = width, .height = 844, .dark = dark});
      for (const char* hash :
           {"#scene=slides", "#scene=bottles", "#m=256&k=8&fill=100&insert=a&query=b",
            "#insert=a_word_that_is_longer_than_any_word_should_be_in_a_lesson"}) {
        INFO(hash);
        open_lesson(browser, std::string(hash) + "&lang=ru");
        keeps_within(browser, width);
      }
      const std::string paper = browser.evaluate("getComputedStyle(document.body).backgroundColor");
      CHECK((paper == "rgb(247, 246, 242)") == !dark);
      // What was typed and what it gives are seen together.
      open_lesson(browser, "#scene=slides&lang=en");
      CHECK(bottom_of("verdict") < 844);
    }
  }
  browser.show_on({.width = 1280, .height = 720});
  for (const char* language : {"en", "zh", "ru"}) {
    INFO(language);
    open_lesson(browser, std::string("#scene=slides&lang=") + language);
    wait_for_rate(browser);
    CHECK(bottom_of("rate") <= 720);
    open_lesson(browser, std::string("#scene=slides&view=teach&lang=") + language);
    CHECK(bottom_of("stage") <= 720);
  }
}
