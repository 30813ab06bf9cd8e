// What the kinds measure, and how it is written.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "experiments/cells/cell_names.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/run.hpp"
#include "experiments/kinds/catalogue.hpp"
#include "experiments/kinds/growth.hpp"
#include "record/strict_json.hpp"
#include "tests/experiments/engine_configs.hpp"
#include "tests/paths.hpp"

namespace bloomlab::experiments {
namespace {

using testing::TemporaryFolder;

std::uint64_t count(const record::Observation& observation, const char* key) {
  return observation.measured.at(key).get<std::uint64_t>();
}

std::string grid(const std::string& n, const std::string& filter) {
  return R"({"keys": {"source": "uniform"}, "n": )" + n + R"(, "filter": )" + filter +
         R"(, "hash": {"name": "xxhash3_64", "probe": "independent",
            "reduction": "multiply_shift"}})";
}

std::vector<std::string> names_of(const record::Json& json) {
  std::vector<std::string> names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("the page of configs lists every kind", "[experiments][kinds]") {
  const std::string page = record::read_text(BLOOMLAB_SOURCE_DIR "/docs/configs.md", 1U << 20U);
  for (const std::string_view kind : catalogue_names<Kinds>()) {
    INFO(kind);
    CHECK(page.find("\n| `" + std::string(kind) + "` | ") != std::string::npos);
  }
}

TEST_CASE("step i of growth holds ceil(n i / steps) keys", "[experiments][growth]") {
  CHECK(Growth::keys_at(10, 1, 3) == 4);
  CHECK(Growth::keys_at(10, 2, 3) == 7);
  CHECK(Growth::keys_at(10, 3, 3) == 10);
  CHECK(Growth::keys_at(7, 7, 7) == 7);
  // n * step beyond 64 bits: 2^47 keys in 10^6 steps.
  const std::uint64_t n = std::uint64_t{1} << 47;
  CHECK(Growth::keys_at(n, 1'000'000, 1'000'000) == n);
  CHECK(Growth::keys_at(n, 500'000, 1'000'000) == n / 2);
  CHECK(Growth::keys_at(n, 1, 1'000'000) == 140'737'489);
}

TEST_CASE("an observation adds up: inserted keys and absent keys, all asked",
          "[experiments][kinds]") {
  const TemporaryFolder folder;
  const Config config = testing::config_with(
      folder, grid("500", R"({"kind": "standard", "m": 3000, "k": [2, 4]})"), R"(["/filter/k"])");
  const auto file = testing::run_and_read(config, {.out = folder.path() / "out"});
  REQUIRE(file.observations.size() == 6);
  for (const auto& observation : file.observations) {
    CHECK(count(observation, "true_positives") == 500);
    CHECK(count(observation, "false_negatives") == 0);
    CHECK(count(observation, "inserted") == 500);
    CHECK(count(observation, "false_positives") + count(observation, "true_negatives") == 3000);
    CHECK(count(observation, "bits") == 3000);
    CHECK(count(observation, "memory_bits") == 3008);
    CHECK(count(observation, "layers") == 1);
    const double fill = static_cast<double>(count(observation, "bits_set")) / 3000.0;
    const double k = observation.cell.at("filter").at("k").get<double>();
    CHECK(observation.measured.at("conditional_rate").get<double>() ==
          Approx(std::pow(fill, k)).epsilon(1e-12));
    CHECK_FALSE(observation.step);
    CHECK(names_of(observation.timing) == std::vector<std::string>{"group_insert_ns",
                                                                   "group_inserted_keys_ns",
                                                                   "group_absent_keys_ns"});
  }
}

TEST_CASE("the measured rate is the filter's own", "[experiments][kinds]") {
  // 6 filters, 200000 absent keys each; fixed seeds. Given the filter, hits are binomial with its
  // conditional rate; 5 standard deviations err in one of a million tests.
  const TemporaryFolder folder;
  const auto path = folder.write(
      "rate.json", R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate", "title": "t",
    "question": "q", "seed": 7, "trials": 2, "queries": 200000, "shared_across": [],
    "expected_flags": [], "grid": )" +
                       grid("2000", R"({"kind": "standard", "m": 16000, "k": [1, 3, 6]})") + "}");
  const auto file = testing::run_and_read(read_config(path), {.out = folder.path() / "out"});
  for (const auto& observation : file.observations) {
    const double rate = observation.measured.at("conditional_rate").get<double>();
    const double expected = rate * 200000.0;
    const double deviation = std::sqrt(expected * (1.0 - rate));
    CHECK(std::abs(static_cast<double>(count(observation, "false_positives")) - expected) <
          5.0 * deviation);
    CHECK(names_of(observation.timing) ==
          std::vector<std::string>{"insert_ns", "inserted_keys_ns", "absent_keys_ns"});
  }
}

TEST_CASE("filters that grow list their layers", "[experiments][kinds]") {
  const TemporaryFolder folder;
  const Config config = testing::config_with(
      folder, grid("1000", R"({"kind": "scalable", "target": 0.01, "tightening": 0.5,
                               "growth": 2, "first_capacity": 200})"));
  const auto file = testing::run_and_read(config, {.out = folder.path() / "out"});
  const record::Json measured = file.observations[0].measured;
  CHECK(measured.at("layers") == 3);
  CHECK(measured.at("layer_keys") == record::Json{200, 400, 400});
  std::uint64_t bits = 0;
  std::uint64_t bits_set = 0;
  for (const auto& layer : measured.at("layer_bits")) bits += layer.get<std::uint64_t>();
  for (const auto& layer : measured.at("layer_bits_set")) bits_set += layer.get<std::uint64_t>();
  CHECK(measured.at("bits") == bits);
  CHECK(measured.at("bits_set") == bits_set);
}

TEST_CASE("the last step of growth equals the filter filled at once", "[experiments][growth]") {
  const TemporaryFolder folder;
  const std::string filter = R"([{"kind": "standard", "m": 9000, "k": 4},
                                 {"kind": "scalable_untightened", "m": 900, "k": 5, "fp": 0.02}])";
  const Config growth =
      testing::config_with(folder, grid("1000", filter), "[]", R"("growth")", R"("steps": 6, )");
  const auto steps = testing::run_and_read(growth, {.out = folder.path() / "growth"});
  const Config whole = testing::config_with(folder, grid("1000", filter));
  const auto at_once = testing::run_and_read(whole, {.out = folder.path() / "whole"});
  REQUIRE(steps.observations.size() == 6 * at_once.observations.size());
  for (std::size_t i = 0; i < at_once.observations.size(); ++i) {
    CHECK(steps.observations[6 * i + 5].measured == at_once.observations[i].measured);
    CHECK(count(steps.observations[6 * i], "inserted") == 167);
  }
}

TEST_CASE("a group of large keys is measured like each of its cells", "[experiments][kinds]") {
  // Cells of one group with different n: the keys are made anew where n changes.
  const TemporaryFolder folder;
  const std::string axes = R"({"kind": "standard", "m": 9000, "k": 4})";
  const Config shared =
      testing::config_with(folder, grid("[300, 600]", axes), R"(["/n", "/filter"])");
  CHECK(shared.cells[0].group() == shared.cells[1].group());
  const auto both = testing::run_and_read(shared, {.out = folder.path() / "both"});
  const auto alone =
      testing::run_and_read(shared, {.out = folder.path() / "alone", .only = "\"n\":600"});
  REQUIRE(alone.observations.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(both.observations[3 + i].measured == alone.observations[i].measured);
  }
}

}  // namespace bloomlab::experiments
