// Pages of a user's own, as docs/pages.md shows them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;

namespace {

/// The text between the first line `fence` of docs/pages.md and the line that closes it.
std::string example(const std::string& fence, const std::string& close) {
  const std::string text = read(BLOOMLAB_SOURCE_DIR "/docs/pages.md");
  const std::size_t begin = text.find("\n" + fence + "\n") + fence.size() + 2;
  return text.substr(begin, text.find("\n" + close + "\n", begin) + 1 - begin);
}

void write_example(const TemporaryFolder& folder) {
  write(folder / "mine.json", example("```json", "```"));
  write(folder / "mine.page.md", example("````markdown", "````"));
}

std::string run_command(const TemporaryFolder& folder) {
  return "run " + (folder / "mine.json") + " --out " + (folder / "results");
}

}  // namespace

TEST_CASE("the page of the tutorial is run and reported as it stands there", "[cli][pages]") {
  const TemporaryFolder folder;
  write_example(folder);
  REQUIRE(bloomlab_says(run_command(folder)).status == 0);
  const Said said = bloomlab_says("report " + (folder / "results") + " --csv " + (folder / "csv"));
  CHECK(said.err == "");
  REQUIRE(said.status == 0);
  const std::string report = read(folder / "results/REPORT.md");
  CHECK_THAT(report, Catch::Contains("With twice the memory the false-positive rate is 0."));
  CHECK_THAT(report, Catch::Contains("The filter with 8000 bits gives a false positive in"));
  CHECK_THAT(report, Catch::Contains("| size [bits] | measured FPR | expected FPR |"));
  CHECK_THAT(report, Catch::Contains("(figures/mine_sizes.svg)"));
  CHECK_THAT(report, !Catch::Contains("{{"));
  CHECK_THAT(report, Catch::Contains("Theory expects $\\left(1-e^{-kn/m}\\right)^k$, about."));
  CHECK_THAT(read(folder / "results/REPORT.html"),
             Catch::Contains("Theory expects <math alttext=\"\\left(1-e^{-kn/m}\\right)^k\">"));
  // Every table is a file beside the pages, and the link leads there.
  CHECK_THAT(report, Catch::Contains("Tables as CSV files: ") &&
                         Catch::Contains("[sizes](pages/mine.sizes.csv)"));
  CHECK_THAT(read(folder / "results/REPORT.html"),
             Catch::Contains("<a href=\"pages/mine.sizes.csv\">sizes</a>"));
  CHECK(read(folder / "results/pages/mine.sizes.csv") == read(folder / "csv/mine.sizes.csv"));
  CHECK_FALSE(std::filesystem::exists(folder / "results/pages/mine.csv"));
  CHECK_THAT(read(folder / "csv/mine.sizes.csv"),
             Catch::StartsWith("size [bits],measured FPR,measured FPR_low,measured FPR_high,"));
}

TEST_CASE("an edited page comes into the result without measuring again", "[cli][pages]") {
  const TemporaryFolder folder;
  write_example(folder);
  REQUIRE(bloomlab_says(run_command(folder)).status == 0);
  const std::string digests = bloomlab_says("canon " + (folder / "results")).out;
  write(folder / "mine.page.md", "Another answer.\n---\nAnother page.\n");
  const Said again = bloomlab_says(run_command(folder));
  CHECK(again.status == 0);
  CHECK_THAT(again.out, Catch::Contains("up to date") &&
                            Catch::Contains("mine.json: has the page as it is now"));
  CHECK(bloomlab_says("canon " + (folder / "results")).out == digests);
  REQUIRE(bloomlab_says("report " + (folder / "results")).status == 0);
  CHECK_THAT(read(folder / "results/REPORT.md"), Catch::Contains("Another answer.") &&
                                                     Catch::Contains("Another page.") &&
                                                     Catch::Contains("(figures/mine.svg)"));
}

