// A result that lacks something or says what cannot be is refused by every command that reads it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "tests/cli/command_line.hpp"

using namespace bloomlab::tests;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* standard_grid = R"({"keys": {"source": "uniform"}, "n": 500,
  "filter": {"kind": "standard", "m": {"per_n": [8, 10]}, "k": [3, 5, 7]},
  "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}})";

constexpr const char* scalable_grid = R"({"keys": {"source": "uniform"}, "n": 500,
  "filter": {"kind": "scalable", "target": 0.01, "tightening": 0.5, "growth": 2,
             "first_capacity": 100},
  "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}})";

std::string config_with(const std::string& grid) {
  return R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate", "title": "Small",
 "question": "?", "seed": 7, "trials": 6, "queries": 4000, "grid": )" +
         grid + "}";
}

/// Measures the grid, alters the file, and wants the same complaint of report, verify and canon.
void refused(const std::function<void(Json&)>& alter, const std::string& complaint,
             const std::string& grid = standard_grid,
             const std::string& advice = "; run the config again") {
  const TemporaryFolder folder;
  write(folder / "a.json", config_with(grid));
  REQUIRE(bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "out")).status == 0);
  Json file = observations_in(folder / "out/a.json");
  alter(file);
  write_observations(folder / "out/a.json", file);
  for (const std::string command : {"report ", "canon ", "verify "}) {
    INFO(command);
    const Said said = bloomlab_says(command + (folder / "out"));
    CHECK(said.status == 2);
    CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
    CHECK_THAT(said.err, Catch::StartsWith("bloomlab: " + (folder / "out/a.json")) &&
                             Catch::Contains(complaint) && Catch::EndsWith(advice + "\n"));
  }
}

void drop_cell(Json& file, std::size_t first) {
  Json& all = file["observations"];
  const auto begin = all.begin() + static_cast<Json::difference_type>(first);
  all.erase(begin, begin + 6);
}

}  // namespace

TEST_CASE("a result that lacks a cell is refused, and the cell is named", "[cli][results]") {
  refused(
      [](Json& file) { drop_cell(file, 6); },
      R"(: holds 5 cells and its config has 6; the first that lacks is )"
      R"({"keys":{"source":"uniform"},"n":500,"filter":{"kind":"standard","m":{"per_n":8},"k":5})");
}

TEST_CASE("a result that lacks its last cell is refused", "[cli][results]") {
  refused([](Json& file) { drop_cell(file, 30); }, R"("m":{"per_n":10},"k":7})");
}

TEST_CASE("leaving out what says that it is complete helps no result", "[cli][results]") {
  refused(
      [](Json& file) {
        file["provenance"].erase("complete");
        drop_cell(file, 0);
      },
      ": holds 5 cells and its config has 6");
}

TEST_CASE("a result that says neither that it is complete nor that it is not is refused",
          "[cli][results]") {
  refused([](Json& file) { file["provenance"]["complete"] = "x"; },
          ": /provenance/complete: found \"x\"; true or false is allowed");
}

TEST_CASE("a result that is said to be unfinished and lacks no cell is a fault of the file",
          "[cli][results]") {
  const TemporaryFolder folder;
  write(folder / "a.json", config_with(standard_grid));
  REQUIRE(bloomlab_says("run " + (folder / "a.json") + " --out " + (folder / "out")).status == 0);
  Json file = observations_in(folder / "out/a.json");
  file["provenance"]["complete"] = false;
  write_observations(folder / "out/a.json", file);
  const Said said = bloomlab_says("report " + (folder / "out"));
  CHECK(said.status == 1);
  CHECK(said.err == "bloomlab: " + (folder / "out/a.json") +
                        ": /provenance/complete: found false, and all 6 cells are there; run the "
                        "config again with --force\n");
}

TEST_CASE("a result that lacks a trial is refused", "[cli][results]") {
  refused([](Json& file) { file["observations"].erase(2); }, "lacks trial 2");
}

TEST_CASE("a conditional rate that its bits do not give is refused", "[cli][results]") {
  refused([](Json& file) { file["observations"][3]["measured"]["conditional_rate"] = 0.25; },
          ", trial 3: /measured/conditional_rate: found 0.25, and ");
}

TEST_CASE("a number of queries that the config did not ask for is refused", "[cli][results]") {
  refused(
      [](Json& file) {
        for (Json& observation : file["observations"]) {
          Json& count = observation["measured"]["true_negatives"];
          count = count.get<std::uint64_t>() + 1000;
        }
      },
      "true negatives are not the config's 4000 queries");
}

TEST_CASE("a negative and an absurd duration are refused", "[cli][results]") {
  refused([](Json& file) { file["observations"][0]["timing"]["insert_ns"] = -5; },
          ", trial 0: /timing/insert_ns: found -5, allowed: whole numbers from 0 to 10^18");
  refused([](Json& file) { file["observations"][1]["timing"]["insert_ns"] = 1e308; },
          ", trial 1: /timing/insert_ns: found 1e+308, allowed");
}

