// docs/planner/index.html answers as `bloomlab plan` does, keeps its state in the URL, and is a
// page that works alone, with the keyboard, on a phone and in the dark.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/browser/chromium.hpp"
#include "tests/browser/planner_page.hpp"
#include "tests/browser/questions.hpp"

using namespace bloomlab::tests;

namespace {

using Json = nlohmann::json;

/// Without a calibration of the machine that runs the tests.
Said command_line_says(const std::string& options) {
  return shell("XDG_CACHE_HOME=/nonexistent \"$BLOOMLAB\" plan" + options + " --json");
}

/// The command's answer without the times of the reference run, which the page does not show.
Json without_times(Json answer) {
  answer.erase("reference_processor");
  for (Json& filter : answer.at("comparison")) filter.erase("reference");
  return answer;
}

/// The page's answer; whole numbers, which it holds as BigInt, as texts.
Json page_says(Chromium& browser, const std::string& hash) {
  const std::string text =
      browser.evaluate("JSON.stringify(bloomlab.answer_to(" + Json(hash).dump() +
                       "), (name, value) => typeof value === 'bigint' ? String(value) : value)");
  return Json::parse(text);
}

/// Equal at 12 significant digits.
bool same_number(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(a); }

double as_number(const Json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

/// Where the page says something else than the command line; empty where nowhere.
std::string difference(const Json& command, const Json& on_page, const std::string& where) {
  if (command.is_object() && on_page.is_object()) {
    for (const auto& [name, value] : command.items()) {
      if (!on_page.contains(name)) return where + "/" + name + " is missing on the page";
      const std::string deeper = difference(value, on_page.at(name), where + "/" + name);
      if (!deeper.empty()) return deeper;
    }
    return command.size() == on_page.size() ? "" : where + " has more on the page";
  }
  if (command.is_array() && on_page.is_array() && command.size() == on_page.size()) {
    for (std::size_t i = 0; i < command.size(); ++i) {
      const std::string deeper =
          difference(command[i], on_page[i], where + "/" + std::to_string(i));
      if (!deeper.empty()) return deeper;
    }
    return "";
  }
  const bool same = command.is_number() && (on_page.is_number() || on_page.is_string())
                        ? same_number(command.get<double>(), as_number(on_page))
                        : command == on_page;
  return same ? "" : where + ": " + command.dump() + " is " + on_page.dump() + " on the page";
}

/// The command's message in the words of the page.
std::string on_the_page(std::string message) {
  message = message.substr(std::string("bloomlab: ").size());
  message.pop_back();
  for (const auto& [option, word] :
       std::vector<std::pair<std::string, std::string>>{{"plan: ", ""},
                                                        {"--items", "keys n"},
                                                        {"--fpr", "rate p"},
                                                        {"--bits", "bits m"},
                                                        {"--probes", "probes k"},
                                                        {"--memory", "memory"},
                                                        {"--compatible", "compatible mode"}}) {
    for (std::size_t at = 0; (at = message.find(option)) != std::string::npos;) {
      message.replace(at, option.size(), word);
    }
  }
  return message;
}

/// All that is visible keeps within the page's width.
void does_not_scroll_sideways(Chromium& browser) {
  CHECK(browser.evaluate("document.documentElement.scrollWidth <= innerWidth") == true);
}

}  // namespace

TEST_CASE("the planner's page says what bloomlab plan says, at 12 digits, for 200 random questions",
          "[browser][planner]") {
  Chromium browser;
  open_planner(browser, "");
  int answered = 0;
  for (const Question& question : random_questions(200)) {
    const Said said = command_line_says(question.options());
    const Json shown = page_says(browser, question.hash());
    INFO(question.options());
    if (said.status == 2) {
      REQUIRE(shown.contains("faults"));
      CHECK(shown.at("faults").at(0).at("message") == on_the_page(said.err));
      continue;
    }
    REQUIRE(said.status == 0);
    CHECK(difference(without_times(Json::parse(said.out)), shown, "") == "");
    ++answered;
  }
  CHECK(answered >= 160);
  CHECK(browser.complaints().empty());
}

TEST_CASE("the planner's page asks for nothing and complains of nothing", "[browser][planner]") {
  Chromium browser;
  open_planner(browser, "#items=4000&fpr=1e-7&mode=compatible");
  CHECK(browser.requests().empty());
  CHECK(browser.complaints().empty());
  CHECK(browser.evaluate("document.getElementById('figures').innerText.includes('134\u202f191')") ==
        true);
  const std::string warning = browser.evaluate("document.getElementById('warnings').innerText");
  CHECK(warning.find("misses the requested rate") != std::string::npos);
  CHECK(warning.find("134\u202f202 bits and k = 23 keep it") != std::string::npos);
  // Its own policy would stop it: nothing can be fetched from this page.
  CHECK(browser.evaluate("fetch('https://example.org').then(() => 'fetched', () => 'refused')") ==
        "refused");
}

TEST_CASE("the planner's page keeps its fields in the URL and restores them",
          "[browser][planner]") {
  Chromium browser;
  open_planner(browser, "#memory=64MiB&probes=5&items=50M&mode=compatible");
  const std::string fields =
      "['items', 'fpr', 'bits', 'memory', 'probes'].map(id => document.getElementById(id).value)";
  CHECK(browser.evaluate(fields + "[3]") == "64MiB");
  CHECK(browser.evaluate("document.querySelector('input[name=mode]:checked').value") ==
        "compatible");
  browser.evaluate("document.getElementById('items').select()");
  browser.evaluate("document.getElementById('items').focus()");
  type(browser, "20M");
  CHECK(browser.evaluate("location.hash") == "#items=20M&memory=64MiB&probes=5&mode=compatible");
  browser.evaluate("document.getElementById('fpr').select()");
  browser.evaluate("document.getElementById('fpr').focus()");
  type(browser, "1 in 1k");
  // n, p and the size are one too many: the size was touched longest ago and is solved for now.
  const std::string hash = browser.evaluate("location.hash");
  CHECK(hash == "#items=20M&fpr=1+in+1k&probes=5&mode=compatible");
  const Json shown = browser.evaluate(fields);
  const Json answer = page_says(browser, hash);
  open_planner(browser, hash);
  CHECK(browser.evaluate(fields) == shown);
  CHECK(page_says(browser, hash) == answer);
  CHECK(browser.evaluate("document.getElementById('command').textContent") ==
        "bloomlab plan --items 20M --fpr '1 in 1k' --probes 5 --compatible");
}

TEST_CASE(
    "the planner's page reads numbers as it prints them, as others print them and as people do",
    "[browser][planner]") {
  Chromium browser;
  open_planner(browser, "#items=10M&fpr=1%25");
  const std::string printed =
      browser.evaluate("document.getElementById('items-note').textContent.replace(' keys', '')");
  CHECK(printed == "10\u202f000\u202f000");
  const Json plain = page_says(browser, "#items=10000000&fpr=1%25");
  for (const std::string& items : {printed, std::string("10 000 000"), std::string("10,000,000"),
                                   std::string("10m"), std::string("10M")}) {
    INFO(items);
    const std::string code = browser.evaluate("encodeURIComponent(" + Json(items).dump() + ")");
    CHECK(page_says(browser, "#items=" + code + "&fpr=1%25") == plain);
    const Said said = command_line_says(" --items '" + items + "' --fpr 1%");
    REQUIRE(said.status == 0);
    CHECK(Json::parse(said.out).at("n") == 10'000'000);
  }
}

TEST_CASE("what the planner's page prints can be typed into it", "[browser][planner]") {
  Chromium browser;
  for (const auto& [hash, field, printed] : std::vector<std::array<std::string, 3>>{
           {"#items=10M&fpr=0.01%25", "items", "by_id('items-note').textContent"},
           {"#items=10M&fpr=0.01%25", "fpr", "by_id('fpr-note').textContent"},
           {"#bits=1234567&fpr=1%25", "items", "by_id('items-note').textContent"},
           {"#items=10M&memory=64MiB", "fpr", "by_id('fpr').value"},
           {"#items=10M&memory=64MiB", "fpr",
            "[...document.querySelectorAll('#figures .note')].find(note => "
            "note.textContent.includes('×10')).textContent.split(',')[0]"},
           {"#items=10M&fpr=0.01%25", "bits", "by_id('bits-note').textContent.split(',')[0]"},
           {"#items=10M&fpr=0.01%25", "memory", "by_id('memory').value"},
           {"#items=10M&fpr=0.01%25", "probes", "by_id('probes').value"}}) {
    open_planner(browser, hash);
    wait_for_all(browser);
    const std::string text = browser.evaluate(
        "(() => { const by_id = id => document.getElementById(id); return " + printed + "; })()");
    INFO(field << ": " << text);
    CHECK(!text.empty());
    browser.evaluate("document.getElementById('" + field + "').focus()");
    browser.evaluate("(field => { field.value = " + Json(text).dump() +
                     "; field.dispatchEvent(new Event('input')); })(document.getElementById('" +
                     field + "'))");
    CHECK(browser.evaluate("document.getElementById('" + field +
                           "').getAttribute('aria-invalid')") == "false");
    CHECK(browser.evaluate("document.getElementById('faults').hidden") == true);
  }
}

TEST_CASE("the planner's page understands the links of other calculators", "[browser][planner]") {
  Chromium browser;
  for (const auto& [link, hash] : std::vector<std::array<std::string, 2>>{
           {"?n=4000&p=1.0E-7&m=&k=", "#items=4000&fpr=1.0E-7&mode=compatible"},
           {"?n=4000&p=10000000&m=&k=", "#items=4000&fpr=1+in+10000000&mode=compatible"},
           {"?n=4000&p=1%20in%2010000000", "#items=4000&fpr=1+in+10000000&mode=compatible"},
           {"?n=1,000,000&p=&m=128MiB&k=", "#items=1%2C000%2C000&memory=128MiB&mode=compatible"},
           {"?n=&p=0.01&m=1%20GB&k=5", "#fpr=0.01&memory=1+GB&probes=5&mode=compatible"},
           {"?n=1e+6&p=&m=8e6&k=", "#items=1e%2B6&bits=8e6&mode=compatible"},
           {"?n=1e6&m=9585059&k=7", "#items=1e6&bits=9585059&probes=7&mode=compatible"},
           {"?n=1M&p=1%25&mode=guaranteed", "#items=1M&fpr=1%25"},
           {"?n=1M&p=1%25#items=2M&fpr=1%25", "#items=2M&fpr=1%25"},
           {"#n=4000&p=1e-7", "#items=4000&fpr=1e-7&mode=compatible"}}) {
    INFO(link);
    open_planner(browser, link);
    CHECK(browser.evaluate("bloomlab.hash()") == hash);
    CHECK(browser.evaluate("document.querySelectorAll('.fault:not(:empty)').length") == 0);
    CHECK(browser.evaluate("document.getElementById('faults').hidden") == true);
    CHECK(browser.complaints().empty());
  }
  open_planner(browser, "?n=4000&p=1.0E-7&m=&k=");
  CHECK(browser.evaluate("document.getElementById('bits').value") == "134191");
  CHECK(browser.evaluate("document.getElementById('probes').value") == "23");
  // From here on the address is the page's own.
  CHECK(browser.evaluate("location.search + location.hash") ==
        "#items=4000&fpr=1.0E-7&mode=compatible");
}

TEST_CASE("the planner's page begins with what a Bloom filter is, and names the elasticity",
          "[browser][planner]") {
  Chromium browser;
  open_planner(browser, "#items=10M&fpr=0.01%25");
  wait_for_all(browser);
  CHECK(browser.evaluate(
            "document.querySelector('.masthead math').textContent.replace(/\\s/g, '')") ==
        "p≈(1−e−kn/m)k");
  const Json exponents = browser.evaluate(
      "(math => [...math.querySelectorAll('msup')].map(power => power.lastElementChild."
      "getBoundingClientRect().top < power.firstElementChild.getBoundingClientRect().bottom))"
      "(document.querySelector('.masthead math'))");
  CHECK(exponents == Json({true, true}));
  const Json answer = page_says(browser, "#items=10M&fpr=0.01%25");
  const double elasticity = answer.at("sensitivity").at("elasticity");
  const std::string said = browser.evaluate("document.getElementById('elasticity').innerText");
  CHECK(said.starts_with("Elasticity of the rate: "));
  CHECK(std::abs(std::stod(said.substr(24)) - elasticity) < 0.005 * elasticity);
}

TEST_CASE("a phone shows the result while somebody types", "[browser][planner]") {
  Chromium browser;
  // A phone's keyboard leaves half the screen.
  browser.show_on({.width = 390, .height = 420});
  for (const char* field : {"items", "fpr", "bits", "memory", "probes"}) {
    INFO(field);
    open_planner(browser, "#items=10M&fpr=0.01%25");
    wait_for_all(browser);
    browser.evaluate("document.getElementById('" + std::string(field) + "').focus()");
    browser.evaluate("document.activeElement.scrollIntoView({block: 'nearest'})");
    const Json seen = browser.evaluate(
        "(() => { const line = document.getElementById('result').getBoundingClientRect(); "
        "const field = document.activeElement.getBoundingClientRect(); "
        "return [line.top >= 0 && line.height > 0, line.bottom <= field.top, "
        "field.bottom <= innerHeight]; })()");
    CHECK(seen == Json({true, true, true}));
  }
  browser.evaluate("document.getElementById('items').focus()");
  browser.evaluate("document.getElementById('items').select()");
  type(browser, "20M");
  browser.evaluate(
      "new Promise(done => { const look = () => "
      "document.getElementById('result').innerText.includes('n = 20\u202f000\u202f000') ? done(1) "
      ": "
      "setTimeout(look, 20); look(); })");
  // The filter that is recommended, as the command line names it.
  const Json taken =
      Json::parse(command_line_says(" --items 20M --fpr 0.01%").out).at("recommendation");
  const std::string line = browser.evaluate("document.getElementById('result').innerText");
  CHECK(line.find(taken.at("filter").get<std::string>()) != std::string::npos);
  CHECK(line.find("k = " + taken.at("parameters").at("k").dump()) != std::string::npos);
  type(browser, "x");
  CHECK(browser.evaluate("document.getElementById('result').innerText === "
                         "document.getElementById('items-fault').textContent") == true);
}

TEST_CASE("a third quantity on the planner's page never drops the number of keys",
          "[browser][planner]") {
  Chromium browser;
  open_planner(browser, "#items=10M&fpr=1%25");
  for (const auto& [field, text, hash] :
       std::vector<std::array<std::string, 3>>{{"memory", "64MiB", "#items=10M&memory=64MiB"},
                                               {"fpr", "1%", "#items=10M&fpr=1%25"},
                                               {"bits", "9M", "#items=10M&bits=9M"}}) {
    INFO(field);
    browser.evaluate("document.getElementById('" + field + "').select()");
    browser.evaluate("document.getElementById('" + field + "').focus()");
    type(browser, text);
    CHECK(browser.evaluate("location.hash") == hash);
  }
}

TEST_CASE("the planner's page speaks of one recommended filter", "[browser][planner]") {
  Chromium browser;
  open_planner(browser, "#items=10M&fpr=0.01%25");
  wait_for_all(browser);
  const auto text_of = [&](const std::string& id) {
    return browser.evaluate("document.getElementById('" + id + "').innerText").get<std::string>();
  };
  CHECK(text_of("headline") ==
        "Recommended: blocked for 10\u202f000\u202f000 keys at a rate of at most 1 in 10\u202f000");
  CHECK(text_of("recommendation").starts_with("Take blocked: "));
  const Json taken = page_says(browser, "#items=10M&fpr=0.01%25").at("recommendation");
  CHECK(taken.at("filter") == "blocked");
  const std::string size =
      browser.evaluate("(" + taken.at("parameters").at("m").get<std::string>() +
                       ").toLocaleString('en').replaceAll(',', '\u202f')");
  CHECK(text_of("figures").find(size) != std::string::npos);
  for (const char* hash :
       {"#items=10M&fpr=0.01%25&mode=compatible", "#items=10M&fpr=0.01%25&probes=9"}) {
    INFO(hash);
    open_planner(browser, hash);
    wait_for_all(browser);
    CHECK(text_of("headline").starts_with("A standard Bloom filter for 10\u202f000\u202f000 keys"));
    CHECK(text_of("recommendation").starts_with("Take standard with this m and k: "));
  }
  CHECK(text_of("consequences").find("1 % more keys") == std::string::npos);
  CHECK(browser.complaints().empty());
}

TEST_CASE("the planner's page answers nonsense as the command line does", "[browser][planner]") {
  Chromium browser;
  open_planner(browser, "");
  const std::vector<Question> nonsense = {
      {.fields = {{"items", "-3"}, {"fpr", "1%"}}},
      {.fields = {{"items", "0"}, {"fpr", "1%"}}},
      {.fields = {{"items", "10M"}, {"fpr", "0"}}},
      {.fields = {{"items", "10M"}, {"fpr", "1"}}},
      {.fields = {{"items", "10M"}, {"memory", "64"}}},
      {.fields = {{"items", "10M"}, {"memory", "64 M"}}},
      {.fields = {{"items", "10M"}, {"bits", "64 M"}}},
      {.fields = {{"items", "10M"}, {"bits", "1e20"}}},
      {.fields = {{"items", "9e18"}, {"bits", "9e18"}}},
      {.fields = {{"items", "10M"}, {"probes", "3"}}},
      {.fields = {{"items", "1"}, {"fpr", "1%"}, {"bits", "1"}}},
      {.fields = {{"fpr", "1e-9"}, {"bits", "2"}}}};
  for (const Question& question : nonsense) {
    INFO(question.options());
    const Said said = command_line_says(question.options());
    REQUIRE(said.status == 2);
    browser.evaluate("location.hash = " + Json(question.hash()).dump());
    browser.evaluate("new Promise(done => setTimeout(done, 50))");
    const std::string told = browser.evaluate(
        "[...document.querySelectorAll('.fault, #faults:not([hidden])')].map(node => "
        "node.textContent).join('')");
    CHECK(told == on_the_page(said.err));
  }
  CHECK(browser.evaluate("document.getElementById('fpr').getAttribute('aria-invalid')") == "false");
  browser.evaluate("location.hash = '#items=10M&fpr=2'");
  browser.evaluate("new Promise(done => setTimeout(done, 50))");
  CHECK(browser.evaluate("document.getElementById('fpr').getAttribute('aria-invalid')") == "true");
  CHECK(browser.complaints().empty());
}

TEST_CASE("the planner's page fits a phone and a desk, in the light and in the dark",
          "[browser][planner]") {
  Chromium browser;
  for (const bool dark : {false, true}) {
    for (const int width : {320, 390, 768, 1440}) {
      INFO(width << (dark ? " dark" : " light"));
      browser.show_on({.width = width, .height = 900, .dark = dark});
      for (const char* hash : {"#items=10M&fpr=0.01%25", "#items=1e18&fpr=1e-300",
                               "#items=4000&fpr=1e-7&mode=compatible", "#items=10M&memory=64"}) {
        open_planner(browser, hash);
        if (std::string(hash).ends_with("0.01%25")) wait_for_all(browser);
        does_not_scroll_sideways(browser);
      }
      const std::string paper = browser.evaluate("getComputedStyle(document.body).backgroundColor");
      CHECK((paper == "rgb(247, 246, 242)") == !dark);
    }
  }
}

TEST_CASE("the planner's page is worked with the keyboard alone", "[browser][planner]") {
  Chromium browser;
  open_planner(browser, "#items=10M&fpr=1%25");
  wait_for_all(browser);
  std::vector<std::string> reached;
  bool outlined = true;
  while (true) {
    browser.press("Tab");
    const Json at = browser.evaluate(
        "(at => [at.tagName, at.id || at.getAttribute('role') || at.className, "
        "getComputedStyle(at).outlineStyle])(document.activeElement)");
    if (at[0] == "BODY" || reached.size() == 100) break;
    reached.push_back(at[1]);
    outlined = outlined && at[2] != "none";
    if (at[1] != "slider") continue;
    browser.press("ArrowRight");
    const std::string read = browser.evaluate(
        "new Promise(done => { const until = Date.now() + 10000; const look = () => { "
        "const text = document.activeElement.innerText; "
        "text.includes(': rate ') || Date.now() > until ? done(text) : setTimeout(look, 20); }; "
        "look(); })");
    CHECK(read.find(": rate ") != std::string::npos);
    // A figure that is drawn anew keeps its reader.
    browser.evaluate(
        "innerWidth += 1; dispatchEvent(new Event('resize'));"
        "new Promise(done => setTimeout(done, 50))");
    CHECK(browser.evaluate("document.activeElement.getAttribute('role')") == "slider");
  }
  CHECK(outlined);
  for (const char* wanted : {"theme", "items", "fpr", "bits", "memory", "probes", "slider",
                             "pareto-only", "order", "table"}) {
    INFO(wanted);
    CHECK(std::ranges::find(reached, wanted) != reached.end());
  }
  // Every field has a name, and what changes is said.
  CHECK(browser.evaluate("[...document.querySelectorAll('input, select')].every(field => "
                         "field.labels.length > 0)") == true);
  browser.evaluate("new Promise(done => setTimeout(done, 1000))");
  const std::string spoken = browser.evaluate("document.getElementById('status').textContent");
  CHECK(spoken.find("rate 1 in 100") != std::string::npos);
}
