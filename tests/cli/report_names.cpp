// Good results are reported whatever their files are called and whatever lies beside them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/cli/command_line.hpp"

using namespace bloomlab::tests;
namespace fs = std::filesystem;

namespace {

std::size_t count_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a config named like one of another kind is reported as any config is", "[cli][report]") {
  const TemporaryFolder folder;
  const std::vector<std::string> names = {"peers",
                                          "throughput",
                                          "mutation_matrix",
                                          "interval_coverage",
                                          "census",
                                          "counting_deletion",
                                          "hash_quality",
                                          "construction",
                                          "speed_deduplication",
                                          "hash_speed",
                                          "counting_overflow",
                                          "test_power",
                                          "external_peers",
                                          "speed_cold",
                                          "spectral_multiplicity"};
  std::string configs;
  for (const std::string& name : names) {
    write(folder / (name + ".json"), small_config());
    configs += (folder / (name + ".json")) + " ";
  }
  REQUIRE(bloomlab_says("run " + configs + "--out " + (folder / "out")).status == 0);
  const Said said = bloomlab_says("report " + (folder / "out"));
  CHECK(said.err.empty());
  CHECK(said.status == 0);
  const std::string report = read(folder / "out/REPORT.md");
  CHECK(count_in(report, "Does the command line work?") == names.size());
}

TEST_CASE("results of any file name are reported, with their figures", "[cli][report]") {
  const TemporaryFolder folder;
  const std::vector<std::string> names = {"实验一", "a b", "a.b.c"};
  std::string configs;
  for (const std::string& name : names) {
    write(folder / (name + ".json"), small_config());
    configs += "'" + (folder / (name + ".json")) + "' ";
  }
  REQUIRE(bloomlab_says("run " + configs + "--out " + (folder / "out")).status == 0);
  const Said said = bloomlab_says("report " + (folder / "out"));
  CHECK(said.err.empty());
  CHECK(said.status == 0);
  CHECK(count_in(read(folder / "out/REPORT.md"), "Does the command line work?") == names.size());
  for (const char* figure : {"-xE5-xAE-x9E-xE9-xAA-x8C-xE4-xB8-x80", "a-x20b", "a-x2Eb-x2Ec"}) {
    CHECK(fs::exists(folder / ("out/figures/" + std::string(figure) + ".svg")));
  }
}

TEST_CASE("a bad file is named, and the good ones beside it are reported", "[cli][report]") {
  const TemporaryFolder folder;
  write(folder / "good.json", small_config());
  REQUIRE(bloomlab_says("run " + (folder / "good.json") + " --out " + (folder / "out")).status ==
          0);
  write(folder / "out/bad.json", "{\"format\": \"bloomlab-result-2\", ");
  const Said said = bloomlab_says("report " + (folder / "out"));
  CHECK(said.status == 1);
  CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
  CHECK_THAT(said.err, Catch::StartsWith("bloomlab: " + (folder / "out/bad.json") + ": "));
  const std::string report = read(folder / "out/REPORT.md");
  CHECK(report.find("Does the command line work?") != std::string::npos);
  CHECK(report.find("bad.json: ") != std::string::npos);
}

TEST_CASE("report says of a config that it is one", "[cli][report]") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "configs");
  write(folder / "configs/a.json", small_config());
  write(folder / "configs/b.json", small_config());
  const Said said = bloomlab_says("report " + (folder / "configs"));
  CHECK(said.status == 2);
  CHECK(said.err == "bloomlab: " + (folder / "configs/a.json") +
                        ": this is a config, no result; `bloomlab run " +
                        (folder / "configs/a.json") +
                        " --out DIR` measures it, then name DIR (and 1 fault more)\n");
}

TEST_CASE("an unfinished run is named with what it holds and how to finish it", "[cli][report]") {
  const TemporaryFolder folder;
  std::string config = small_config();
  config.replace(config.find("\"trials\": 6"), 11, "\"trials\": 20");
  config.replace(config.find("\"queries\": 4000"), 15, "\"queries\": 200000");
  write(folder / "a.json", config);
  const std::string journal = folder / "out/.partial/a.jsonl";
  REQUIRE(shell("\"$BLOOMLAB\" run " + (folder / "a.json") + " --jobs 1 --out " + (folder / "out") +
                " & run=$!; while [ $(wc -l < " + journal +
                " 2>/dev/null || echo 0) -lt 3 ]; do kill -0 $run || exit 9; done; "
                "kill -9 $run; wait $run; true")
              .status == 0);
  const std::string text = read(journal);
  // A unit is a trial of three cells, which share their keys.
  const auto units = std::count(text.begin(), text.end(), '\n') - 1;
  const std::string line = "bloomlab: unfinished: " + journal + " holds " +
                           std::to_string(units * 3) + " of 120 trials; run `bloomlab run " +
                           (folder / "a.json") + " --out " + (folder / "out") + "` to finish\n";
  const Said alone = bloomlab_says("report " + (folder / "out"));
  CHECK(alone.status == 1);
  CHECK(alone.err == line);
  write(folder / "b.json", small_config());
  REQUIRE(bloomlab_says("run " + (folder / "b.json") + " --out " + (folder / "out")).status == 0);
  const Said beside = bloomlab_says("report " + (folder / "out"));
  CHECK(beside.status == 1);
  CHECK(beside.err == line);
  CHECK(read(folder / "out/REPORT.md").find("unfinished: ") != std::string::npos);
}
