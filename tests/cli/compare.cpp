// compare: exit statuses, what it prints, and its complaints.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_line.hpp"

using namespace bloomlab::tests;

namespace {

/// Runs the small config, and adds to every trial's false positives the part `added`.
std::string run_with(const TemporaryFolder& folder, const std::string& name, double added) {
  write(folder / "a.json", small_config());
  const std::string out = folder / name;
  REQUIRE(bloomlab_says("run " + (folder / "a.json") + " --out " + out).status == 0);
  if (added > 0.0) {
    auto file = observations_in(out + "/a.json");
    for (auto& observation : file.at("observations")) {
      auto& measured = observation.at("measured");
      const auto hits = measured.at("false_positives").get<std::int64_t>();
      const auto more = static_cast<std::int64_t>(static_cast<double>(hits) * added);
      measured["false_positives"] = hits + more;
      measured["true_negatives"] = measured.at("true_negatives").get<std::int64_t>() - more;
    }
    write_observations(out + "/a.json", file);
  }
  return out;
}

}  // namespace

TEST_CASE("compare finds nothing between two runs of one config", "[cli][compare]") {
  const TemporaryFolder folder;
  const std::string first = run_with(folder, "first", 0.0);
  const std::string second = run_with(folder, "second", 0.0);
  const Said said = bloomlab_says("compare --fail-on rate:0.01,time:5% " + first + " " + second);
  CHECK(said.status == 0);
  CHECK(said.err.empty());
  CHECK(said.out.find("6 cells in both: 6 with equal counts (no test)") != std::string::npos);
  CHECK(said.out.find("FAIL") == std::string::npos);
}

TEST_CASE("compare fails on a changed rate where it is told to", "[cli][compare]") {
  const TemporaryFolder folder;
  const std::string both = run_with(folder, "first", 0.0) + " " + run_with(folder, "second", 0.2);
  const Said said = bloomlab_says("compare " + both);
  CHECK(said.status == 0);
  CHECK(said.out.find("changed  rate") != std::string::npos);
  const Said failing = bloomlab_says("compare --fail-on rate:1% " + both);
  CHECK(failing.status == 1);
  CHECK(failing.out.find("FAILS") != std::string::npos);
  CHECK(failing.out.find("FAILED: see the rows that say so") != std::string::npos);
  CHECK(bloomlab_says("compare --fail-on time:1% " + both).status == 0);

  const Said json_said = bloomlab_says("compare --json --fail-on rate:1% " + both);
  CHECK(json_said.status == 1);
  const auto json = nlohmann::json::parse(json_said.out);
  CHECK(json.at("failed") == true);
  CHECK(json.at("fail_on").at("rate") == 0.01);
  CHECK(json.at("rates").at(0).at("changed") == true);
  CHECK(json.at("rates").at(0).at("ratio").get<double>() == Approx(1.2).margin(0.02));
  CHECK(json.at("rates").at(0).at("cell").contains("filter"));
}

TEST_CASE("compare refuses what it cannot read with status 2", "[cli][compare][errors]") {
  const TemporaryFolder folder;
  const std::string good = run_with(folder, "good", 0.0);
  const auto complaint = [&](const std::string& arguments) {
    const Said said = bloomlab_says("compare " + arguments);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
    return said.err;
  };
  CHECK(complaint(good + " " + (folder / "nowhere")).find("nowhere: cannot be read as a folder") !=
        std::string::npos);
  CHECK(complaint(good).find("second") != std::string::npos);
  CHECK(complaint("--fail-on rate:much " + good + " " + good)
            .find("--fail-on: found \"rate:much\"") != std::string::npos);
  CHECK(complaint("--fail-on '' " + good + " " + good).find("--fail-on") != std::string::npos);

  for (const char* name : {"broken", "other", "shards"}) {
    std::filesystem::create_directory(folder.path() / name);
  }
  write(folder / "broken/a.json", "{");
  CHECK(complaint(good + " " + (folder / "broken")).find("broken/a.json") != std::string::npos);
  write(folder / "other/b.json", read(good + "/a.json"));
  CHECK(
      complaint(good + " " + (folder / "other")).find("no cell of a file of one name is in both") !=
      std::string::npos);
  // A set of shards that is not complete is bad input here: status 1 says that results differ.
  write(folder / "shards/a.shard-1-of-2.json", read(good + "/a.json"));
  CHECK(complaint(good + " " + (folder / "shards")).find("shards missing: 2/2") !=
        std::string::npos);
}

