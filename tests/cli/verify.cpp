// verify measures again: equal counts pass, an altered one is named.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;

namespace {

/// Runs the small config and, if asked, falsifies one count of its result file.
std::string measured(const TemporaryFolder& folder, std::uint64_t added) {
  write(folder / "a.json", small_config());
  REQUIRE(bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "out")).status == 0);
  auto file = observations_in(folder / "out/a.json");
  auto& counts = file.at("observations").at(1).at("measured");
  counts.at("false_positives") = counts.at("false_positives").get<std::uint64_t>() + added;
  counts.at("true_negatives") = counts.at("true_negatives").get<std::uint64_t>() - added;
  write_observations(folder / "out/a.json", file);
  return folder / "out";
}

}  // namespace

TEST_CASE("verify finds the counts of a run again", "[cli][verify]") {
  const TemporaryFolder folder;
  const Said said = bloomlab_says("verify " + measured(folder, 0));
  CHECK(said.status == 0);
  CHECK(said.out.find("a.json: ") == 0);
  CHECK(said.out.find("all equal") != std::string::npos);
}

TEST_CASE("verify names the first cell that differs", "[cli][verify]") {
  const TemporaryFolder folder;
  const std::string results = measured(folder, 1);
  const Said said = bloomlab_says("verify " + results);
  CHECK(said.status == 1);
  CHECK(said.out.find("a.json: DIFFERS: cell {") == 0);
  CHECK(said.out.find("false_positives was ") != std::string::npos);
  const auto json = nlohmann::json::parse(bloomlab_says("verify --json " + results).out);
  CHECK(json.at(0).at("equal") == false);
  CHECK(json.at(0).at("first_difference").get<std::string>().find("trial 1") != std::string::npos);
}

TEST_CASE("verify looks at a selection alone", "[cli][verify]") {
  const TemporaryFolder folder;
  const std::string results = measured(folder, 1);
  // The falsified count is of the first cell, whose k is 3.
  CHECK(bloomlab_says("verify --only '\"k\":7' " + results).status == 0);
  CHECK(bloomlab_says("verify --only '\"k\":3' " + results).status == 1);
  const Said none = bloomlab_says("verify --only nowhere " + results);
  CHECK(none.status == 2);
  CHECK(none.err.find("no cell of ") != std::string::npos);
}

TEST_CASE("verify says of a result without observations what it lacks", "[cli][verify]") {
  const TemporaryFolder folder;
  const std::string results = measured(folder, 0);
  auto file = observations_in(folder / "out/a.json");
  file["observations"] = nlohmann::ordered_json::array();
  file["provenance"]["complete"] = false;
  write_observations(folder / "out/a.json", file);
  const Said said = bloomlab_says("verify " + results);
  CHECK(said.status == 2);
  CHECK(said.err.find("hold no observations") != std::string::npos);
}

TEST_CASE("verify names and leaves out what another program measured", "[cli][verify]") {
  const TemporaryFolder folder;
  const std::string results = measured(folder, 0);
  auto file = observations_in(folder / "out/a.json");
  file["provenance"]["peers"] = {{{"implementation", "boost_bloom"}, {"version", "1.87"}}};
  file["config"]["grid"]["filter"]["kind"] = "boost_bloom";
  write_observations(folder / "out/b.json", file);
  const Said said = bloomlab_says("verify " + results);
  CHECK(said.status == 0);
  CHECK(said.out.find("a.json: ") == 0);
  CHECK(said.out.find("\nb.json: left out: another program") != std::string::npos);
  const auto json = nlohmann::json::parse(bloomlab_says("verify --json " + results).out);
  CHECK(json.at(0).at("equal") == true);
  CHECK(json.at(1) == nlohmann::json{{"file", "b.json"}, {"by_another_program", true}});
}

TEST_CASE("verify within a time sees every cell first, and says what it left out",
          "[cli][verify]") {
  const TemporaryFolder folder;
  const std::string results = measured(folder, 0);
  const auto whole = nlohmann::json::parse(bloomlab_says("verify --json " + results).out).at(0);
  const auto none_left =
      nlohmann::json::parse(bloomlab_says("verify --seconds 60 --json " + results).out).at(0);
  CHECK(none_left == whole);
  const Said said = bloomlab_says("verify --seconds 1e-9 --json " + results);
  CHECK(said.status == 0);
  const auto part = nlohmann::json::parse(said.out).at(0);
  CHECK(part.at("observations").get<std::uint64_t>() +
            part.at("observations_left_out").get<std::uint64_t>() ==
        whole.at("observations").get<std::uint64_t>());
  CHECK(part.at("observations").get<std::uint64_t>() > 0);
  CHECK_THAT(bloomlab_says("verify --seconds 1e-9 " + results).out,
             Catch::Contains("all equal; no time for "));
  for (const std::string none : {"0", "-1", "nan", "inf"}) {
    const Said refused = bloomlab_says("verify --seconds=" + none + " " + results);
    CHECK(refused.status == 2);
    CHECK(refused.err == "bloomlab: --seconds: found \"" + none +
                             "\"; a number from 1e-09 to 1e+09 is allowed, of seconds, such as "
                             "0.5; see bloomlab verify --help\n");
  }
}

