// bloomlab bench, as a user runs it.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "core/simd/batch_tuning.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;
using nlohmann::json;

namespace {

constexpr const char* tiny_speed = R"({"$schema": "bloomlab-config-1", "kind": "throughput",
  "title": "t", "question": "q", "seed": 3, "trials": 2, "queries": 1024, "repetitions": 1,
  "warm_up": 0, "absent_keys": 4096, "expected_flags": [],
  "grid": {"implementation": ["limit", "standard"], "n": 1000, "bits_per_key": 10}})";

/// The lines of what was said, of which a screen holds all.
std::vector<std::string> lines_of_a_screen(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    CHECK(line.size() <= 100);
    lines.push_back(line);
  }
  CHECK(lines.size() <= 20);
  return lines;
}

}  // namespace

TEST_CASE("bench measures every trial in a process of its own and prints rows with their rates",
          "[cli][bench]") {
  const TemporaryFolder folder;
  write(folder / "tiny.json", tiny_speed);
  const Said said = bloomlab_says("bench " + (folder / "tiny.json") +
                                  " --process-runs 3 --n 2000 --json --out " + (folder / "out"));
  INFO(said.err);
  const json all = json::parse(said.out);
  const json& rows = all.at("tiny").at("rows");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].at("implementation") == "limit");
  CHECK(rows[1].at("n") == 2000);
  CHECK(rows[1].at("process_runs") == 3);
  CHECK(rows[1].at("times").at("negative").at("process_runs").size() == 3);
  CHECK(rows[1].at("rate").at("queries") == 3 * 4096);
  CHECK(rows[1].at("rate").at("agrees") == true);
  CHECK_FALSE(rows[0].contains("rate"));
  // Status 1 is the machine's fault where it was not quiet, and nobody else's.
  CHECK(said.status == (all.at("tiny").at("noise").at("too_many") == true ? 1 : 0));
  CHECK(all.at("tiny").at("conditions").contains("caches"));
}

TEST_CASE("bench ends with a sentence for each duration, and says once how noisy it was",
          "[cli][bench]") {
  const TemporaryFolder folder;
  write(folder / "two.json", R"({"$schema": "bloomlab-config-1", "kind": "throughput",
  "title": "t", "question": "q", "seed": 3, "trials": 6, "queries": 1024, "repetitions": 1,
  "warm_up": 0, "absent_keys": 4096, "expected_flags": [],
  "grid": {"implementation": ["limit", "standard", "split_block"], "n": [1000, 2000],
           "bits_per_key": 10}})");
  const Said said = bloomlab_says("bench " + (folder / "two.json") + " --out " + (folder / "out"));
  INFO(said.out);
  CHECK(lines_of_a_screen(said.out).size() > 3);
  for (const char* part :
       {"looks up an absent key in ", "inserts a key in ", "looks up a present key in ", "n=2000",
        " of 36 process runs were noisy", "bloomlab report ", "--all prints every row"}) {
    INFO(part);
    CHECK(said.out.find(part) != std::string::npos);
  }
  CHECK(said.out.find("n=1000") == std::string::npos);
  CHECK(said.out.find("limit") == std::string::npos);
  // "As fast as" is said of ratios above one, of which the interval leaves no doubt.
  const std::regex ratio(
      R"(ns,\s+(not\s+distinguished\s+from\s+\w+:\s+)?[\d.]+\s+times\s+as\s+fast)"
      R"((\s+as\s+\w+)?\s+\[([\d.]+),\s+[\d.]+\])");
  int ratios = 0;
  for (std::sregex_iterator it(said.out.begin(), said.out.end(), ratio), end; it != end; ++it) {
    INFO(it->str());
    ++ratios;
    if ((*it)[3] == "1.00") continue;  // rounded
    const bool is_faster = std::stod((*it)[3]) > 1.0;
    CHECK((*it)[1].matched == !is_faster);
    CHECK((*it)[2].matched == is_faster);
  }
  CHECK(ratios == 3);
}

