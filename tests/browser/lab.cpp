// docs/lab/index.html measures what `bloomlab run` measures, to the last digit of every count, and
// is a page that works alone, with the keyboard, on a phone and in the dark.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/browser/chromium.hpp"
#include "tests/browser/lab_page.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;

namespace {

using Json = nlohmann::json;

const std::string source_folder = BLOOMLAB_SOURCE_DIR;

/// Configs of many kinds, each measured in a moment: a kind is here once, and the filters of the
/// catalogue, hashing schemes, key sources, steps and shared seeds are among them.
constexpr std::array compared = {"avalanche",
                                 "blocked_layouts",
                                 "counting_deletion",
                                 "counting_overflow",
                                 "crawler",
                                 "double_hashing",
                                 "flow_counts",
                                 "folding",
                                 "fpr_vs_k",
                                 "hostile_keys",
                                 "index_families",
                                 "interval_coverage",
                                 "lab_report",
                                 "loop_detection",
                                 "mutation_matrix",
                                 "packet_broadcast",
                                 "peer_to_peer",
                                 "precision",
                                 "scalable_fair",
                                 "spectral_multiplicity",
                                 "standard_vs_scalable",
                                 "theory_ladder"};

/// The address of a config, as somebody links it.
std::string hash_of_config(Chromium& browser, const std::string& config) {
  return browser.evaluate("'#config=' + btoa(" + script_text(config) +
                          ").replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')");
}

std::string small_question(const std::string& probes) {
  return R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate", "title": "Two sizes",
 "question": "Which is better?", "seed": 18446744073709551615, "trials": 5, "queries": 2000,
 "expected_flags": [], "grid": {"keys": {"source": "uniform"}, "n": 500,
 "filter": {"kind": "standard", "m": [4000, 5000], "k": )" +
         probes +
         R"(}, "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "modulo"}}})";
}

}  // namespace

TEST_CASE("a browser counts as a native run does, to the last digit", "[browser][lab]") {
  const TemporaryFolder folder;
  std::string command = "\"$BLOOMLAB\" run --out " + (folder / "results");
  for (const char* name : compared) {
    command += " " + source_folder + "/configs/smoke/" + name + ".json";
  }
  REQUIRE(shell(command).status == 0);
  const Json native = Json::parse(shell("\"$BLOOMLAB\" canon --json " + (folder / "results")).out);
  Chromium browser;
  open_lab(browser, "#study=lab_report&size=whole&lang=en");
  wait_until_considered(browser);
  browser.evaluate("globalThis.engine = bloomlab.make_engine(), 1");
  for (const std::string name : compared) {
    INFO(name);
    const std::string text = read(source_folder + "/configs/smoke/" + name + ".json");
    const Json answer = browser.evaluate(
        "bloomlab.measure(engine, " + script_text(text) + ", " + script_text(name + ".json") +
        ").then(({digest, fault}) => ({digest: digest ?? '', fault: fault ?? ''}))");
    CHECK(answer.at("fault") == "");
    CHECK(answer.at("digest") == native.at(name + ".json"));
  }
  CHECK(browser.complaints().empty());
  CHECK(browser.requests().empty());
}

TEST_CASE("a browser reproduces the published counts of the lab report", "[browser][lab]") {
  Chromium browser;
  browser.show_on({.width = 390, .height = 844});
  open_lab(browser, "#study=lab_report&lang=en");
  wait_until_measured(browser);
  // On a phone too the axis of m has two numbers at least.
  CHECK(browser.evaluate(
            "document.querySelectorAll('#frame .tick[text-anchor=middle]').length > 1") == true);
  CHECK(said_by(browser, "digest")
            .find("Your browser reproduced the published counts of results/lab_report.json") == 0);
  const Json published =
      Json::parse(shell("\"$BLOOMLAB\" canon --json " + source_folder + "/results").out);
  CHECK(browser.evaluate("bloomlab.published") == published);
  CHECK(browser.evaluate("bloomlab.report().digest") == published.at("lab_report.json"));
  CHECK(said_by(browser, "verdict").find("tests against theory found") != std::string::npos);
  CHECK(browser.evaluate("document.querySelectorAll('#table tbody tr').length") == 33);
  CHECK(browser.evaluate("document.querySelectorAll('#frame .dot').length") == 33);
  CHECK(browser.requests().empty());
}