TEST_CASE("a TMPDIR that is no folder is named", "[cli][verify]") {
  const TemporaryFolder folder;
  const std::string results = measured(folder, 0);
  for (const std::string& named : {std::string(), folder / "none", std::string("/dev/null")}) {
    const Said said = shell("TMPDIR='" + named + "' \"$BLOOMLAB\" verify " + results);
    CHECK(said.status == 1);
    CHECK(said.err == "bloomlab: TMPDIR: found \"" + named +
                          "\", which is no folder that can be written; set TMPDIR to one\n");
  }
}

TEST_CASE("verify within a time names a count that differs", "[cli][verify]") {
  const TemporaryFolder folder;
  const Said said = bloomlab_says("verify --seconds 60 " + measured(folder, 1));
  CHECK(said.status == 1);
  CHECK_THAT(said.out, Catch::StartsWith("a.json: DIFFERS: cell {") && Catch::Contains("trial 1") &&
                           Catch::Contains("false_positives was "));
}

TEST_CASE("verify leaves no folder behind, however it ends", "[cli][verify]") {
  const TemporaryFolder folder;
  const std::string results = measured(folder, 0);
  std::filesystem::create_directory(folder / "tmp");
  // Ended as soon as its folder is there; what cleans up may take a moment.
  const Said said =
      shell("export TMPDIR=" + (folder / "tmp") + "; \"$BLOOMLAB\" verify " + results +
            " >/dev/null 2>&1 & while kill -0 $! 2>/dev/null && [ -z \"$(ls " + (folder / "tmp") +
            ")\" ]; do :; done; kill -TERM $!; wait $!; "
            "i=0; while [ -n \"$(ls " +
            (folder / "tmp") + ")\" ] && [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done");
  CHECK(said.status == 0);
  CHECK(std::filesystem::is_empty(folder / "tmp"));
}

TEST_CASE("verify leaves out what was reads files that have changed", "[cli][verify]") {
  const TemporaryFolder folder;
  const std::string path = folder / "words.txt";
  std::string words;
  for (int i = 0; i < 6000; ++i) words += "word" + std::to_string(i) + "\n";
  write(path, words);
  auto config = nlohmann::json::parse(small_config());
  // Seen from the config, so that seeds, and with them flags, do not depend on the folder.
  config["grid"]["keys"] = {{{"source", "uniform"}}, {{"source", "file"}, {"path", "words.txt"}}};
  write(folder / "a.json", config.dump());
  const std::string results = (folder / "out") + " --configs " + (folder / ".");
  const Said run = bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "out"));
  INFO(run.err);
  REQUIRE(run.status == 0);
  const auto whole = nlohmann::json::parse(bloomlab_says("verify --json " + results).out).at(0);
  CHECK(whole.at("equal") == true);
  // A word more may be drawn or not: neither a difference nor equality would say anything.
  write(path, words + "another\n");
  const std::string left_out =
      "; left out 36 that read " + path + ", which is not as it was (provenance.config_digest)\n";
  const Said other = bloomlab_says("verify " + results);
  CHECK(other.status == 0);
  CHECK(other.out == "a.json: 36 observations, all equal" + left_out);
  const auto json = nlohmann::json::parse(bloomlab_says("verify --json " + results).out).at(0);
  CHECK(json.at("observations").get<int>() + json.at("observations_of_changed_files").get<int>() ==
        whole.at("observations").get<int>());
  CHECK(json.at("changed_files") == nlohmann::json{path});
  CHECK(bloomlab_says("verify --only '\"file\"' " + results).out ==
        "a.json: none compared" + left_out);
  std::filesystem::remove(path);
  const Said none = bloomlab_says("verify " + results);
  CHECK(none.status == 2);
  CHECK_THAT(none.err, Catch::Contains(R"("words.txt": no such file)"));
}

TEST_CASE("verify leaves out what takes a program that is not here, and goes on", "[cli][verify]") {
  const TemporaryFolder folder;
  const std::string results = measured(folder, 0);
  std::filesystem::copy_file(BLOOMLAB_SOURCE_DIR "/results/key_value_store.json",
                             results + "/key_value_store.json");
  // Alone, without the program that talks to RocksDB beside it.
  const std::string alone = "cp \"$BLOOMLAB\" " + (folder / "bloomlab") + " && " +
                            (folder / "bloomlab") + " verify " + results;
  for (const std::string within : {"", " --seconds 5"}) {
    const Said said = shell(alone + within);
    INFO(said.err);
    CHECK(said.status == 0);
    CHECK_THAT(said.out, Catch::Contains("all equal"));
    CHECK_THAT(said.out,
               Catch::Contains("key_value_store.json: left out: key_value_store: RocksDB is not "
                               "installed: this build has no bloomlab-store; "));
  }
}
