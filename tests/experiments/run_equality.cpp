// One config, many ways to run it: the same text.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <string>

#include "experiments/engine/journal.hpp"
#include "experiments/engine/run.hpp"
#include "experiments/engine/shard_set.hpp"
#include "tests/experiments/engine_configs.hpp"
#include "tests/read_text.hpp"

namespace bloomlab::experiments {
namespace {

namespace fs = std::filesystem;
using testing::canonical_text_of;
using testing::mixed_config;
using testing::TemporaryFolder;

/// What a run with one thread writes.
std::string reference(const Config& config, const TemporaryFolder& folder) {
  const auto outcome = run(config, {.out = folder.path() / "reference", .jobs = 1});
  CHECK(outcome.status == RunOutcome::Status::measured);
  CHECK_FALSE(fs::exists(folder.path() / "reference" / ".partial"));
  return canonical_text_of(outcome.path);
}

/// A run of `config` into `out` that kills itself (SIGKILL) when it has finished `units` units.
void run_and_be_killed(const Config& config, const fs::path& out, std::uint64_t units) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    RunOptions options{.out = out, .jobs = 2};
    options.progress = [&](const Progress& progress) {
      if (progress.units_done >= units) kill(getpid(), SIGKILL);
    };
    static_cast<void>(run(config, options));
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  REQUIRE(WTERMSIG(status) == SIGKILL);
}

}  // namespace

TEST_CASE("two threads give the same results as one", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = mixed_config(folder);
  const std::string expected = reference(config, folder);
  for (const unsigned jobs : {2U, 7U}) {
    const auto outcome = run(config, {.out = folder.path() / std::to_string(jobs), .jobs = jobs});
    CHECK(canonical_text_of(outcome.path) == expected);
  }
}

TEST_CASE("three shards merged give the same results as one run", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = mixed_config(folder);
  const std::string expected = reference(config, folder);
  const fs::path out = folder.path() / "shards";
  for (const std::uint64_t index : {3U, 1U, 2U}) {
    const auto outcome = run(config, {.out = out, .jobs = 2, .shard = Shard{index, 3}});
    CHECK(outcome.path == out / ("config.shard-" + std::to_string(index) + "-of-3.json"));
    CHECK(outcome.cells == 8);
  }
  const auto merged = run(config, {.out = out});
  CHECK(merged.status == RunOutcome::Status::merged);
  CHECK(merged.message() == (out / "config.json").string() + ": merged from its shards");
  CHECK(canonical_text_of(out / "config.json") == expected);
  CHECK(run(config, {.out = out}).status == RunOutcome::Status::up_to_date);
}

TEST_CASE("a run killed by SIGKILL continues and gives the same results", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = mixed_config(folder);
  const std::string expected = reference(config, folder);
  const fs::path out = folder.path() / "killed";
  run_and_be_killed(config, out, 5);
  CHECK_FALSE(fs::exists(out / "config.json"));
  CHECK(fs::exists(out / ".partial" / "config.jsonl"));
  const auto resumed = run(config, {.out = out, .jobs = 2});
  CHECK(resumed.status == RunOutcome::Status::measured);
  CHECK(resumed.observations_kept >= 5);
  CHECK(resumed.units_measured <= 8 * 3 + 24 - 5);
  CHECK(canonical_text_of(resumed.path) == expected);
  CHECK_FALSE(fs::exists(out / ".partial"));
}

TEST_CASE("a journal cut anywhere is continued to the same results", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = mixed_config(folder);
  const std::string expected = reference(config, folder);
  const fs::path out = folder.path() / "cut";
  run_and_be_killed(config, out, 6);
  const fs::path journal = out / ".partial" / "config.jsonl";
  const std::string whole = read_text(journal);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{10}, whole.find('\n'), whole.size() / 2, whole.size() - 1}) {
    fs::create_directories(journal.parent_path());
    std::ofstream(journal, std::ios::binary) << whole.substr(0, size);
    fs::remove(out / "config.json");
    CHECK(canonical_text_of(run(config, {.out = out}).path) == expected);
  }
}

TEST_CASE("a cell run alone by --only equals the same cell in the whole run",
          "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = mixed_config(folder);
  static_cast<void>(reference(config, folder));
  const auto whole = record::read_result_file(folder.path() / "reference" / "config.json");
  for (const std::size_t number : {0U, 1U, 2U, 3U, 5U, 23U}) {
    const Cell& cell = config.cells[number];
    const auto alone = testing::run_and_read(
        config, {.out = folder.path() / std::to_string(number), .only = cell.text()});
    record::ResultFile expected = whole;
    expected.observations.erase_if(
        [&](const auto& observation) { return observation.cell != cell.json(); });
    REQUIRE(expected.observations.size() == 3);
    CHECK(record::canonical_text(alone) == record::canonical_text(expected));
    CHECK(alone.provenance.at("complete") == false);
  }
}

TEST_CASE("cells run one by one fill the file of the whole run", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = mixed_config(folder);
  const std::string expected = reference(config, folder);
  const fs::path out = folder.path() / "filled";
  static_cast<void>(run(config, {.out = out, .only = "\"scalable\""}));
  static_cast<void>(run(config, {.out = out, .only = "\"k\":3"}));
  const auto rest = run(config, {.out = out});
  CHECK(rest.observations_kept == 3 * (4 + 4));
  CHECK(canonical_text_of(rest.path) == expected);
  CHECK(record::read_result_file(rest.path).provenance.at("complete") == true);
}

TEST_CASE("growth is the same for any jobs, and its steps stand in order", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = testing::config_with(folder, R"({"keys": {"source": "uniform"}, "n": 1000,
    "filter": [{"kind": "standard", "m": 9000, "k": [3, 7]},
               {"kind": "scalable_untightened", "m": 1000, "k": 5, "fp": 0.02}],
    "hash": {"name": "fnv1a_64", "probe": "double_hashing", "reduction": "modulo"}})",
                                             R"(["/filter"])", R"("growth")", R"("steps": 7, )");
  const auto one = testing::run_and_read(config, {.out = folder.path() / "1", .jobs = 1});
  const auto two = testing::run_and_read(config, {.out = folder.path() / "2", .jobs = 2});
  CHECK(record::canonical_text(one) == record::canonical_text(two));
  REQUIRE(one.observations.size() == 3 * 3 * 7);
  for (std::size_t i = 0; i < one.observations.size(); ++i) {
    CHECK(one.observations[i].step == i % 7 + 1);
    CHECK(one.observations[i].trial == i / 7 % 3);
  }
}

}  // namespace bloomlab::experiments
