// Filters that several threads build: what stands in them is what one thread builds.
#include <sched.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/parallel/insert_parallel.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/kinds/construction.hpp"
#include "experiments/speed/noise.hpp"
#include "experiments/speed/speed_implementation.hpp"
#include "experiments/speed/timed_keys.hpp"
#include "record/input_error.hpp"
#include "record/parameters_json.hpp"
#include "tests/experiments/engine_configs.hpp"

namespace bloomlab::experiments {
namespace {

using testing::TemporaryFolder;

constexpr std::size_t build_keys = 5000;

SpeedImplementation implementation_to_build(std::string_view name) {
  return make_speed_implementation(
      {.implementation = name, .hash = "multiply_mix_64", .n = build_keys, .bits_per_key = 10.0},
      11);
}

std::vector<std::string_view> built_by_threads() {
  std::vector<std::string_view> names;
  for (const std::string_view name : speed_implementation_names()) {
    if (speed_implementation_takes_threads(name)) names.push_back(name);
  }
  return names;
}

Config construction_of(const TemporaryFolder& folder, const std::string& grid,
                       const std::string& shared) {
  return read_config(folder.write(
      "build.json",
      R"({"$schema": "bloomlab-config-1", "kind": "construction", "title": "t", "question": "q",
          "seed": 7, "trials": 2, "absent_keys": 20000, "expected_flags": [], "shared_across": )" +
          shared + R"(, "grid": )" + grid + "}"));
}

}  // namespace

