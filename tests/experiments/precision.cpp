// Stopping at a precision: what stops, when, and that nothing about it depends on the work's order.
#include <catch2/catch.hpp>
#include <map>

#include "experiments/config/config.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/run.hpp"
#include "record/input_error.hpp"
#include "statistics/sequential.hpp"
#include "tests/experiments/engine_configs.hpp"

namespace bloomlab::experiments {
namespace {

using testing::TemporaryFolder;

std::string config_text(const std::string& precision, const std::string& trials = "12",
                        const std::string& n = "[100, 3000]") {
  return R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate", "title": "t",
    "question": "q", "seed": 42, "trials": )" +
         trials + ", " + precision + R"(, "grid": {"keys": {"source": "uniform"}, "n": )" + n +
         R"(, "filter": {"kind": "standard", "m": {"per_n": 8}, "k": [3, 6]},
             "hash": {"name": "xxhash3_64"}}})";
}

record::ResultFile measured_with(const TemporaryFolder& folder, const std::string& precision,
                                 const RunOptions& options = {}) {
  RunOptions with_folder = options;
  with_folder.out = folder.path() / "out";
  return testing::run_and_read(read_config(folder.write("p.json", config_text(precision))),
                               with_folder);
}

std::uint64_t count_of(const record::Observation& observation, const char* key) {
  return observation.measured.at(key).get<std::uint64_t>();
}

std::uint64_t asked(const record::Observation& observation) {
  return count_of(observation, "false_positives") + count_of(observation, "true_negatives");
}

std::string fault_of(const std::string& text) {
  const TemporaryFolder folder;
  try {
    static_cast<void>(read_config(folder.write("p.json", text)));
  } catch (const record::InputError& error) {
    const std::string message = error.what();
    return message.substr(message.find(": ") + 2);
  }
  return "";
}

TEST_CASE("a filter is asked up to the first batch end that is precise enough", "[precision]") {
  const TemporaryFolder folder;
  const auto file = measured_with(folder, R"("precision": {"relative": 0.08, "level": 0.9})");
  REQUIRE(file.observations.size() == 48);
  const std::uint64_t needed = statistics::needed_hits({0.08, 0.9});
  for (const auto& observation : file.observations) {
    CHECK(observation.measured.at("stopped_by") == "precision");
    const std::uint64_t hits = count_of(observation, "false_positives");
    CHECK(statistics::precise_enough(hits, asked(observation), needed));
    std::uint64_t end = 0;
    while (end < asked(observation)) end = statistics::next_batch_end(end);
    CHECK(end == asked(observation));
  }
}

TEST_CASE("a fixed number of hits ends with the query that brought it", "[precision]") {
  const TemporaryFolder folder;
  const TemporaryFolder other;
  const auto file = measured_with(folder, R"("precision": {"hits": 50})");
  const auto longer = measured_with(other, R"("precision": {"hits": 51})");
  for (std::size_t i = 0; i < file.observations.size(); ++i) {
    CHECK(file.observations[i].measured.at("stopped_by") == "hits");
    CHECK(count_of(file.observations[i], "false_positives") == 50);
    CHECK(asked(file.observations[i]) < asked(longer.observations[i]));
  }
}

TEST_CASE("an ensemble stops together, or because its filters differ too much", "[precision]") {
  const TemporaryFolder folder;
  const auto file = measured_with(folder, R"("precision": {"relative": 0.06, "of": "ensemble"})");
  std::map<std::string, std::vector<record::Observation>> cells;
  for (const auto& observation : file.observations) {
    cells[observation.cell.dump()].push_back(observation);
  }
  REQUIRE(cells.size() == 4);
  std::map<std::string, int> reasons;
  for (const auto& [text, trials] : cells) {
    std::vector<std::uint64_t> hits;
    for (const auto& trial : trials) {
      CHECK(asked(trial) == asked(trials.front()));
      CHECK(trial.measured.at("stopped_by") == trials.front().measured.at("stopped_by"));
      hits.push_back(count_of(trial, "false_positives"));
    }
    const auto reason = trials.front().measured.at("stopped_by").get<std::string>();
    ++reasons[reason];
    const auto decision = statistics::EnsemblePrecision({0.06, 0.95}, hits.size())
                              .decide(hits, asked(trials.front()));
    CHECK((decision == statistics::Precision::reached) == (reason == "precision"));
  }
  // 12 filters of 100 keys and 6 probes differ by about 15 %: their mean is known to 9 % at best.
  CHECK(reasons["precision"] >= 2);
  CHECK(reasons["spread"] >= 1);
}

TEST_CASE("questions end at max_queries", "[precision]") {
  const TemporaryFolder folder;
  const auto file =
      measured_with(folder, R"("precision": {"relative": 0.01, "max_queries": 10000})");
  for (const auto& observation : file.observations) {
    CHECK(observation.measured.at("stopped_by") == "max_queries");
    CHECK(asked(observation) == 10000);
  }
}

TEST_CASE("a precise run is the same for any number of jobs and by shards", "[precision]") {
  const std::string precision = R"("precision": {"relative": 0.06, "of": "ensemble"})";
  const TemporaryFolder one;
  const TemporaryFolder two;
  const TemporaryFolder shards;
  const auto whole = record::canonical_text(measured_with(one, precision, {.jobs = 1}));
  CHECK(record::canonical_text(measured_with(two, precision, {.jobs = 2})) == whole);
  for (std::uint64_t i = 1; i <= 2; ++i) {
    static_cast<void>(measured_with(shards, precision, {.shard = Shard{i, 2}}));
  }
  CHECK(record::canonical_text(measured_with(shards, precision)) == whole);
}

TEST_CASE("faults of a precision are named", "[precision][config]") {
  CHECK(fault_of(config_text(R"("precision": {"relative": 0.05, "hits": 10})")) ==
        R"(precision: both "relative" and "hits" given; write one of them)");
  CHECK(fault_of(config_text(R"("precision": {"level": 0.9})")) ==
        R"(precision: neither "relative" nor "hits" given; write one of them)");
  CHECK(
      fault_of(config_text(R"("precision": {"relative": 0.05, "of": "ensemble"})", "9")) ==
      R"(precision: the ensemble's rate needs at least 10 trials, found 9; write more trials, or "of": "filter")");
  CHECK(
      fault_of(config_text(R"("precision": {"hits": 5, "of": "ensemble"})")) ==
      R"(precision: a fixed number of hits speaks of one filter; write "of": "filter", or "relative")");
  CHECK(fault_of(config_text(R"("precision": {"relative": 0.2})")) ==
        "/precision/relative: found 0.2; relative must be a number in (0, 0.1]");
  CHECK(fault_of(config_text(R"("precision": {"relativ": 0.05})")) ==
        R"(/precision/relativ: unknown key "relativ"; did you mean "relative"?)");
  CHECK(
      fault_of(config_text(R"("queries": 10, "precision": {"hits": 5})")) ==
      R"(both "queries" and "precision" given; write one of them: the number of absent keys to ask, or what to reach)");
  CHECK(
      fault_of(config_text(R"("shared_across": [])")) ==
      R"(neither "queries" nor "precision" given; write one of them: the number of absent keys to ask, or what to reach)");
}

}  // namespace
}  // namespace bloomlab::experiments