TEST_CASE("bench over all its configs says one line of a table for each, in one screen",
          "[cli][bench]") {
  const TemporaryFolder folder;
  const Said said =
      bloomlab_says("bench --quick --n 2000 --process-runs 2 --out " + folder / "out");
  INFO(said.out << said.err);
  const std::vector<std::string> all = lines_of_a_screen(said.out);
  REQUIRE(all.size() > 14);
  CHECK(all.front().starts_with("config "));
  // Two process runs say little: the interval may be as wide as it likes.
  const std::regex row(R"(\w+ +\w+ +(absent key|hash|build|deduplicate) +[\d.]+ +\S+ \[.*\].*)");
  int rows = 0;
  for (const std::string& line : all) rows += std::regex_match(line, row) ? 1 : 0;
  CHECK(rows == 14);
}

TEST_CASE("run measures trials in processes of their own too, and counts are those of bench",
          "[cli][bench]") {
  const TemporaryFolder folder;
  write(folder / "tiny.json", tiny_speed);
  REQUIRE(bloomlab_says("run " + (folder / "tiny.json") + " --out " + (folder / "a")).status == 0);
  static_cast<void>(bloomlab_says("bench " + (folder / "tiny.json") + " --out " + (folder / "b")));
  CHECK(bloomlab_says("canon " + (folder / "a")).out ==
        bloomlab_says("canon " + (folder / "b")).out);
  const Said report = bloomlab_says("report " + (folder / "a"));
  INFO(report.err);
  CHECK(report.status == 0);
}

TEST_CASE("a peer that the build lacks is a row that says so, in results, bench and report",
          "[cli][bench]") {
  const TemporaryFolder folder;
  write(folder / "peers.json", R"({"$schema": "bloomlab-config-1", "kind": "throughput",
    "title": "t", "question": "q", "seed": 3, "trials": 2, "queries": 1024, "repetitions": 1,
    "warm_up": 0, "absent_keys": 4096, "structured_keys": 4096, "expected_flags": [],
    "grid": {"implementation": ["limit", "standard", "boost_bloom"], "n": 1000,
             "bits_per_key": 10}})");
  const Said said =
      bloomlab_says("bench " + (folder / "peers.json") + " --json --out " + (folder / "out"));
  INFO(said.err);
  const json rows = json::parse(said.out).at("peers").at("rows");
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].at("structured_rate").at("queries") == 2 * 4096);
  const bool has_it = rows[2].at("available");
  CHECK(rows[2].at("times").empty() != has_it);
  const Said bench =
      bloomlab_says("bench --all " + (folder / "peers.json") + " --out " + (folder / "b"));
  CHECK((bench.out.find("not in this build") == std::string::npos) == has_it);
  CHECK(bench.out.find("rate of structured keys") != std::string::npos);
  const Said report = bloomlab_says("report " + (folder / "out"));
  INFO(report.err);
  CHECK(report.status == 0);
}

TEST_CASE("bench deduplicates a stream and judges the rate over all its fills", "[cli][bench]") {
  const TemporaryFolder folder;
  write(folder / "streams.json", R"({"$schema": "bloomlab-config-1", "kind": "deduplication",
    "title": "t", "question": "q", "seed": 3, "trials": 2, "expected_flags": [],
    "grid": {"implementation": ["limit", "split_block"], "n": 20000, "fpr": 0.05}})");
  const Said said =
      bloomlab_says("bench " + (folder / "streams.json") + " --json --out " + (folder / "out"));
  INFO(said.err);
  const json rows = json::parse(said.out).at("streams").at("rows");
  REQUIRE(rows.size() == 2);
  for (const char* name : {"dry", "hash", "deduplicate", "deduplicate_net"}) {
    CHECK(rows[0].at("times").at(name).at("process_runs").size() == 2);
  }
  CHECK(rows[1].at("rate").at("queries") == 2 * 20000);
  CHECK(rows[1].at("rate").at("agrees") == true);
  // The full filter has 0.05; the mean over the stream is far below.
  CHECK(rows[1].at("rate").at("theory") < 0.02);
  CHECK(rows[1].at("rate").at("theory") > 0.001);
  const Said report = bloomlab_says("report " + (folder / "out"));
  CHECK(report.status == 0);
  CHECK_THAT(read(folder / "out/REPORT.md"), Catch::Contains("split_block"));
  const Said check = bloomlab_says("check " + (folder / "streams.json") + " --json");
  CHECK(check.status == 0);
  CHECK_THAT(check.out, Catch::Contains("memory_bytes"));
}

