#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>

#include "tests/catch_runner.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;
namespace fs = std::filesystem;

TEST_CASE("a student's own config gets a report with figure, table and CSV", "[cli][report]") {
  const TemporaryFolder folder;
  write(folder / "mine.json", small_config("{\"range\": [1, 12]}"));
  REQUIRE(bloomlab_says("run " + (folder / "mine.json") + " --out " + (folder / "out")).status ==
          0);
  const Said said = bloomlab_says("report " + (folder / "out") + " --csv " + (folder / "csv"));
  INFO(said.err);
  REQUIRE(said.status == 0);
  const std::string report = read(folder / "out/REPORT.md");
  CHECK(report.find("Does the command line work?") != std::string::npos);
  CHECK(report.find("mine.json") != std::string::npos);
  bool figure = false;
  for (const auto& entry : fs::directory_iterator(folder / "out/figures")) {
    figure = figure || entry.path().extension() == ".svg";
    CHECK(report.find("figures/" + entry.path().filename().string()) != std::string::npos);
  }
  CHECK(figure);
  bool counts = false;
  for (const auto& entry : fs::directory_iterator(folder / "csv")) {
    counts = counts || read(entry.path()).find("false_positives") != std::string::npos;
  }
  CHECK(counts);
}

TEST_CASE("the same results give the same report, byte for byte", "[cli][report]") {
  const TemporaryFolder folder;
  write(folder / "mine.json", small_config());
  REQUIRE(bloomlab_says("run " + (folder / "mine.json") + " --out " + (folder / "out")).status ==
          0);
  for (const char* out : {"first", "second"}) {
    REQUIRE(bloomlab_says("report " + (folder / "out") + " --out " + (folder / out)).status == 0);
  }
  CHECK(shell("diff -r " + (folder / "first") + " " + (folder / "second")).status == 0);
}

TEST_CASE("report refuses a folder without results, an unreadable one, a broken file",
          "[cli][report]") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "empty");
  fs::create_directories(folder / "broken");
  write(folder / "broken/a.json", "{\"format\": \"bloomlab-result-2\", ");
  for (const std::string& name : {folder / "empty", folder / "broken", folder / "absent"}) {
    const Said said = bloomlab_says("report " + name);
    INFO(said.err);
    CHECK(said.status == 2);
    CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
    CHECK_FALSE(fs::exists(name + "/REPORT.md"));
  }
}

TEST_CASE("report --sqlite writes a new file or over a database, and over nothing else",
          "[cli][report]") {
  const TemporaryFolder folder;
  write(folder / "mine.json", small_config());
  REQUIRE(bloomlab_says("run " + (folder / "mine.json") + " --out " + (folder / "out")).status ==
          0);
  const std::string in_folder = "cd " + (folder / ".") + " && $BLOOMLAB report out --sqlite ";
  for (int repetition = 0; repetition < 2; ++repetition) {  // a bare name, first new, then there
    CHECK(shell(in_folder + "study.db").status == 0);
    CHECK(read(folder / "study.db").starts_with("SQLite format 3"));
  }
  CHECK(shell(in_folder + "new/study.db").status == 0);
  fs::create_symlink("study.db", folder / "link.db");
  CHECK(shell(in_folder + "link.db").status == 0);
  CHECK(fs::is_symlink(folder / "link.db"));
  fs::remove(folder / "out/REPORT.md");
  const std::string result = read(folder / "out/mine.json");
  REQUIRE(shell("mkfifo " + (folder / "pipe.db")).status == 0);
  for (const std::string name : {"out/mine.json", "pipe.db", "out"}) {
    INFO(name);
    const Said said = shell(in_folder + "'" + name + "'");
    CHECK(said.status == 2);
    CHECK(said.err == "bloomlab: \"" + name +
                          "\": is no SQLite database, and only one is replaced; name a new file, "
                          "or one that a report wrote\n");
    CHECK_FALSE(fs::exists(folder / "out/REPORT.md"));
  }
  CHECK(read(folder / "out/mine.json") == result);
  CHECK(fs::is_fifo(folder / "pipe.db"));
  CHECK_FALSE(fs::exists(folder / "out.unfinished"));
}

