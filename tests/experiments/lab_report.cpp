// The lab report's experiment, end to end: the printed counts of false positives among 10000.
#include <catch2/catch.hpp>
#include <vector>

#include "experiments/config/reading.hpp"
#include "experiments/engine/run.hpp"
#include "tests/experiments/engine_configs.hpp"

namespace bloomlab::experiments {
namespace {

using Column = std::vector<std::uint64_t>;

/// The numbers under `key` of all observations.
Column all(const record::ResultFile& file, const char* key) {
  Column counts;
  for (const auto& observation : file.observations) {
    counts.push_back(observation.measured.at(key).get<std::uint64_t>());
  }
  return counts;
}

record::ResultFile measure_lab(const testing::TemporaryFolder& folder, const std::string& filter) {
  const auto path = folder.write("lab.json", R"({"$schema": "bloomlab-config-1",
    "kind": "false_positive_rate", "title": "t", "question": "q", "seed": 1024, "trials": 1,
    "queries": 10000, "shared_across": ["/filter"], "expected_flags": [], "grid": {
      "keys": {"source": "minstd_rand0", "seed": 1024}, "n": 100000, "filter": )" +
                                                 filter +
                                                 R"(,
      "hash": {"name": "identity", "probe": "lab_shift_xor", "reduction": "modulo"}}})");
  return testing::run_and_read(read_config(path), {.out = folder.path() / "out"});
}

const std::string sizes =
    "[1000000, 900000, 800000, 700000, 600000, 500000, 400000, 300000, 200000, 100000, 50000]";

}  // namespace

TEST_CASE("the standard filter gives the lab report's column fp1", "[experiments][lab]") {
  const testing::TemporaryFolder folder;
  const auto file = measure_lab(folder, R"({"kind": "standard", "m": )" + sizes + R"(, "k": 5})");
  CHECK(all(file, "false_positives") ==
        Column{99, 119, 271, 385, 576, 985, 1847, 3585, 6457, 9666, 9999});
  CHECK(all(file, "true_negatives")[2] == 10000 - 271);
  CHECK(file.observations[0].redrawn.empty());
}

TEST_CASE("the growing filter gives Table 4.2: fp2, capacity and expansions",
          "[experiments][lab]") {
  const testing::TemporaryFolder folder;
  const auto file = measure_lab(
      folder, R"({"kind": "scalable_untightened", "m": )" + sizes + R"(, "k": 5, "fp": 0.01})");
  CHECK(all(file, "false_positives") ==
        Column{99, 88, 132, 114, 112, 105, 133, 215, 189, 292, 405});
  CHECK(all(file, "bits") == Column{1000000, 2700000, 2400000, 2100000, 1800000, 1500000, 1200000,
                                    2100000, 1400000, 1500000, 1550000});
  CHECK(all(file, "layers") == Column{1, 2, 2, 2, 2, 2, 2, 3, 3, 4, 5});
  const auto last = file.observations.back().measured;
  CHECK(last.at("layer_bits") == record::Json{50000, 100000, 200000, 400000, 800000});
  CHECK(last.at("layer_keys") == record::Json{5077, 10154, 20308, 40615, 23846});
}

TEST_CASE("the growing filter gives Table 4.3: fp2, capacity and expansions",
          "[experiments][lab]") {
  const testing::TemporaryFolder folder;
  const auto file = measure_lab(
      folder, R"({"kind": "scalable_untightened", "m": )" + sizes + R"(, "k": 5, "fp": 0.001})");
  CHECK(all(file, "false_positives") == Column{17, 13, 9, 17, 15, 22, 25, 28, 40, 45, 56});
  CHECK(all(file, "bits") == Column{3000000, 2700000, 2400000, 2100000, 1800000, 3500000, 2800000,
                                    2100000, 3000000, 3100000, 3150000});
  CHECK(all(file, "layers") == Column{2, 2, 2, 2, 2, 3, 3, 3, 4, 5, 6});
}

}  // namespace bloomlab::experiments