namespace {

/// The false positives of all trials.
std::uint64_t hits_in(const std::string& result) {
  std::uint64_t hits = 0;
  const auto file = observations_in(result);
  for (const auto& observation : file.at("observations")) {
    hits += observation.at("measured").at("false_positives").get<std::uint64_t>();
  }
  return hits;
}

/// Makes every trial report twice as many absent keys.
void double_hits(const std::string& result) {
  auto file = observations_in(result);
  for (auto& observation : file.at("observations")) {
    auto& measured = observation.at("measured");
    const auto hits = measured.at("false_positives").get<std::int64_t>();
    measured["false_positives"] = 2 * hits;
    measured["true_negatives"] = measured.at("true_negatives").get<std::int64_t>() - hits;
  }
  write_observations(result, file);
}

/// A study of six cells, drawn twice, and a book of three claims on it.
struct TwoDraws {
  TemporaryFolder folder;
  std::string config = folder / "a.json";
  std::string first = folder / "first";
  std::string again = folder / "again";
  std::string both = first + " " + again;

  TwoDraws() {
    auto text = nlohmann::ordered_json::parse(small_config());
    text["expected_flags"] = {{{"cell", {{"filter", {{"k", 3}}}}},
                               {"occurrence", "possible"},
                               {"reason", "this test doubles its hits"}}};
    write(config, text.dump());
    REQUIRE(bloomlab_says("run " + config + " --out " + first).status == 0);
    REQUIRE(bloomlab_says("run " + config + " --replicate 5 --out " + again).status == 0);
    write(folder / "book.json", R"({"format": "bloomlab-claims-1", "id": "B", "source": "a book",
      "claims": [{"id": "B-1", "statement": "some absent keys are reported",
        "check": {"sql": ["select min(fpr) > 0 as holds from \"a.cells\""]}},
       {"id": "B-2", "statement": "as many as the first draw reports",
        "check": {"sql": ["select sum(false_positives) = )" +
                                    std::to_string(hits_in(first + "/a.json")) +
                                    R"( as holds from \"a.cells\""]}},
       {"id": "B-3", "statement": "a formula", "check": {"sql": ["select 1 = 1 as holds"]}}]})");
  }

  [[nodiscard]] Said compared(const std::string& more = "", int draw = 5) const {
    return bloomlab_says("compare " + both + " --replication " + std::to_string(draw) +
                         " --claims " + (folder / "book.json") + " " + more);
  }
};

}  // namespace

TEST_CASE("two draws of a study have their verdicts held side by side", "[cli][compare]") {
  const TwoDraws draws;
  const auto json = nlohmann::json::parse(draws.compared("--json").out);
  CHECK(json.at("configs") == 1);
  CHECK(json.at("rates") == 6);
  CHECK(json.at("rates_off") == 0);
  CHECK(json.at("claims") == 2);  // the formula rests on no result
  CHECK(json.at("claims_same") == 1);
  CHECK(json.at("changed") ==
        nlohmann::json::parse(R"([{"id": "B-2", "first": "RIGHT", "second": "WRONG"}])"));
  CHECK(json.at("unexpected") ==
        nlohmann::json::parse(R"({"both": 0, "first_only": 0, "second_only": 0})"));
  CHECK(json.at("chance") == 0.01);
  const std::string text = draws.compared().out;
  CHECK(text.find("1 of 2 that rest on results judged alike; B-2: RIGHT, then WRONG") !=
        std::string::npos);
}

TEST_CASE("deviations are counted by the draws that show them", "[cli][compare]") {
  const TwoDraws draws;
  double_hits(draws.again + "/a.json");
  const auto alone = nlohmann::json::parse(draws.compared("--json").out);
  CHECK(alone.at("possible").at("second_only") == 2);
  CHECK(alone.at("unexpected").at("second_only") == 4);
  CHECK(alone.at("rates_off") == 6);
  double_hits(draws.first + "/a.json");
  const auto both = nlohmann::json::parse(draws.compared("--json").out);
  CHECK(both.at("possible").at("both") == 2);
  CHECK(both.at("unexpected").at("both") == 4);
  CHECK(both.at("unexpected").at("second_only") == 0);
}

