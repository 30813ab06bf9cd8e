// How far ahead filters ask for memory: what a calibration chooses, and who uses it.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "experiments/config/reading.hpp"
#include "experiments/engine/process_run.hpp"
#include "experiments/kinds/construction.hpp"
#include "experiments/kinds/throughput.hpp"
#include "experiments/speed/machine_tuning.hpp"
#include "experiments/speed/speed_implementation.hpp"
#include "experiments/speed/tuning_choice.hpp"
#include "record/input_error.hpp"
#include "tests/experiments/engine_configs.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;
using testing::TemporaryFolder;

/// Seven process runs around a median.
LookaheadCost cost_of(std::size_t lookahead, double median, double spread) {
  LookaheadCost cost{.lookahead = lookahead, .process_runs = {}};
  for (int process_run = -3; process_run <= 3; ++process_run) {
    cost.process_runs.push_back(median + spread * process_run / 3.0);
  }
  return cost;
}

constexpr BatchTuning other_tuning = {
    .cached_bytes = 1000, .shared_bytes = 5000, .shared_lookahead = 8, .memory_lookahead = 128};

Json calibration_of(const std::string& machine_id) {
  return {{"format", "bloomlab-calibration-1"},
          {"provenance", {{"machine_id", machine_id}}},
          {"filters", Json::array()},
          {"tuning", tuning_json(other_tuning)}};
}

MachineTuning read_as(const TemporaryFolder& folder, const Json& json) {
  return machine_tuning(folder.write("machine.json", json.dump()), "this machine");
}

Config tuned_lookups(const TemporaryFolder& folder, const std::string& grid) {
  return read_config(folder.write(
      "speed.json",
      R"({"$schema": "bloomlab-config-1", "kind": "throughput", "title": "t", "question": "q",
          "seed": 7, "trials": 1, "queries": 2048, "repetitions": 1, "warm_up": 0,
          "absent_keys": 9000, "expected_flags": [], "grid": )" +
          grid + "}"));
}

std::vector<Json> counts_of(const std::vector<Measurement>& measurements) {
  std::vector<Json> counts;
  for (const Measurement& measurement : measurements) counts.push_back(measurement.measured);
  return counts;
}

}  // namespace

TEST_CASE("noise keeps the built-in lookahead", "[experiments][tuning]") {
  // Better by a twentieth, with process runs that differ by a fifth.
  const std::vector<LookaheadCost> costs = {cost_of(8, 9.5, 2), cost_of(32, 10, 2),
                                            cost_of(64, 9.6, 2)};
  CHECK(choose_lookahead(costs, 32) == 32);
}

TEST_CASE("a lookahead that is better beyond the noise is taken, the best of these",
          "[experiments][tuning]") {
  const std::vector<LookaheadCost> costs = {cost_of(0, 20, 0.3), cost_of(16, 9, 0.3),
                                            cost_of(32, 10, 0.3), cost_of(64, 8, 0.3),
                                            cost_of(128, 7.5, 6)};
  CHECK(choose_lookahead(costs, 32) == 64);
  CHECK(choose_lookahead(costs, 64) == 64);
  // All are better than none, also the one that varies most.
  CHECK(choose_lookahead(costs, 0) == 128);
}

TEST_CASE("few process runs choose nothing", "[experiments][tuning]") {
  std::vector<LookaheadCost> costs = {cost_of(32, 10, 0.1), cost_of(64, 5, 0.1)};
  CHECK(choose_lookahead(costs, 32) == 64);
  costs[1].process_runs.resize(fewest_process_runs_to_choose - 1);
  CHECK(choose_lookahead(costs, 32) == 32);
}

TEST_CASE("what is built in has to be measured too", "[experiments][tuning]") {
  const std::vector<LookaheadCost> costs = {cost_of(64, 5, 0.1)};
  CHECK_THROWS_WITH(choose_lookahead(costs, 32),
                    "choose_lookahead: the built-in lookahead, 32, was not measured");
}