TEST_CASE("the page about k says by the closed form why several hash functions are taken",
          "[cli][pages]") {
  const TemporaryFolder folder;
  REQUIRE(bloomlab_says("run " BLOOMLAB_SOURCE_DIR "/configs/smoke/fpr_vs_k.json --out " +
                        (folder / "out"))
              .status == 0);
  for (const std::string language : {"en", "zh", "ru"}) {
    const Said said = bloomlab_says("report " + (folder / "out") + " --lang " + language);
    INFO(language << ": " << said.err);
    REQUIRE(said.status == 0);
    CHECK(said.err == "");
    const std::string end = language == "en" ? ".md" : "." + language + ".md";
    const std::string report = read(folder / ("out/REPORT" + end));
    const std::size_t figure = report.find("why_several.svg");
    REQUIRE(figure != std::string::npos);
    const std::size_t most = report.rfind("k = 30", figure);
    REQUIRE(most != std::string::npos);
    const std::size_t line = report.rfind('\n', most) + 1;
    const std::string prose = report.substr(line, report.find('\n', most) - line);
    // (1 - e^(-k/x))^k at x = 10, 5 and 20 bits per key.
    for (const char* number :
         {"9.5 %", "k = 7", "0.82 %", "95 %", "22 %", "k = 3", "9.2 %", "k = 14", "0.0067 %"}) {
      CHECK_THAT(prose, Catch::Contains(number));
    }
  }
}

TEST_CASE("a fault of a page is one line, and the section is written without it",
          "[cli][pages][errors]") {
  const TemporaryFolder folder;
  write_example(folder);
  write(folder / "mine.page.md", "Answer.\n---\n```sql values\nselect none_such from cells\n```\n");
  REQUIRE(bloomlab_says(run_command(folder)).status == 0);
  const Said said = bloomlab_says("report " + (folder / "results"));
  CHECK(said.status == 1);
  CHECK_THAT(said.err, Catch::Contains("mine.json: its page is left out: mine.page.md: line 4: no "
                                       "such column: none_such"));
  CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
  CHECK_THAT(read(folder / "results/REPORT.md"), Catch::Contains("(figures/mine.svg)"));
}

TEST_CASE("a formula that is none is one line, with the page and its line",
          "[cli][pages][errors][formula]") {
  const TemporaryFolder folder;
  write_example(folder);
  write(folder / "mine.page.md",
        "Answer.\n---\n```sql values\nselect 1 as a\n```\n{{a}} $\\frac{1$\n");
  REQUIRE(bloomlab_says(run_command(folder)).status == 0);
  const Said said = bloomlab_says("report " + (folder / "results"));
  CHECK(said.status == 1);
  CHECK_THAT(said.err, Catch::Contains("mine.page.md: line 6: formula \"\\frac{1\": "));
  CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
}

TEST_CASE("a report without the converter shows formulas as TeX, and says so",
          "[cli][pages][formula]") {
  const TemporaryFolder folder;
  write_example(folder);
  REQUIRE(bloomlab_says(run_command(folder)).status == 0);
  // Every program but one.
  const Said said =
      shell("mkdir " + (folder / "bin") + " && for f in $(command -v gnuplot); do ln -s $f " +
            (folder / "bin") + "/; done; program=$BLOOMLAB; PATH=" + (folder / "bin") +
            " $program report " + (folder / "results"));
  CHECK(said.status == 0);
  CHECK(
      said.err ==
      "bloomlab: formulas in REPORT.html stand as TeX, since \"blahtexml\" is not in PATH; install "
      "the package blahtexml\n");
  CHECK_THAT(read(folder / "results/REPORT.html"),
             Catch::Contains("Theory expects <code>\\left(1-e^{-kn/m}\\right)^k</code>"));
}

TEST_CASE("a report without gnuplot has everything but figures, and says so in one line",
          "[cli][pages]") {
  const TemporaryFolder folder;
  write(folder / "small.json", small_config());
  REQUIRE(
      bloomlab_says("run " + (folder / "small.json") + " --out " + (folder / "results")).status ==
      0);
  REQUIRE(bloomlab_says("report " + (folder / "results")).status == 0);
  const std::string figures = folder / "results/figures";
  REQUIRE_FALSE(std::filesystem::is_empty(figures));
  const Said said =
      shell("mkdir " + (folder / "bin") + " && for f in $(command -v blahtexml); do ln -s $f " +
            (folder / "bin") + "/; done; program=$BLOOMLAB; PATH=" + (folder / "bin") +
            " $program report " + (folder / "results"));
  CHECK(said.status == 1);
  CHECK_THAT(said.out, Catch::Contains("with 0 figures in "));
  CHECK_THAT(said.err,
             Catch::StartsWith("bloomlab: no figure of ") &&
                 Catch::EndsWith(" is drawn, since \"gnuplot\" is not in PATH; install the package "
                                 "gnuplot-nox and report again\n"));
  CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
  const std::string page = read(folder / "results/REPORT.html");
  CHECK_THAT(page, Catch::Contains("<table>") && Catch::Contains("no figure of ") &&
                       !Catch::Contains(".svg\">"));
  CHECK(std::filesystem::is_empty(figures));
}