TEST_CASE("a report in another language stands beside the English one", "[cli][report]") {
  const TemporaryFolder folder;
  write(folder / "mine.json", small_config());
  REQUIRE(bloomlab_says("run " + (folder / "mine.json") + " --out " + (folder / "out")).status ==
          0);
  REQUIRE(bloomlab_says("report " + (folder / "out")).status == 0);
  const Said said = bloomlab_says("report " + (folder / "out") + " --lang ru");
  INFO(said.err);
  REQUIRE(said.status == 0);
  CHECK(said.out.find("REPORT.ru.md") != std::string::npos);
  CHECK(read(folder / "out/REPORT.ru.md").find("## Ответы") != std::string::npos);
  CHECK(read(folder / "out/REPORT.md").find("## Answers") != std::string::npos);
  CHECK(fs::is_directory(folder / "out/figures/ru"));
  const Said refused = bloomlab_says("report " + (folder / "out") + " --lang de");
  CHECK(refused.status == 2);
  CHECK(refused.err.find("--lang: unknown language \"de\"; allowed: en, ru, zh") !=
        std::string::npos);
}

TEST_CASE("a sweep of thousands of cells is reported, its table cut where a page ends",
          "[cli][report]") {
  const TemporaryFolder folder;
  write(folder / "sweep.json", R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate",
    "title": "t", "question": "q", "seed": 3, "trials": 1, "queries": 20, "expected_flags": [],
    "shared_across": ["/filter/k"],
    "grid": {"keys": {"source": "uniform"}, "n": {"range": [1, 21]},
             "filter": {"kind": "standard", "m": {"range": [1001, 1010]}, "k": {"range": [1, 10]}},
             "hash": {"name": "xxhash3_64", "probe": "independent",
                      "reduction": "multiply_shift"}}})");
  const std::string out = folder / "out";
  REQUIRE(bloomlab_says("run " + (folder / "sweep.json") + " --out " + out).status == 0);
  const Said said = bloomlab_says("report " + out);
  INFO(said.err);
  CHECK(said.status == 0);
  const std::string page = read(out + "/pages/sweep.md");
  CHECK_THAT(page, Catch::Contains("The first 2000 of 2100 measurements"));
  CHECK(fs::exists(out + "/figures/sweep_12.svg"));
  CHECK_FALSE(fs::exists(out + "/figures/sweep_13.svg"));
  // The table has its head and its 2000 rows; the cells for programs are all there.
  std::size_t rows = 0;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) rows += line.starts_with("| ") ? 1 : 0;
  CHECK(rows >= 2000);
  CHECK(rows < 2100);
  std::istringstream cells(read(out + "/pages/sweep.cells.csv"));
  std::size_t listed = 0;
  for (std::string line; std::getline(cells, line);) ++listed;
  CHECK(listed == 2101);
}

TEST_CASE("the report reads what every small config measured", "[cli][report][slow]") {
  if (is_sanitized) return skip("a sanitizer hides a map's memory, and the timings last too long");
  const TemporaryFolder folder;
  std::string configs;
  for (const auto& entry : fs::directory_iterator(BLOOMLAB_SOURCE_DIR "/configs/smoke")) {
    // Refused where RocksDB or Redis is not installed, and with them all.
    if (entry.path().stem() == "key_value_store") continue;
    if (entry.path().stem() == "table_levels") continue;
    if (entry.path().stem() == "cache_penetration") continue;
    configs += " '" + entry.path().string() + "'";
  }
  REQUIRE(bloomlab_says("run" + configs + " --out " + (folder / "out")).status != 2);
  const Said said = bloomlab_says("report " + (folder / "out") + " --out " + (folder / "report"));
  CHECK(said.status == 0);
  CHECK(said.err == "");
}

TEST_CASE("what was timed is shown without a page, and settings as they were set",
          "[cli][report]") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "out");
  for (const auto& [stem, page_of] : {std::pair<std::string, std::string>{"throughput", "speed"},
                                      {"map_against_filter", "map_against_filter"}}) {
    std::string result = read(BLOOMLAB_SOURCE_DIR "/results/" + stem + ".json");
    const std::string page = "\"" + page_of + ".page.md\":";
    REQUIRE(result.find(page) != std::string::npos);
    result.insert(result.find(page) + 1, "former_");  // the result lacks its page
    write(folder / ("out/" + stem + ".json"), result);
  }
  const Said said = bloomlab_says("report " + (folder / "out"));
  INFO(said.err);
  REQUIRE(said.status == 0);
  const std::string report = read(folder / "out/REPORT.md");
  CHECK(report.find("| absent key [ns] |") != std::string::npos);
  CHECK(report.find(" 10.00 |") == std::string::npos);
  CHECK(report.find(" 10 |") != std::string::npos);
  CHECK(report.find("| insert [ms] |") != std::string::npos);
}
