// A filter that a reader writes into docs/lab/index.html: it is counted as theory says, its faults
// are named, and it reaches nothing.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/browser/chromium.hpp"
#include "tests/browser/lab_page.hpp"

using namespace bloomlab::tests;

namespace {

using Json = nlohmann::json;

/// A filter with these two methods.
std::string filter_with(const std::string& insert, const std::string& contains) {
  return "class MyFilter {\n  insert(key) {" + insert + "}\n  contains(key) {" + contains +
         "}\n}\n";
}

/// Opens the page with somebody's code and a few numbers.
void open_code(Chromium& browser, const std::string& code, const std::string& seconds = "") {
  const std::string packed =
      browser.evaluate("btoa(" + script_text(code) +
                       ").replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')");
  open_lab(browser, "#own=" + packed + "&n=10&queries=100&trials=1" + seconds + "&lang=en");
  wait_until_considered(browser);
}

/// The line that the page says of the code.
std::string fault_of(Chromium& browser, const std::string& code, const std::string& seconds = "") {
  open_code(browser, code, seconds);
  browser.evaluate("document.getElementById('run').click()");
  wait_until_measured(browser);
  return said_by(browser, "fault");
}

Json counts_of_example(Chromium& browser, const std::string& name) {
  open_lab(browser, "#example=" + name + "&lang=en");
  wait_until_measured(browser);
  CHECK(said_by(browser, "fault").empty());
  return browser.evaluate("bloomlab.own().counted");
}

}  // namespace

TEST_CASE("the example of a filter of one's own is as theory says, the same every time",
          "[browser][lab]") {
  Chromium browser;
  const Json counted = counts_of_example(browser, "right");
  CHECK(browser.evaluate("bloomlab.own().answer.judged.verdict") == "as_expected");
  CHECK(browser.evaluate("bloomlab.own().answer.judged.p_value").get<double>() > 1e-6);
  CHECK(said_by(browser, "judged").find("As theory says (p ") == 0);
  CHECK(browser.evaluate("document.querySelectorAll('#table tbody tr').length") == 22);
  CHECK(browser.evaluate("document.querySelectorAll('#frame .dot').length") == 22);
  CHECK(browser.evaluate("document.getElementById('denied').hidden") == true);
  CHECK(counted.at("cells").at(0) ==
        Json({{"n", 1000}, {"reported", {89, 93, 108}}, {"denied", {0, 0, 0}}}));
  CHECK(counted.at("cells").at(7).at("reported") == Json({3615, 3523, 3575}));
  CHECK(counts_of_example(browser, "right") == counted);
  CHECK(browser.complaints().empty());
  CHECK(browser.requests().empty());
}

TEST_CASE("each wrong example of a filter is named by its cause", "[browser][lab]") {
  Chromium browser;
  for (const auto& [example, cause] :
       {std::pair{"neighbours", "the stride 1"},
        std::pair{"bytes", "bytes are taken for bits: an eighth of the bits"},
        std::pair{"short", "hash values of 16 bits"}}) {
    INFO(example);
    counts_of_example(browser, example);
    CHECK(browser.evaluate("bloomlab.own().answer.judged.causes[0].cause") == cause);
    CHECK(said_by(browser, "judged").find("Not as theory says") == 0);
    CHECK(said_by(browser, "judged").find(cause) != std::string::npos);
  }
  counts_of_example(browser, "signed");
  CHECK(said_by(browser, "denied").find("False negatives: contains(\"") == 0);
  CHECK(browser.complaints().empty());
}

TEST_CASE("causes and what to change are said in the page's language", "[browser][lab]") {
  Chromium browser;
  for (const char* example : {"neighbours", "bytes", "short"}) {
    for (const char* language : {"zh", "ru"}) {
      CAPTURE(example, language);
      open_lab(browser, std::string("#example=") + example + "&lang=" + language);
      wait_until_measured(browser);
      const Json judged = browser.evaluate("bloomlab.own().answer.judged");
      REQUIRE_FALSE(judged.at("causes").empty());
      const std::string said = said_by(browser, "judged");
      for (const Json& one : judged.at("causes")) {
        CAPTURE(said, one);
        CHECK(said.find(one.at("cause").get<std::string>()) == std::string::npos);
        const std::string mend = one.at("mend");
        CHECK((mend.empty() || said.find(mend) == std::string::npos));
      }
    }
  }
  CHECK(said_by(browser, "judged").find("хеш-значения по 16 бит") != std::string::npos);
  CHECK(browser.complaints().empty());
}