TEST_CASE("sizes of caches are taken where three of them show", "[experiments][tuning]") {
  const BatchTuning built_in;
  const auto sizes_from = [](const std::vector<LatencyRung>& caches) {
    return with_measured_sizes({}, caches);
  };
  const std::vector<LatencyRung> three = {{32768, 1.6}, {262144, 4.4}, {12582912, 19.0}};
  CHECK(sizes_from(three).cached_bytes == 262144);
  CHECK(sizes_from(three).shared_bytes == 12582912);
  CHECK(sizes_from(three).shared_lookahead == built_in.shared_lookahead);
  CHECK(sizes_from(three).memory_lookahead == built_in.memory_lookahead);
  // A busy machine shows more steps than caches: a core's own is the first that is slower.
  const std::vector<LatencyRung> steps = {
      {24576, 1.6}, {32768, 2.5}, {131072, 5.2}, {524288, 9.0}, {4194304, 20.0}};
  CHECK(sizes_from(steps).cached_bytes == 131072);
  CHECK(sizes_from(steps).shared_bytes == 4194304);
  CHECK(sizes_from({}) == built_in);
  CHECK(sizes_from({{32768, 1.6}}) == built_in);
  CHECK(sizes_from({{32768, 1.6}, {4194304, 20.0}}) == built_in);
  CHECK(sizes_from({{32768, 1.6}, {262144, 4.4}, {393216, 6.0}}) == built_in);
}

TEST_CASE("the tuning of this machine is read, none is built in", "[experiments][tuning]") {
  const TemporaryFolder folder;
  const MachineTuning read = read_as(folder, calibration_of("this machine"));
  CHECK(read.measured);
  CHECK(read.tuning == other_tuning);
  CHECK(read.warnings.empty());
  CHECK(provenance_of(read) == Json{{"source", "measured"},
                                    {"cached_bytes", 1000},
                                    {"shared_bytes", 5000},
                                    {"shared_lookahead", 8},
                                    {"memory_lookahead", 128}});
  Json older = calibration_of("this machine");
  older.erase("tuning");
  for (const MachineTuning& none :
       {read_as(folder, older), machine_tuning(folder.path() / "missing.json", "this machine"),
        machine_tuning({}, "this machine")}) {
    CHECK_FALSE(none.measured);
    CHECK(none.tuning == BatchTuning());
    CHECK(none.warnings.empty());
    CHECK(provenance_of(none).at("source") == "built_in");
  }
}

TEST_CASE("a calibration that is broken or another machine's is ignored with a warning",
          "[experiments][tuning]") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "machine.json").string();
  const std::string end =
      ": ignored, the tuning is the built-in one; write it anew with bloomlab bench --calibrate";
  const auto warning_of = [&](const Json& json) {
    const MachineTuning read = read_as(folder, json);
    CHECK_FALSE(read.measured);
    CHECK(read.tuning == BatchTuning());
    REQUIRE(read.warnings.size() == 1);
    return read.warnings.front();
  };
  const auto with = [](const char* pointer, const Json& value) {
    Json json = calibration_of("this machine");
    json[Json::json_pointer(pointer)] = value;
    return json;
  };
  CHECK(warning_of(calibration_of("another machine")) ==
        file + ": measured on another machine" + end);
  CHECK(warning_of(with("/provenance", 7)) == file + ": measured on another machine" + end);
  CHECK(warning_of(with("/format", 7)) ==
        file + ": no calibration of the format bloomlab-calibration-1" + end);
  CHECK(warning_of(Json::array()) ==
        file + ": no calibration of the format bloomlab-calibration-1" + end);
  CHECK(warning_of(with("/tuning/memory_lookahead", 257)) ==
        file +
            ": /tuning/memory_lookahead: found 257; memory_lookahead must be an integer from 0 to "
            "256" +
            end);
  CHECK(warning_of(with("/tuning/cached_bytes", 5001)) ==
        file +
            ": /tuning: found cached_bytes = 5001 above shared_bytes = 5000; a core's own cache "
            "is the smaller one" +
            end);
  const auto broken = machine_tuning(folder.write("broken.json", "{"), "this machine");
  REQUIRE(broken.warnings.size() == 1);
  CHECK_THAT(broken.warnings.front(),
             Catch::StartsWith((folder.path() / "broken.json").string() + ": line 1, column 2: ") &&
                 Catch::EndsWith(end));
}

TEST_CASE("implementations that ask ahead do as their setup says", "[experiments][tuning]") {
  for (const std::string_view name : speed_implementation_names()) {
    INFO(name);
    if (!speed_implementation_is_available(name)) continue;
    const SpeedImplementation made = make_speed_implementation({.implementation = name,
                                                                .hash = "multiply_mix_64",
                                                                .n = 8000,
                                                                .bits_per_key = 10.0,
                                                                .tuning = BatchTuning::always(48)},
                                                               11);
    REQUIRE(made.implementation->tuning().has_value() == speed_implementation_is_tuned(name));
    if (!speed_implementation_is_tuned(name)) continue;
    CHECK(made.implementation->tuning() == BatchTuning::always(48));
    CHECK(lookahead_of(*made.implementation) == 48);
  }
}

