// Runs that must fail, and what they leave.
#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>

#include "experiments/cells/implementation_factory.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/journal.hpp"
#include "experiments/engine/run.hpp"
#include "foreign/failure.hpp"
#include "record/input_error.hpp"
#include "tests/experiments/engine_configs.hpp"

namespace bloomlab::experiments {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

/// Forgets the first key that it is given.
class Forgetful final : public Implementation {
 public:
  explicit Forgetful(std::unique_ptr<Implementation> implementation)
      : implementation_(std::move(implementation)) {}

  void insert(const KeyBatch& keys) override {
    implementation_->insert(forgot_ ? keys : keys.slice(1, keys.size() - 1));
    forgot_ = true;
  }
  std::uint64_t count_contained(const KeyBatch& keys) override {
    return implementation_->count_contained(keys);
  }
  FilterState state() const override { return implementation_->state(); }
  bool grows() const noexcept override { return implementation_->grows(); }

 private:
  std::unique_ptr<Implementation> implementation_;
  bool forgot_ = false;
};

Config wide_config(const TemporaryFolder& folder,
                   const std::string& kind = R"("false_positive_rate")",
                   const std::string& further = "") {
  // So wide that no other key hides the forgotten one.
  return testing::config_with(folder, R"({"keys": {"source": "uniform"}, "n": 100,
    "filter": {"kind": "standard", "m": 1000000, "k": [5, 7]},
    "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}})",
                              "[]", kind, further);
}

RunOptions with_forgetful_filter(const fs::path& out, std::uint64_t k) {
  RunOptions options{.out = out, .jobs = 1};
  options.make_implementation = [k](const Cell& cell,
                                    std::uint64_t seed) -> std::unique_ptr<Implementation> {
    auto implementation = make_implementation(cell, seed);
    if (cell.json().at("filter").at("k") != k) return implementation;
    return std::make_unique<Forgetful>(std::move(implementation));
  };
  return options;
}

}  // namespace

TEST_CASE("one false negative fails the run, names the cell and writes no result",
          "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = wide_config(folder);
  const auto options = with_forgetful_filter(folder.path() / "out", 7);
  CHECK_THROWS_AS(run(config, options), record::RunError);
  CHECK_THROWS_WITH(
      run(config, options),
      config.path.string() + ": cell " + config.cells[1].text() +
          ", trial 0: the filter denies 1 of 100 inserted keys, having turned away 0; "
          "only counters that wrap may deny a key that they were given: choose "
          "another overflow, else it is a defect of the filter: report this line");
  CHECK_FALSE(fs::exists(folder.path() / "out" / "config.json"));
}

TEST_CASE("a filter may deny the keys that it turned away, and the result says how many",
          "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = testing::config_with(folder, R"({"keys": {"source": "uniform"}, "n": 1000,
    "filter": {"kind": "cuckoo", "fingerprint_bits": 32, "bucket_size": 4, "buckets": 16},
    "hash": {"name": "xxhash3_64"}})",
                                             "[]");
  const auto result = testing::run_and_read(config, {.out = folder.path() / "out", .jobs = 1});
  REQUIRE_FALSE(result.observations.empty());
  for (const auto& observation : result.observations) {
    const auto& measured = observation.measured;
    const auto refused = measured.at("refused").get<std::uint64_t>();
    CHECK(refused >= 1000 - 64 - 1);  // 64 slots and the victim
    CHECK(measured.at("false_negatives").get<std::uint64_t>() <= refused);
    CHECK(measured.at("false_negatives").get<std::uint64_t>() >= 900);
  }
}

TEST_CASE("a false negative in a step of growth fails the run", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = wide_config(folder, R"("growth")", R"("steps": 3, )");
  CHECK_THROWS_WITH(run(config, with_forgetful_filter(folder.path() / "out", 5)),
                    Catch::Contains("the filter denies 1 of 34 inserted keys"));
}

TEST_CASE("a filter that fails otherwise fails the run with cell and trial", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = wide_config(folder);
  RunOptions options{.out = folder.path() / "out", .jobs = 1};
  options.make_implementation = [](const Cell&, std::uint64_t) -> std::unique_ptr<Implementation> {
    throw std::length_error("cannot grow");
  };
  CHECK_THROWS_WITH(run(config, options), config.path.string() + ": cell " +
                                              config.cells[1].text() + ", trial 0: cannot grow");
}

TEST_CASE("a failure among trials that stop together names cell and trial", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = read_config(folder.write("joined.json", R"({
    "$schema": "bloomlab-config-1", "kind": "false_positive_rate", "title": "t", "question": "q",
    "seed": 1, "trials": 10, "shared_across": [], "expected_flags": [],
    "precision": {"relative": 0.1, "of": "ensemble", "max_queries": 100000},
    "grid": {"keys": {"source": "uniform"}, "n": 100,
             "filter": {"kind": "standard", "m": 1000, "k": 3},
             "hash": {"name": "xxhash3_64", "probe": "independent",
                      "reduction": "multiply_shift"}}})"));
  RunOptions options{.out = folder.path() / "out", .jobs = 1};
  options.make_implementation = [made = 0](const Cell& cell, std::uint64_t seed) mutable {
    if (made++ == 4) throw std::length_error("cannot grow");
    return make_implementation(cell, seed);
  };
  CHECK_THROWS_WITH(run(config, options), config.path.string() + ": cell " +
                                              config.cells[0].text() + ", trial 4: cannot grow");
}

namespace {

Config config_with_foreign_filter(const TemporaryFolder& folder) {
  return testing::config_with(folder, R"({"keys": {"source": "uniform"}, "n": 100,
    "filter": [{"kind": "standard", "m": 1000, "k": 5}, {"kind": "command", "command": ["true"]}],
    "hash": {"name": "xxhash3_64"}})");
}