TEST_CASE("what is wrong with a filter's code is said in one line", "[browser][lab]") {
  Chromium browser;
  const std::string yes = " return true; ";
  for (const auto& [code, line] :
       {std::pair<std::string, std::string>{"class MyFilter {\n  constructor(m k) {}\n}",
                                            "line 2: "},
        {"class MyFilter {\n  insert(key) {", "line 2: "},
        {"class Other {}", "The code: found no class MyFilter; "},
        {"class MyFilter { insert(key) {} }", "class MyFilter: found no method contains(key); "},
        {filter_with("\n    this.x.y = 1;\n  ", yes), "line 3, in insert(\""},
        {filter_with("", " return 1; "), "contains(\"1120af34cc5a0574\"): found 1 (number); "},
        {filter_with("", ""), "contains(\"1120af34cc5a0574\"): found undefined; "},
        {"class MyFilter { insert(key) {} async contains(key) { return true; } }",
         "contains(\"1120af34cc5a0574\"): found [object Promise] (object); "}}) {
    INFO(code);
    const std::string said = fault_of(browser, code);
    INFO(said);
    CHECK(said.find(line) == 0);
    CHECK(said.find('\n') == std::string::npos);
  }
  for (const auto& [numbers, line] :
       {std::pair{"&m=3", "m: found 3; a whole number from 8 to 10"},
        std::pair{"&m=20000000", "m: found 20000000; a whole number from 8 to 10"},
        std::pair{"&n=1000000&trials=20", "The sizes: found 1"}}) {
    open_lab(browser, std::string("#example=right") + numbers + "&lang=en");
    wait_until_considered(browser);
    INFO(numbers);
    CHECK(said_by(browser, "fault").find(line) == 0);
    CHECK(browser.evaluate("document.getElementById('run').disabled") == true);
  }
  CHECK(browser.complaints().empty());
}

TEST_CASE("a filter's loop without an end ends in its limit, or when it is stopped",
          "[browser][lab]") {
  Chromium browser;
  const std::string endless = filter_with(" for (;;); ", " return true; ");
  CHECK(
      fault_of(browser, endless, "&seconds=2")
          .find("insert(key) at n = 10, trial 1: still at work after 2 s, the limit of a run; ") ==
      0);
  CHECK(fault_of(browser, "for (;;);", "&seconds=1").find("still at work after 1 s") !=
        std::string::npos);
  open_code(browser, endless);
  CHECK(browser.evaluate("document.getElementById('progress').hidden") == true);  // not by itself
  browser.evaluate("document.getElementById('run').click()");
  CHECK(browser.evaluate("document.getElementById('cancel').hidden") == false);
  browser.evaluate("document.getElementById('cancel').click()");
  CHECK(browser.evaluate("document.getElementById('run').hidden") == false);
  CHECK(browser.evaluate("document.getElementById('progress').hidden") == true);
}