TEST_CASE("threads build what one thread builds, for every implementation that they can build",
          "[experiments][speed]") {
  TimedKeys inserted_keys(KeyLength::bytes_8);
  inserted_keys.take_range(KeyedPermutation(1), 0, build_keys);
  TimedKeys absent_keys(KeyLength::bytes_8);
  absent_keys.take_range(KeyedPermutation(1), build_keys, 20'000);
  const KeyBatch all = inserted_keys.batch();
  const std::vector<KeyBatch> shares = {all.slice(0, 1700), all.slice(1700, 0),
                                        all.slice(1700, build_keys - 1700)};
  for (const std::string_view name : built_by_threads()) {
    INFO(name);
    const SpeedImplementation alone = implementation_to_build(name);
    alone.implementation->insert(all);
    const SpeedImplementation together = implementation_to_build(name);
    std::vector<int> starts(shares.size(), 0);
    if (!together.implementation->insert_by_own_threads(all, shares.size())) {
      together.implementation->insert_by_threads(shares,
                                                 [&](unsigned thread) { ++starts[thread]; });
      CHECK(starts == std::vector<int>(shares.size(), 1));
    }
    const FilterState expected = alone.implementation->state();
    const FilterState state = together.implementation->state();
    CHECK(state.bits == expected.bits);
    CHECK(state.bits_set == expected.bits_set);
    CHECK(together.implementation->contents_checksum() ==
          alone.implementation->contents_checksum());
    CHECK(alone.implementation->contents_checksum().has_value() == !alone.filter.is_null());
    REQUIRE(state.layers.size() == expected.layers.size());
    CHECK(state.layers.front().keys == expected.layers.front().keys);
    CHECK(together.implementation->count_contained(all) ==
          (alone.filter.is_null() ? 0 : build_keys));
    CHECK(together.implementation->count_contained(absent_keys.batch()) ==
          alone.implementation->count_contained(absent_keys.batch()));
  }
}

TEST_CASE("threads of parallel_insert build what one thread of the filter builds",
          "[experiments][speed]") {
  TimedKeys inserted_keys(KeyLength::bytes_8);
  inserted_keys.take_range(KeyedPermutation(1), 0, 4 * keys_per_thread);
  const KeyBatch all = inserted_keys.batch();
  for (const std::string name : {"standard", "blocked", "split_block"}) {
    INFO(name);
    const auto filled = [&](const std::string& implementation) {
      const SpeedImplementation made = make_speed_implementation({.implementation = implementation,
                                                                  .hash = "multiply_mix_64",
                                                                  .n = all.size(),
                                                                  .bits_per_key = 10.0},
                                                                 11);
      if (!made.implementation->insert_by_own_threads(all, 3)) made.implementation->insert(all);
      CHECK(made.implementation->count_contained(all) == all.size());
      return made.implementation->contents_checksum();
    };
    CHECK(filled("parallel_" + name) == filled(name));
  }
}

TEST_CASE("filters that can be merged and the limits are built by threads",
          "[experiments][speed]") {
  CHECK(built_by_threads() ==
        std::vector<std::string_view>{"standard", "partitioned", "blocked", "register_blocked",
                                      "cache_sectorized", "split_block", "multiblock", "counting",
                                      "limit", "two_line_limit", "k_line_limit", "atomic_standard",
                                      "atomic_blocked", "atomic_split_block", "parallel_standard",
                                      "parallel_blocked", "parallel_split_block"});
  for (const char* name : {"cuckoo", "xor_filter", "sorted_vector", "student"}) {
    const std::vector<KeyBatch> none(2);
    CHECK_THROWS_WITH(
        implementation_to_build(name).implementation->insert_by_threads(none, [](unsigned) {}),
        "this implementation can be filled by one thread only");
  }
}

TEST_CASE("counts of a construction are the same for any number of threads",
          "[experiments][speed]") {
  const TemporaryFolder folder;
  const Config config = construction_of(
      folder,
      R"({"implementation": ["limit", "standard", "split_block", "blocked", "counting"], "n": 5001,
          "bits_per_key": 10, "threads": [1, 2, 3]})",
      R"(["/threads"])");
  const auto observations =
      testing::run_and_read(config, {.out = folder.path() / "out", .force = true}).observations;
  REQUIRE(observations.size() == 5 * 3 * 2);
  std::map<std::string, record::Json> counts;
  for (const auto& observation : observations) {
    INFO(observation.cell.dump());
    const std::string trial = observation.cell.at("implementation").get<std::string>() +
                              std::to_string(observation.trial);
    const auto [first, is_first] = counts.emplace(trial, observation.measured);
    CHECK(first->second == observation.measured);
    CHECK(is_first == (observation.cell.at("threads") == 1));
    CHECK(observation.measured.at("inserted") == 5001);
    if (observation.cell.at("implementation") == "limit") continue;
    CHECK(observation.measured.at("true_positives") == 5001);
    CHECK(observation.measured.at("bits_set") > 5001);
    CHECK(observation.measured.at("contents").get<std::string>().size() > 15);
  }
  CHECK(counts.size() == 10);
}

TEST_CASE("a construction counts the keys that a full filter turns away", "[experiments][speed]") {
  const TemporaryFolder folder;
  const Config config = construction_of(
      folder, R"({"implementation": "cuckoo", "n": 20000, "bits_per_key": 1})", "[]");
  const auto observations =
      testing::run_and_read(config, {.out = folder.path() / "out", .force = true}).observations;
  REQUIRE(observations.size() == 2);
  std::uint64_t all_denied = 0;
  for (const auto& observation : observations) {
    const record::Json& measured = observation.measured;
    const auto denied = measured.at("false_negatives").get<std::uint64_t>();
    all_denied += denied;
    CHECK(measured.at("refused").get<std::uint64_t>() >= denied);
    CHECK(measured.at("true_positives").get<std::uint64_t>() == 20'000 - denied);
  }
  CHECK(all_denied > 0);
}

TEST_CASE("a construction whose config names no threads is the cell that it was",
          "[experiments][speed]") {
  const TemporaryFolder folder;
  const Config config = construction_of(
      folder, R"({"implementation": "standard", "n": 1000, "bits_per_key": 10})", "[]");
  CHECK(config.cells.front().text() ==
        R"({"implementation":"standard","hash":"multiply_swap_64","n":1000,"bits_per_key":10.0,)"
        R"("pages":"huge"})");
}

#if defined(__linux__)
TEST_CASE("a thread that was bound is free again, and those that it starts",
          "[experiments][speed]") {
  const auto processors = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
  };
  int before = 0, bound = 0, freed = 0, started = 0;
  // In a thread of its own, so that the other tests stay where they are.
  std::thread([&] {
    before = processors();
    stay_on_one_processor(0);
    bound = processors();
    use_every_processor();
    freed = processors();
    std::thread([&] { started = processors(); }).join();
  }).join();
  CHECK(bound == 1);
  CHECK(freed >= before);
  CHECK(started == freed);
}
#endif