TEST_CASE("a page that is not there is refused before anything is measured",
          "[cli][pages][errors]") {
  const TemporaryFolder folder;
  write_example(folder);
  std::filesystem::remove(folder / "mine.page.md");
  const Said said = bloomlab_says(run_command(folder));
  CHECK(said.status == 2);
  CHECK_THAT(said.err, Catch::EndsWith(".json: /page: " + (folder / "mine.page.md") +
                                       ": no such file; check the path\n"));
  std::string config = example("```json", "```");
  config.replace(config.find("mine.page.md"), 12, "/page.md");
  write(folder / "mine.json", config);
  CHECK_THAT(
      bloomlab_says(run_command(folder)).err,
      Catch::Contains("mine.json: /page: found \"/page.md\"; expected a file that ends in .md, "
                      "seen from the folder of the config"));
}

namespace {

/// Runs a config with a page of its own and returns its report.
std::string reported(const TemporaryFolder& folder, const std::string& rest,
                     const std::string& page) {
  write(folder / "mine.json",
        R"({"$schema": "bloomlab-config-1", "title": "t", "question": "q?", "seed": 1,
            "expected_flags": [], "page": "mine.page.md", )" +
            rest + "}");
  write(folder / "mine.page.md", page);
  REQUIRE(bloomlab_says(run_command(folder)).status == 0);
  const Said said = bloomlab_says("report " + (folder / "results"));
  CHECK(said.err == "");
  return read(folder / "results/REPORT.md");
}

}  // namespace

TEST_CASE("a user's page reads the table that a kind derives", "[cli][pages][derived]") {
  const TemporaryFolder folder;
  SECTION("mutants: the tests of seeded defects") {
    const std::string report =
        reported(folder, R"("kind": "mutation_matrix", "trials": 1,
        "max_queries": 20000, "shared_across": ["/defect"],
        "grid": {"defect": ["none_standard", "insert_probe_missing"], "n": 200})",
                 R"(Caught: {{caught}}; caught in a filter without a defect: {{alarms}}.
---
```sql values
select group_concat(distinct defect) filter (where caught) as caught,
       count(*) filter (where caught and is_control) as alarms from mutants
```
)");
    CHECK_THAT(report, Catch::Contains("Caught: insert_probe_missing; caught in a filter without a "
                                       "defect: 0."));
  }
  SECTION("speeds: time per key of an implementation beside the limit") {
    const std::string report = reported(folder, R"("kind": "throughput", "trials": 1,
        "queries": 4096, "repetitions": 1, "warm_up": 0, "absent_keys": 65536,
        "grid": {"implementation": ["limit", "standard"], "n": 1000, "bits_per_key": 10})",
                                        R"(Of {{all}} implementations {{timed}} were timed.
---
```sql values
select count(*) as "all", count(*) filter (where negative_ns > 0 and insert_ns > 0) as timed
from speeds
```
)");
    CHECK_THAT(report, Catch::Contains("Of 2 implementations 2 were timed."));
  }
  SECTION("rungs: closed forms, the simplest first") {
    const std::string report = reported(folder, R"("kind": "false_positive_rate", "trials": 2,
        "queries": 1000, "shared_across": [],
        "grid": {"keys": {"source": "uniform"}, "n": 100,
                 "filter": {"kind": "standard", "m": 1000, "k": 7},
                 "hash": {"name": "xxhash3_64"}})",
                                        R"(The simplest form is {{simplest}}.
---
```sql values
select form as simplest from rungs limit 1
```
)");
    CHECK_THAT(report, Catch::Contains("The simplest form is approx."));
  }
}

TEST_CASE("a table that another kind derives is refused in one line",
          "[cli][pages][derived][errors]") {
  const TemporaryFolder folder;
  write_example(folder);
  write(folder / "mine.page.md",
        "Answer.\n---\n```sql values\nselect count(*) as tests from mutants\n```\n");
  REQUIRE(bloomlab_says(run_command(folder)).status == 0);
  const Said said = bloomlab_says("report " + (folder / "results"));
  CHECK(said.status == 1);
  CHECK_THAT(said.err, Catch::Contains("mine.page.md: line 4: no such table: mutants"));
}
