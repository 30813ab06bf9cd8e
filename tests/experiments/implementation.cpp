#include "experiments/cells/implementation.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>

#include "core/catalogue.hpp"
#include "experiments/cells/implementation_factory.hpp"
#include "experiments/cells/key_set.hpp"
#include "tests/experiments/engine_configs.hpp"
#include "tests/paths.hpp"

namespace bloomlab::experiments {
namespace {

const std::string hash_json =
    R"("hash": {"name": "murmur3_128", "probe": "double_hashing", "reduction": "modulo"}})";

}  // namespace

TEST_CASE("an implementation reports every key that it was given, and says what it is",
          "[experiments][implementation]") {
  const testing::TemporaryFolder folder;
  const Config config = testing::config_with(folder, R"({"keys": {"source": "uniform"}, "n": 3000,
    "filter": [{"kind": "standard", "m": 40000, "k": 5},
               {"kind": "scalable", "target": 0.01, "tightening": 0.5, "growth": 2,
                "first_capacity": 500},
               {"kind": "scalable_untightened", "m": 3000, "k": 5, "fp": 0.01}], )" +
                                                         hash_json);
  for (const Cell& cell : config.cells) {
    INFO(cell.text());
    const auto keys = make_keys(cell, 3, 1);
    const auto implementation = make_implementation(cell, 3);
    KeyBuffer buffer;
    const KeyBatch inserted_keys = keys->inserted_keys(0, 3000, buffer);
    implementation->insert(inserted_keys);
    CHECK(implementation->count_contained(inserted_keys) == 3000);
    const FilterState state = implementation->state();
    CHECK(state.bits_set > 0);
    CHECK(implementation->grows() == (cell.filter != "standard"));
    CHECK((state.layers.size() > 1) == implementation->grows());
  }
}

TEST_CASE("the batches that keys come in do not matter", "[experiments][implementation]") {
  const testing::TemporaryFolder folder;
  const Config config = testing::config_with(folder, R"({"keys": {"source": "uniform"}, "n": 3000,
    "filter": {"kind": "scalable_untightened", "m": 3000, "k": 5, "fp": 0.01}, )" +
                                                         hash_json);
  const Cell& cell = config.cells.front();
  const auto keys = make_keys(cell, 3, 1);
  KeyBuffer buffer;
  const auto at_once = make_implementation(cell, 3);
  at_once->insert(keys->inserted_keys(0, 3000, buffer));
  const auto piecewise = make_implementation(cell, 3);
  for (std::uint64_t first = 0; first < 3000; first += 7) {
    piecewise->insert(keys->inserted_keys(first, std::min<std::uint64_t>(7, 3000 - first), buffer));
  }
  CHECK(at_once->state() == piecewise->state());
}

TEST_CASE("the hash's seed is neither the trial's nor a key's", "[experiments][implementation]") {
  CHECK(hash_seed(1) != 1);
  CHECK(hash_seed(1) != hash_seed(2));
  CHECK(hash_seed(1) == hash_seed(1));
}

TEST_CASE("the folder of filters and the catalogue name the same filters",
          "[experiments][implementation]") {
  std::set<std::string> generated;
  const auto folder =
      std::filesystem::path(BLOOMLAB_BINARY_DIR) / "experiments" / "implementations";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    generated.insert(entry.path().stem().string());
  }
  std::set<std::string> listed;
  for_each_type<Filters>(
      [&]<class Filter>(std::type_identity<Filter>) { listed.emplace(Filter::name); });
  CHECK(generated == listed);
}

}  // namespace bloomlab::experiments