TEST_CASE("a process run uses the tuning of its request, and a point's own lookahead before it",
          "[experiments][tuning]") {
  const TemporaryFolder folder;
  const Config config = tuned_lookups(
      folder, R"({"implementation": ["limit", "standard", "split_block"], "n": [400, 2000, 10000],
                  "bits_per_key": 10})");
  for (const Cell& cell : config.cells) {
    INFO(cell.text());
    ProcessRunRequest request{config.kind, config.json, cell.json(), 5};
    const auto usual = measure_here(request);
    request.tuning = other_tuning;
    const auto tuned = measure_here(request);
    CHECK(counts_of(tuned) == counts_of(usual));
    CHECK(usual.front().timing.at("lookahead") == 0);
    const std::uint64_t n = cell.json().at("n").get<std::uint64_t>();
    CHECK(tuned.front().timing.at("lookahead") == (n == 400 ? 0 : n == 2000 ? 8 : 128));
    request.cell["lookahead"] = 24;
    const auto asked = measure_here(request);
    CHECK(counts_of(asked) == counts_of(usual));
    CHECK(asked.front().timing.at("lookahead") == 24);
  }
}

TEST_CASE("what is built has the tuning of its request too", "[experiments][tuning]") {
  const ProcessRunRequest usual{.kind = "construction",
                                .config = {{"absent_keys", 5000}},
                                .cell = {{"implementation", "split_block"},
                                         {"n", 10000},
                                         {"bits_per_key", 10},
                                         {"threads", 2}},
                                .seed = 5};
  ProcessRunRequest tuned = usual;
  tuned.tuning = other_tuning;
  const auto with = measure_here(tuned);
  CHECK(counts_of(with) == counts_of(measure_here(usual)));
  CHECK(with.front().timing.at("lookahead") == 128);
}

TEST_CASE("a run tunes its process runs by the calibration and says so", "[experiments][tuning]") {
  const TemporaryFolder folder;
  const Config config =
      tuned_lookups(folder, R"({"implementation": "split_block", "n": 2000, "bits_per_key": 10})");
  std::vector<BatchTuning> tunings;
  RunOptions options{.out = folder.path() / "out", .force = true};
  options.process_run = [&](const ProcessRunRequest& request) {
    tunings.push_back(request.tuning);
    return measure_here(request);
  };
  const auto plain = testing::run_and_read(config, options);
  CHECK(plain.provenance.at("speed").at("tuning").at("source") == "built_in");
  const std::string counts = testing::canonical_text_of(options.out / "speed.json");

  const std::string here = identity_of(config).machine;
  options.calibration = folder.write("machine.json", calibration_of(here).dump());
  const auto tuned = testing::run_and_read(config, options);
  CHECK(tuned.provenance.at("speed").at("tuning").at("source") == "measured");
  CHECK(tuned.provenance.at("speed").at("tuning").at("memory_lookahead") == 128);
  CHECK(testing::canonical_text_of(options.out / "speed.json") == counts);

  options.calibration = folder.write("machine.json", calibration_of("another").dump());
  const auto foreign = testing::run_and_read(config, options);
  CHECK(foreign.provenance.at("speed").at("tuning").at("source") == "built_in");
  bool warned = false;
  for (const Json& warning : foreign.provenance.at("speed").at("warnings")) {
    warned = warned || warning.get<std::string>().find("measured on another machine: ignored") !=
                           std::string::npos;
  }
  CHECK(warned);
  CHECK(tunings == std::vector<BatchTuning>{BatchTuning(), other_tuning, BatchTuning()});
}

TEST_CASE("a lookahead of those that do not ask ahead is refused", "[experiments][tuning]") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(
      tuned_lookups(folder, R"({"implementation": "counting", "n": 1000, "bits_per_key": 10,
                                "lookahead": 16})"),
      Catch::EndsWith("speed.json: /grid: \"counting\" does not ask for memory ahead; leave out "
                      "\"lookahead\", or take one of \"standard\", \"blocked\", "
                      "\"register_blocked\", \"cache_sectorized\", \"split_block\", "
                      "\"multiblock\", \"random_line\", \"limit\", \"two_line_limit\", "
                      "\"k_line_limit\""));
  CHECK_THROWS_AS(
      tuned_lookups(folder, R"({"implementation": "standard", "n": 1000, "bits_per_key": 10,
                                            "lookahead": 257})"),
      record::InputError);
}

}  // namespace bloomlab::experiments