TEST_CASE("threads are bound to one processor of every core before to a second one of any",
          "[experiments][speed]") {
  const TemporaryFolder folder;
  const auto core = [&](int processor, const std::string& siblings) {
    const auto topology = folder.path() / ("cpu" + std::to_string(processor)) / "topology";
    std::filesystem::create_directories(topology);
    std::ofstream(topology / "thread_siblings_list") << siblings << '\n';
  };
  for (int processor = 0; processor < 8; ++processor) {
    core(processor, processor < 4 ? (processor < 2 ? "0-1" : "2-3")
                                  : std::to_string(processor % 2 + 4) + "," +
                                        std::to_string(processor % 2 + 6));
  }
  CHECK(cores_first({7, 6, 5, 4, 3, 2, 1, 0}, folder.path()) ==
        std::vector<int>{7, 6, 3, 1, 5, 4, 2, 0});
  CHECK(cores_first({3, 2, 0}, folder.path()) == std::vector<int>{3, 0, 2});
  // Where the system does not tell, every processor is a core.
  CHECK(cores_first({11, 10, 9}, folder.path()) == std::vector<int>{11, 10, 9});
}

TEST_CASE("memory is estimated for a filter a thread where filters are merged",
          "[experiments][speed]") {
  const TemporaryFolder folder;
  const auto bytes_of = [&](const std::string& implementation, const std::string& threads) {
    const Config config = construction_of(
        folder,
        R"({"implementation": ")" + implementation +
            R"(", "hash": "multiply_mix_64", "n": 1024, "bits_per_key": 16, "threads": )" +
            threads + "}",
        "[]");
    return Construction::memory_bytes(
        record::own_parameters_of<Construction::Point>(config.cells.front().json()));
  };
  CHECK(bytes_of("standard", "3") - bytes_of("standard", "1") == 2 * 2048);
  CHECK(bytes_of("parallel_standard", "3") - bytes_of("parallel_standard", "1") == 2 * 2048);
  CHECK(bytes_of("split_block", "3") == bytes_of("split_block", "1"));
  CHECK(bytes_of("atomic_standard", "3") == bytes_of("atomic_standard", "1"));
}

TEST_CASE("what threads cannot build is refused with what they can", "[experiments][speed]") {
  const TemporaryFolder folder;
  const auto grid = [](const std::string& implementation, const std::string& threads) {
    return R"({"implementation": ")" + implementation +
           R"(", "n": 1000, "bits_per_key": 10, "threads": )" + threads + "}";
  };
  CHECK_THROWS_WITH(
      construction_of(folder, grid("cuckoo", "2"), "[]"),
      Catch::EndsWith("build.json: /grid: \"cuckoo\" cannot be built by 2 threads; write "
                      "\"threads\": 1, or take one of \"standard\", \"partitioned\", \"blocked\", "
                      "\"register_blocked\", \"cache_sectorized\", \"split_block\", "
                      "\"multiblock\", \"counting\", \"limit\", \"two_line_limit\", "
                      "\"k_line_limit\", \"atomic_standard\", \"atomic_blocked\", "
                      "\"atomic_split_block\", \"parallel_standard\", \"parallel_blocked\", "
                      "\"parallel_split_block\""));
  CHECK_NOTHROW(construction_of(folder, grid("cuckoo", "1"), "[]"));
  CHECK_THROWS_AS(construction_of(folder, grid("standard", "0"), "[]"), record::InputError);
}

}  // namespace bloomlab::experiments