TEST_CASE("bench changes the process runs of a config with a page", "[cli][bench]") {
  const TemporaryFolder folder;
  const Said said = bloomlab_says("bench " BLOOMLAB_SOURCE_DIR
                                  "/configs/smoke/hash_speed.json --process-runs 2 --json --out " +
                                  (folder / "out"));
  INFO(said.err);
  REQUIRE(said.status != 2);
  const json speeds = json::parse(said.out).at("hash_speed");
  REQUIRE(!speeds.at("rows").empty());
  for (const json& row : speeds.at("rows")) CHECK(row.at("process_runs") == 2);
  CHECK_THAT(read(folder / "out/hash_speed.json"), Catch::Contains("hash_speed.page.md"));
}

TEST_CASE("bench refuses configs that yield no speeds", "[cli][bench]") {
  const TemporaryFolder folder;
  write(folder / "small.json", small_config());
  const Said said = bloomlab_says("bench " + (folder / "small.json"));
  CHECK(said.status == 2);
  CHECK(said.err == "bloomlab: " + (folder / "small.json") +
                        ": /kind: found \"false_positive_rate\"; bench takes throughput, "
                        "hash_speed, construction and deduplication; use `bloomlab run` for this "
                        "one\n");
}

TEST_CASE("a quick calibration writes the file that plan reads", "[cli][bench]") {
  const TemporaryFolder folder;
  const Said said = bloomlab_says("bench --calibrate --quick --out " + (folder / "machine.json"));
  INFO(said.err);
  REQUIRE(said.status == 0);
  const json file = json::parse(read(folder / "machine.json"));
  CHECK(file.at("format") == "bloomlab-calibration-1");
  CHECK(file.at("ladder").size() > 10);
  REQUIRE(file.at("filters").size() >= 20);
  for (const json& row : file.at("filters")) {
    INFO(row.dump());
    CHECK(row.at("filter") != "linear_list");  // at 10^7 keys it would take days
    CHECK(row.at("insert_ns") > 0);
    CHECK(row.at("negative_ns") > 0);
    CHECK(row.at("positive_ns") > 0);
    CHECK(row.at("memory_bytes") > 1000);
  }
  // One process run a lookahead is too few to choose: what is built in stays.
  const bloomlab::BatchTuning built_in;
  CHECK(file.at("tuning").size() == 4);
  CHECK(file.at("tuning").at("shared_lookahead") == built_in.shared_lookahead);
  CHECK(file.at("tuning").at("memory_lookahead") == built_in.memory_lookahead);
  CHECK(file.at("tuning").at("cached_bytes") <= file.at("tuning").at("shared_bytes"));
  const std::array<std::size_t, 3> candidates = {0, built_in.shared_lookahead,
                                                 built_in.memory_lookahead};
  REQUIRE(file.at("lookaheads").size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    const json& row = file.at("lookaheads")[i];
    INFO(row.dump());
    CHECK(row.at("lookahead") == candidates[i % 3]);
    CHECK(row.at("memory_bytes") == file.at("lookaheads")[i - i % 3].at("memory_bytes"));
    CHECK(row.at("cost_ns") > 0);
    CHECK(row.at("process_runs") == 1);
  }
  CHECK(file.at("lookaheads")[0].at("memory_bytes") < file.at("tuning").at("shared_bytes"));
  CHECK(file.at("lookaheads")[5].at("memory_bytes") >=
        4 * file.at("tuning").at("shared_bytes").get<double>());
  CHECK(bloomlab_says("plan --items 1000 --fpr 0.1 --calibration " + (folder / "machine.json"))
            .status == 0);
}