TEST_CASE("counts that do not fit each other are refused", "[cli][results]") {
  const auto refused_counts = [](const std::string& name, const Json& count,
                                 const std::string& complaint) {
    refused(
        [&](Json& file) {
          for (Json& observation : file["observations"]) {
            if (count.is_null()) {
              observation["measured"].erase(name);
            } else {
              observation["measured"][name] = count;
            }
          }
        },
        ", trial 0: /measured" + complaint, standard_grid,
        "; measure again with `bloomlab run --force`");
  };
  refused_counts("true_positives", 50,
                 ": 50 inserted keys reported and 0 denied are not the 500 inserted");
  refused_counts("false_negatives", 5,
                 ": 500 inserted keys reported and 5 denied are not the 500 inserted");
  refused_counts("inserted", 0, ": 500 inserted keys reported and 0 denied are not the 0 inserted");
  refused_counts("false_positives", Json(), ": no \"false_positives\"");
  refused_counts("true_positives", 499.5,
                 "/true_positives: found 499.5, allowed: a whole number >= 0");
}

TEST_CASE("bits that are not the cell's m are refused", "[cli][results]") {
  refused([](Json& file) { file["observations"][0]["measured"]["bits"] = 4001; },
          ", trial 0: /measured/bits: found 4001, and the cell's m is 4000");
}

TEST_CASE("layers that do not add up are refused", "[cli][results]") {
  refused([](Json& file) { file["observations"][0]["measured"]["layer_bits_set"][0] = 1; },
          ", trial 0: /measured/layer_bits_set: ", scalable_grid);
}

TEST_CASE("a config that is not the one its digest was made from is refused", "[cli][results]") {
  refused([](Json& file) { file["config"]["title"] = "Another"; },
          ": /provenance/config_digest: found \"");
}

TEST_CASE("a seed that does not follow from the config is refused", "[cli][results]") {
  refused([](Json& file) { file["observations"][0]["seed"] = 1; },
          "seed 1 does not follow from the cell and the config's seed 7");
}

TEST_CASE("a result that says itself that it is not complete is reported as unfinished",
          "[cli][results]") {
  const TemporaryFolder folder;
  write(folder / "a.json", config_with(standard_grid));
  REQUIRE(
      bloomlab_says("run " + (folder / "a.json") + " --only '\"k\":5' --out " + (folder / "out"))
          .status == 0);
  const Said said = bloomlab_says("report " + (folder / "out"));
  CHECK(said.status == 1);
  CHECK(said.err == "bloomlab: unfinished: " + (folder / "out/a.json") +
                        " holds 2 of 6 cells; run its config without --only to finish\n");
}

TEST_CASE("values of another kind in a journal are measured anew, and those in a result are named",
          "[cli][results][run]") {
  const TemporaryFolder folder;
  write(folder / "a.json", config_with(standard_grid));
  const std::string run = "run " + (folder / "a.json") + " --out " + (folder / "out");
  fs::create_directories(folder / "out/.partial");
  write(folder / "out/.partial/a.jsonl", R"({"format": "bloomlab-journal-2", "config": 5})"
                                         "\n");
  CHECK(bloomlab_says(run).status == 0);
  Json file = observations_in(folder / "out/a.json");
  file["provenance"]["complete"] = "x";
  write_observations(folder / "out/a.json", file);
  const Said again = bloomlab_says(run);
  CHECK(again.status == 2);
  CHECK_THAT(again.err, Catch::Contains("/provenance/complete: found \"x\"; true or false is "
                                        "allowed") &&
                            Catch::Contains("replace it by --force"));
  CHECK(bloomlab_says(run + " --force").status == 0);
}

TEST_CASE("an edited line of a journal is named and measured anew", "[cli][results][run]") {
  const TemporaryFolder folder;
  std::string config = config_with(standard_grid);
  config.replace(config.find("\"queries\": 4000"), 15, "\"queries\": 200000");
  write(folder / "a.json", config);
  const std::string run = "\"$BLOOMLAB\" run " + (folder / "a.json") + " --jobs 1 --out ";
  const std::string journal = folder / "out/.partial/a.jsonl";
  REQUIRE(shell(run + (folder / "out") + " & run=$!; while [ $(wc -l < " + journal +
                " 2>/dev/null || echo 0) -lt 4 ]; do kill -0 $run || exit 9; done; "
                "kill -9 $run; wait $run; true")
              .status == 0);
  std::string text = read(journal);
  const std::size_t third_line = text.find('\n', text.find('\n') + 1) + 1;
  const std::size_t count = text.find("\"false_positives\":", third_line) + 18;
  text.insert(count, "9");
  write(journal, text);
  const auto lines = std::count(text.begin(), text.end(), '\n') - 2;
  const Said said = shell(run + (folder / "out"));
  REQUIRE(said.status == 0);
  CHECK_THAT(said.out, Catch::Contains(journal + ": line 3 is not as it was written: " +
                                       std::to_string(lines) + " lines are measured anew"));
  REQUIRE(shell(run + (folder / "whole")).status == 0);
  CHECK(bloomlab_says("canon " + (folder / "out")).out ==
        bloomlab_says("canon " + (folder / "whole")).out);
}
