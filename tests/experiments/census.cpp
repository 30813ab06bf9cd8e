#include "experiments/kinds/census.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "experiments/config/config.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/run.hpp"
#include "experiments/sources/uniform_32.hpp"
#include "record/input_error.hpp"
#include "tests/experiments/engine_configs.hpp"

namespace bloomlab::experiments {
namespace {

/// Reports its inserted keys, and every key of every 128th batch.
class EveryManyth final : public Implementation {
 public:
  void insert(const KeyBatch& keys) override {
    inserted_keys_.insert(keys.values().begin(), keys.values().end());
  }
  std::uint64_t count_contained(const KeyBatch& keys) override {
    const std::uint64_t first = keys.values().front();
    const bool in_order = keys.values().back() == first + keys.size() - 1;
    if (!in_order) return keys.size();  // inserted keys being looked up
    if (first / keys_per_batch % 128 == 0) return keys.size();
    const auto from = inserted_keys_.lower_bound(first);
    return static_cast<std::uint64_t>(
        std::distance(from, inserted_keys_.upper_bound(keys.values().back())));
  }
  FilterState state() const override { return {.bits = 1, .layers = {{}}}; }
  bool grows() const noexcept override { return false; }

 private:
  std::set<std::uint64_t> inserted_keys_;
};

/// The keys of `uniform_32` with a fixed seed.
class Keys final : public KeySet {
 public:
  Keys(std::uint64_t n, std::uint64_t q) : KeySet(n, q), keys_({}, 5, n, q) {}
  KeyBatch inserted_keys(std::uint64_t first, std::size_t count, KeyBuffer& buffer) const override {
    return keys_.inserted_keys(first, count, buffer);
  }
  KeyBatch absent_keys(std::uint64_t first, std::size_t count, KeyBuffer& buffer) const override {
    return keys_.absent_keys(first, count, buffer);
  }
  bool made_on_demand() const noexcept override { return true; }
  void note_other_keys(std::size_t count) const override { told_ += count; }
  [[nodiscard]] std::uint64_t told() const noexcept { return told_; }

 private:
  Uniform32::Keys keys_;
  mutable std::uint64_t told_ = 0;
};

TEST_CASE("a census asks every key once and takes the inserted keys out", "[census]") {
  const std::uint64_t n = 1000;
  const Keys keys(n, Census::universe_keys - n);
  KeyBuffer buffer;
  const KeyBatch all = keys.inserted_keys(0, n, buffer);
  const auto inserted_keys_in_reported_batches = static_cast<std::uint64_t>(std::ranges::count_if(
      all.values(), [](std::uint64_t value) { return value / keys_per_batch % 128 == 0; }));
  EveryManyth implementation;
  const Measurement measurement = Census().measure(implementation, keys).at(0);
  const auto count = [&](const char* key) {
    return measurement.measured.at(key).get<std::uint64_t>();
  };
  CHECK(count("true_positives") == n);
  CHECK(count("false_positives") ==
        Census::universe_keys / 128 - inserted_keys_in_reported_batches);
  CHECK(count("false_positives") + count("true_negatives") == Census::universe_keys - n);
  CHECK(count("blocks") == Census::blocks);
  CHECK(keys.told() == Census::universe_keys);
  // Blocks with 0, 1 or 2 whole reported batches: no interval knows the rate from one of them.
  CHECK(count("covered_wilson") <= count("blocks"));
}

TEST_CASE("a census says how far it is, and so ends where it takes too long", "[census]") {
  const testing::TemporaryFolder folder;
  const Config config = read_config(folder.write("census.json", R"({
    "$schema": "bloomlab-config-1", "kind": "census", "title": "t", "question": "q", "seed": 1,
    "trials": 1, "shared_across": [], "expected_flags": [],
    "grid": {"keys": {"source": "uniform_32"}, "n": 10,
             "filter": {"kind": "standard", "m": 1000, "k": 1},
             "hash": {"name": "xxhash3_64", "probe": "independent",
                      "reduction": "multiply_shift"}}})"));
  RunOptions options{.out = folder.path() / "out", .timeout_seconds = 0.5};
  double most = 0.0;
  options.progress = [&](const Progress& progress) {
    most = std::max(most, progress.done_weight / progress.total_weight);
  };
  CHECK_THROWS_AS(run(config, options), CellsTimedOut);
  CHECK(most > 0.0);
  CHECK(most < 0.5);
}

TEST_CASE("a census needs a source of the whole universe", "[census][config]") {
  const testing::TemporaryFolder folder;
  const auto config = [&](const std::string& source, const std::string& n) {
    return folder.write("c.json", R"({"$schema": "bloomlab-config-1", "kind": "census",
      "title": "t", "question": "q", "seed": 1, "trials": 1, "grid": {"keys": {"source": ")" +
                                      source + R"("}, "n": )" + n +
                                      R"(, "filter": {"kind": "standard", "m": 1000, "k": 3},
      "hash": {"name": "xxhash3_64"}}})");
  };
  CHECK(read_config(config("uniform_32", "100")).cells.size() == 1);
  CHECK_THROWS_WITH(
      read_config(config("uniform", "100")),
      Catch::Contains(
          R"(/grid/keys: the kind "census" asks all 4294967296 keys of a universe, and )"
          R"("uniform" does not draw from one; write {"source": "uniform_32"})"));
  CHECK_THROWS_WITH(read_config(config("uniform_32", "4294967296")),
                    Catch::Contains("/grid/n: n = 4294967296 leaves no absent key"));
}

}  // namespace
}  // namespace bloomlab::experiments