TEST_CASE("a filter that takes memory without end is stopped in one line, and the page works on",
          "[browser][lab]") {
  Chromium browser;
  const std::string yes = " return true; ";
  const auto ends_with_line = [&](const std::string& code, const std::string& line) {
    INFO(code);
    const std::string said = fault_of(browser, code, "&seconds=3");
    INFO(said);
    CHECK(said.find(line) != std::string::npos);
    CHECK(said.find('\n') == std::string::npos);
  };
  const std::string large = "in insert(\"1120af34cc5a0574\"): found large arrays of ";
  ends_with_line(filter_with(" this.all = new Array(1e9).fill(0); ", yes), large + "7629 MiB");
  ends_with_line(filter_with(" const all = []; for (;;) all.push(new Uint8Array(1e7)); ", yes),
                 large + "67 MiB in one filter; at most 64 MiB are allowed");
  ends_with_line(filter_with(" let all = new Uint8Array(1e7); for (;;) all = all.slice(); ", yes),
                 large);
  ends_with_line("const all = new Float64Array(1e9);\n" + filter_with("", yes), "large arrays of ");
  // What grows little by little has the limit of time; V8 may find a list too long before.
  ends_with_line(filter_with(" const all = []; for (;;) all.push({ key }); ", yes), "insert(");
  counts_of_example(browser, "right");
  CHECK(said_by(browser, "judged").find("As theory says (p ") == 0);
  // Arrays that are small, or of the size that the filter is given, are arrays as ever.
  CHECK(fault_of(browser,
                 "class MyFilter { constructor(m, k) { this.bits = new Array(m).fill(false); } "
                 "insert(key) { const three = Uint32Array.from([1, 2, 3]).slice(); "
                 "if (!(three instanceof Uint32Array) || three.length !== 3 || Array(9).length !== "
                 "9) throw new Error('no'); } contains(key) { return false; } }")
            .empty());
  CHECK(browser.complaints().empty());
}

TEST_CASE("a filter's code reaches no network and nothing of the page", "[browser][lab]") {
  Chromium browser;
  for (const char* reach :
       {"fetch('http://127.0.0.1:9/')", "new XMLHttpRequest()",
        "new WebSocket('ws://127.0.0.1:9/')", "importScripts('http://127.0.0.1:9/')",
        "indexedDB.open('x')", "navigator.userAgent", "postMessage({done: true})",
        "new Worker('blob:x')", "document.title", "eval('1')"}) {
    INFO(reach);
    const std::string said =
        fault_of(browser, filter_with(std::string(" ") + reach + "; ", " return true; "));
    INFO(said);
    CHECK(said.find("line 2, in insert(\"") == 0);
  }
  // What a worker cannot hide, the page's policy refuses.
  CHECK(fault_of(browser, filter_with("", " return true; ") +
                              "import('http://127.0.0.1:9/x.js').catch(() => {});")
            .empty());
  CHECK(
      browser.evaluate(
          "new Promise(done => { const worker = new Worker(URL.createObjectURL(new Blob(["
          "'addEventListener(\"securitypolicyviolation\", e => postMessage(e.effectiveDirective));"
          "fetch(\"http://127.0.0.1:9/\").catch(() => {})']))); "
          "worker.onmessage = ({data}) => done(data); })") == "connect-src");
  CHECK(browser.evaluate("document.title") == "Bloom filters: measure it yourself");
  CHECK(browser.requests().empty());
}

TEST_CASE("a filter of one's own is edited, linked and measured by keyboard on a phone",
          "[browser][lab]") {
  Chromium browser;
  browser.show_on({.width = 390, .height = 844, .dark = true});
  for (const char* language : {"en", "zh", "ru"}) {
    open_lab(browser, std::string("#example=signed&lang=") + language);
    wait_until_measured(browser);
    CHECK(browser.evaluate("document.documentElement.scrollWidth <= innerWidth") == true);
    CHECK(browser.evaluate("document.body.innerText.includes('{{')") == false);
    CHECK(browser.evaluate("document.body.innerText.includes('undefined')") == false);
  }
  open_lab(browser, "#example=right&lang=en");
  wait_until_measured(browser);
  browser.evaluate(
      "(() => { const code = document.getElementById('code'); code.value = '// Mine\\n' + "
      "code.value; "
      "code.focus(); code.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', ctrlKey: "
      "true})); })()");
  wait_until_measured(browser);
  const std::string hash = browser.evaluate("location.hash");
  CHECK(hash.find("#own=") == 0);
  const Json counted = browser.evaluate("bloomlab.own().counted");
  open_lab(browser, hash);
  wait_until_considered(browser);
  CHECK(browser.evaluate("document.getElementById('code').value.startsWith('// Mine')") == true);
  browser.evaluate("document.getElementById('run').click()");
  wait_until_measured(browser);
  CHECK(browser.evaluate("bloomlab.own().counted") == counted);
  CHECK(browser.complaints().empty());
}