TEST_CASE("the report says what another draw said", "[cli][compare]") {
  const TwoDraws draws;
  const std::string file = draws.first + "/replication/verdicts.json";
  REQUIRE(draws.compared("--write " + file).status == 0);
  write(draws.folder / "front.md", "# {{title}}\n\n{{replication}}\n\n{{answers}}\n");
  const std::string report =
      "report " + draws.first + " --front " + (draws.folder / "front.md") + " --out ";
  REQUIRE(bloomlab_says(report + (draws.folder / "out")).status == 0);
  CHECK(read(draws.folder / "out/REPORT.md")
            .find("(draw 5, 1 configs): 1 of 2 claims that rest on results got the same verdict "
                  "(B-2: RIGHT, then WRONG).") != std::string::npos);
  write(file, R"({"format": "bloomlab-replication-1", "seed": -5})");
  const Said said = bloomlab_says(report + (draws.folder / "out"));
  CHECK(said.status == 1);
  CHECK(said.err.find("verdicts.json: /seed: found -5; seed must be an integer from 0 to ") !=
        std::string::npos);
}

TEST_CASE("what is not that draw of the same config is refused", "[cli][compare][errors]") {
  const TwoDraws draws;
  const Said other = draws.compared("", 6);
  CHECK(other.status == 2);
  CHECK(other.out.empty());
  CHECK(other.err.find("again/a.json: /config/seed: found ") != std::string::npos);
  CHECK(other.err.find("measure it with `bloomlab run --replicate 6`") != std::string::npos);
  // With the same seeds, as nobody drew anew.
  const Said same =
      bloomlab_says("compare " + draws.first + " " + draws.first + " --replication 5");
  CHECK(same.status == 2);
  CHECK(same.err.find("/config/seed: found 7, allowed: ") != std::string::npos);
  write(draws.config, small_config("[3, 5]"));
  REQUIRE(
      bloomlab_says("run " + draws.config + " --replicate 5 --force --out " + draws.again).status ==
      0);
  const Said cells = draws.compared();
  CHECK(cells.status == 2);
  CHECK(cells.err.find("/config: is not that of ") != std::string::npos);
  CHECK(
      bloomlab_says("compare " + draws.both + " --claims " + (draws.folder / "book.json")).status ==
      2);
  for (const std::string number : {"-5", "-1", "18446744073709551616", "1e3", "x"}) {
    const std::string fault = ": found \"" + number +
                              "\"; a whole number from 0 to 18446744073709551615 is allowed; see "
                              "bloomlab ";
    const Said compare = bloomlab_says("compare " + draws.both + " --replication " + number);
    CHECK(compare.status == 2);
    CHECK(compare.err == "bloomlab: --replication" + fault + "compare --help\n");
    const Said run =
        bloomlab_says("run " + draws.config + " --replicate " + number + " --out " + draws.again);
    CHECK(run.status == 2);
    CHECK(run.err == "bloomlab: --replicate" + fault + "run --help\n");
  }
}

TEST_CASE("a shard that is copied over another is refused, not counted twice", "[cli][compare]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  for (const std::string part : {"1/2", "2/2"}) {
    REQUIRE(bloomlab_says("run " + (folder / "a.json") + " --shard " + part + " --out " +
                          (folder / "out"))
                .status == 0);
  }
  const std::string compare = "compare " + (folder / "out") + " " + (folder / "out");
  CHECK(bloomlab_says(compare).status == 0);
  write(folder / "out/a.shard-2-of-2.json", read(folder / "out/a.shard-1-of-2.json"));
  for (const std::string& command : {compare, "report " + (folder / "out")}) {
    const Said said = bloomlab_says(command);
    CHECK(said.status == 2);
    CHECK(said.err == "bloomlab: " + (folder / "out/a.shard-2-of-2.json") +
                          ": /provenance/shard: found {\"index\":1,\"count\":2}, and by its name "
                          "the file is shard 2/2; give it back its own name, or run the config "
                          "with --shard 2/2\n");
  }
}

TEST_CASE("a draw in shards has the counts of one run", "[cli][compare][run]") {
  const TwoDraws draws;
  const std::string parts = draws.folder / "parts";
  for (const char* part : {"1/2", "2/2"}) {
    REQUIRE(
        bloomlab_says("run " + draws.config + " --replicate 5 --shard " + part + " --out " + parts)
            .status == 0);
  }
  CHECK(nlohmann::json::parse(bloomlab_says("compare --json " + draws.again + " " + parts).out)
            .at("files")
            .at(0)
            .at("equal_counts") == 6);
}