TEST_CASE("process runs use the calibration of this machine, and count the same", "[cli][bench]") {
  const TemporaryFolder folder;
  write(folder / "tiny.json", tiny_speed);
  std::filesystem::create_directories(folder / "cache/bloomlab");
  const auto conditions_with = [&](const std::string& out) {
    const Said said =
        shell("XDG_CACHE_HOME=" + (folder / "cache") + " \"$BLOOMLAB\" bench --json " +
              (folder / "tiny.json") + " --out " + (folder / out));
    INFO(said.err);
    REQUIRE(said.status <= 1);
    return json::parse(said.out).at("tiny").at("conditions");
  };
  CHECK(conditions_with("a").at("tuning").at("source") == "built_in");
  const json here = json::parse(read(folder / "a/tiny.json")).at("provenance").at("machine_id");
  const json tuning = {
      {"cached_bytes", 1}, {"shared_bytes", 2}, {"shared_lookahead", 3}, {"memory_lookahead", 16}};
  json calibration = {{"format", "bloomlab-calibration-1"},
                      {"provenance", {{"machine_id", here}}},
                      {"filters", json::array()},
                      {"tuning", tuning}};
  write(folder / "cache/bloomlab/calibration.json", calibration.dump());
  json expected = tuning;
  expected["source"] = "measured";
  CHECK(conditions_with("b").at("tuning") == expected);
  const auto tuned = observations_in(folder / "b/tiny.json");
  for (const auto& observation : tuned.at("observations")) {
    CHECK(observation.at("timing").at("lookahead") == 16);
  }
  CHECK(bloomlab_says("canon " + (folder / "a")).out ==
        bloomlab_says("canon " + (folder / "b")).out);
  calibration["provenance"]["machine_id"] = "another";
  write(folder / "cache/bloomlab/calibration.json", calibration.dump());
  const json foreign = conditions_with("c");
  CHECK(foreign.at("tuning").at("source") == "built_in");
  CHECK_THAT(foreign.at("warnings").dump(),
             Catch::Contains("measured on another machine: ignored"));
}

TEST_CASE("a calibration that has no place to go to is refused", "[cli][bench]") {
  const Said said = shell("env -u HOME -u XDG_CACHE_HOME \"$BLOOMLAB\" bench --calibrate --quick");
  CHECK(said.status == 2);
  CHECK(said.err ==
        "bloomlab: bench --calibrate: neither XDG_CACHE_HOME nor HOME is set; say where to write "
        "with --out\n");
}

TEST_CASE("a sweep is timed beside the naive way, and both count what theory says",
          "[cli][bench]") {
  const TemporaryFolder folder;
  const Said said = bloomlab_says("bench --sweep --quick --json --out " + (folder / "out"));
  INFO(said.err);
  CHECK(said.status == 0);
  const json sweep = json::parse(said.out);
  CHECK(sweep.at("cells").size() == 100);
  for (const char* way : {"naive_s", "one_thread_s", "two_threads_s"}) {
    CHECK(sweep.at(way).size() == 1);
    CHECK(sweep.at(way)[0] > 0.0);
  }
  for (const json& cell : sweep.at("cells")) {
    const double theory = cell.at("theory");
    // Ten standard deviations of 40 000 queries, and the spread of two filters' own rates.
    const double margin = 10.0 * std::sqrt(theory / 40'000.0) + 0.1 * theory;
    CAPTURE(cell.dump());
    CHECK(std::abs(cell.at("naive").get<double>() - theory) < margin);
    CHECK(std::abs(cell.at("sliced").get<double>() - theory) < margin);
  }
}