TEST_CASE("a config in the address is measured, and its saved result read", "[browser][lab]") {
  const TemporaryFolder folder;
  Chromium browser;
  open_lab(browser, hash_of_config(browser, small_question("3")) + "&lang=en");
  wait_until_measured(browser);
  CHECK(said_by(browser, "heading") == "Two sizes");
  const std::string hash = browser.evaluate("location.hash");
  const std::string digest = browser.evaluate("bloomlab.report().digest");
  const std::string saved = browser.evaluate("bloomlab.kept().text");
  std::filesystem::create_directory(folder / "results");
  write(folder / "results/config.json", saved);
  const Said canon = shell("\"$BLOOMLAB\" canon " + (folder / "results"));
  CHECK(canon.out == digest + "  config.json\n");
  const Said report =
      shell("cd " + folder.path().string() + " && \"$BLOOMLAB\" report results --out report 2>&1");
  INFO(report.out);
  CHECK(report.status == 0);
  CHECK(Json::parse(saved).at("provenance").at("machine").at("architecture") == "wasm32");

  // The same address again, and the saved result opened: the same counts.
  open_lab(browser, hash);
  wait_until_measured(browser);
  CHECK(browser.evaluate("bloomlab.report().digest") == digest);
  open_lab(browser, "#study=lab_report&lang=en");
  wait_until_measured(browser);
  browser.evaluate("(() => { const data = new DataTransfer(); data.items.add(new File([" +
                   script_text(saved) +
                   "], 'mine.json')); const input = document.getElementById('file'); "
                   "input.files = data.files; input.dispatchEvent(new Event('change')); })()");
  wait_until(browser, "document.getElementById('heading').innerText === 'Two sizes'");
  CHECK(browser.evaluate("bloomlab.report().digest") == digest);
  CHECK(browser.complaints().empty());
}

TEST_CASE("a faulty config is refused in the engine's own line", "[browser][lab]") {
  const TemporaryFolder folder;
  Chromium browser;
  const std::string config = small_question("\"seven\"");
  open_lab(browser, hash_of_config(browser, config) + "&lang=en");
  wait_until_considered(browser);
  write(folder / "config.json", config);
  const Said check = shell("cd " + folder.path().string() + " && \"$BLOOMLAB\" check config.json");
  const std::string line = said_by(browser, "fault");
  CHECK(check.status == 2);
  CHECK(check.err.find(line) != std::string::npos);
  CHECK(line.find("/grid/filter/k: ") != std::string::npos);
  CHECK(browser.evaluate("document.getElementById('run').disabled") == true);
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string other = small_question("3");
    other.replace(other.find(from), from.size(), to);
    open_lab(browser, hash_of_config(browser, other) + "&lang=en");
    wait_until_considered(browser);
    return said_by(browser, "fault");
  };
  CHECK(refusal("[4000, 5000]", "20000000000").find("a page in a browser has 1.00 GiB") !=
        std::string::npos);
  CHECK(refusal(R"("kind": "standard")", R"("kind": "compressed")").find("zlib") !=
        std::string::npos);
  CHECK(refusal("xxhash3_64", "sha256").find("unknown hash \"sha256\"") != std::string::npos);
  CHECK(refusal(R"({"kind": "standard", "m": [4000, 5000], "k": 3})",
                R"({"kind": "command", "command": ["python3", "mine.py"]})")
            .find("which a browser has not") != std::string::npos);
  CHECK(refusal("\"false_positive_rate\"", "\"throughput\"").find("unknown experiment kind") !=
        std::string::npos);
  CHECK(browser.complaints().empty());
}

TEST_CASE("a long config is scaled, says so, shows trials early and is cancelled",
          "[browser][lab]") {
  Chromium browser;
  browser.show_on({.width = 390, .height = 844, .dark = true});
  open_lab(browser, "#study=textbook_table&lang=en");
  wait_until_considered(browser);
  CHECK(browser.evaluate("bloomlab.considered().scaled.changes.length").get<int>() > 0);
  CHECK(said_by(browser, "scaled").find(" instead of ") != std::string::npos);
  browser.evaluate("document.getElementById('run').click()");
  wait_until(browser, "document.querySelectorAll('#frame .dot').length > 0");
  browser.evaluate("document.querySelector('input[value=whole]').click()");
  browser.evaluate("document.getElementById('run').click()");
  wait_until(browser, "document.querySelector('progress').value > 0");
  browser.evaluate("document.getElementById('cancel').click()");
  CHECK(browser.evaluate("document.getElementById('progress').hidden") == true);
  CHECK(browser.evaluate("document.getElementById('run').hidden") == false);
  CHECK(browser.evaluate("'done' in document.body.dataset") == false);
  CHECK(browser.evaluate("document.documentElement.scrollWidth <= innerWidth") == true);
  CHECK(browser.complaints().empty());
}

TEST_CASE("the page of the laboratory speaks three languages with the same texts",
          "[browser][lab]") {
  Chromium browser;
  for (const auto& [language, title] :
       {std::pair{"en", "Bloom filters: measure it yourself"},
        std::pair{"zh", "布隆过滤器：亲自测量"}, std::pair{"ru", "Фильтры Блума: измерьте сами"}}) {
    open_lab(browser, std::string("#study=lab_report&lang=") + language);
    wait_until_measured(browser);
    CHECK(browser.evaluate("document.title") == title);
    CHECK(browser.evaluate("document.body.innerText.includes('{{')") == false);
    CHECK(browser.evaluate("document.body.innerText.includes('undefined')") == false);
  }
  CHECK(browser.complaints().empty());
}
