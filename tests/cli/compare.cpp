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