/// Gives the filter from outside its turn only where `fault` does not throw.
RunOptions with_fault(const Config& config, const fs::path& out, std::function<void()> fault) {
  RunOptions options{.out = out, .jobs = 2};
  options.make_implementation = [&config, fault](const Cell& cell, std::uint64_t seed) {
    if (cell.filter == "command") fault();
    return make_implementation(config.cells[0], seed);
  };
  return options;
}

}  // namespace

TEST_CASE("a fault of the system is tried again, and is no result of a filter from outside",
          "[experiments][run][foreign]") {
  const TemporaryFolder folder;
  const Config config = config_with_foreign_filter(folder);
  std::atomic<int> faults = 0;
  const auto once = [&] {
    if (faults++ == 0) throw foreign::SystemFault("true: cannot open a pipe");
  };
  const auto outcome = run(config, with_fault(config, folder.path() / "once", once));
  CHECK(faults == 4);
  CHECK(outcome.lacking.empty());
  const auto without = [] {};
  CHECK(run(config, with_fault(config, folder.path() / "out", without)).lacking.empty());
  CHECK(testing::canonical_text_of(folder.path() / "once" / "config.json") ==
        testing::canonical_text_of(folder.path() / "out" / "config.json"));
}

TEST_CASE("a cell that the system keeps from its turn has no result, and the others have theirs",
          "[experiments][run][foreign]") {
  const TemporaryFolder folder;
  const Config config = config_with_foreign_filter(folder);
  const fs::path out = folder.path() / "out";
  const bool by_memory = GENERATE(false, true);
  const auto always = [&] {
    if (by_memory) throw std::bad_alloc();
    throw foreign::SystemFault("true: cannot open a pipe");
  };
  const auto outcome = run(config, with_fault(config, out, always));
  REQUIRE(outcome.lacking.size() == 1);
  CHECK(outcome.lacking[0].trials == 3);
  CHECK(outcome.lacking[0].of_system);
  CHECK(
      outcome.lacking[0].reason ==
      std::string("true: ") +
          (by_memory ? "out of memory; run fewer jobs or a smaller config" : "cannot open a pipe") +
          "; this is a fault of the system, not of the filter: run again to measure what lacks");
  const auto file = record::read_result_file(outcome.path);
  CHECK(file.observations.size() == 3);
  CHECK(file.provenance.at("complete") == false);
  // The next run measures what lacks.
  const auto again = run(config, with_fault(config, out, [] {}));
  CHECK(again.observations_kept == 3);
  CHECK(again.units_measured == 3);
  CHECK(again.lacking.empty());
  CHECK(record::read_result_file(outcome.path).provenance.at("complete") == true);

  RunOptions shard = with_fault(config, out, always);
  shard.shard = Shard{2, 2};
  const auto lacking = run(config, shard);
  CHECK(lacking.lacking.size() == 1);
  CHECK_FALSE(fs::exists(lacking.path));
  REQUIRE_FALSE(lacking.notices.empty());
  CHECK_THAT(lacking.notices.back(), Catch::Contains(": not written, as cells lack results; "));
}

TEST_CASE("bad input that a trial in a process of its own meets is bad input of the run",
          "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = read_config(folder.write("by_process_runs.json", R"({
    "$schema": "bloomlab-config-1", "kind": "hash_speed", "title": "t", "question": "q",
    "seed": 1, "trials": 1, "queries": 1024, "repetitions": 1, "warm_up": 0,
    "expected_flags": [], "grid": {"hash": "xxhash3_64", "key_length": "8", "words": 1}})"));
  RunOptions options{.out = folder.path() / "out", .jobs = 1};
  options.process_run = [](const ProcessRunRequest&) -> std::vector<Measurement> {
    throw record::InputError("keys.txt: no such file");
  };
  CHECK_THROWS_MATCHES(run(config, options), record::InputError,
                       Catch::Matchers::Message("keys.txt: no such file"));
  options.process_run = [](const ProcessRunRequest&) -> std::vector<Measurement> {
    throw std::bad_alloc();
  };
  CHECK_THROWS_MATCHES(
      run(config, options), record::RunError,
      Catch::Matchers::Message(config.path.string() + ": cell " + config.cells[0].text() +
                               ", trial 0: out of memory; run fewer jobs or a smaller config"));
}

TEST_CASE("units that were finished before a failure are not measured again",
          "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = wide_config(folder);
  CHECK_THROWS(run(config, with_forgetful_filter(folder.path() / "out", 5)));
  const auto outcome = run(config, {.out = folder.path() / "out", .jobs = 1});
  CHECK(outcome.observations_kept == 3);  // the three trials of k = 7, the dearer ones
  CHECK(outcome.units_measured == 3);
}

TEST_CASE("two runs of one result at once are refused", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = wide_config(folder);
  const fs::path path = folder.path() / "out" / ".partial" / "config.jsonl";
  const Journal other(path, identity_of(config));
  CHECK_THROWS_WITH(
      run(config, {.out = folder.path() / "out"}),
      path.string() + ": another run is writing this result; wait for it, or use another --out");
}

TEST_CASE("a folder that cannot be written fails the run", "[experiments][run]") {
  const TemporaryFolder folder;
  const Config config = wide_config(folder);
  const fs::path file = folder.write("file", "");
  CHECK_THROWS_WITH(run(config, {.out = file / "sub"}),
                    file.string() + ": is no folder; name one by --out");
}

}  // namespace bloomlab::experiments
