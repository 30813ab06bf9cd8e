#include "tests/experiments/engine_configs.hpp"

#include "experiments/config/reading.hpp"

namespace bloomlab::experiments::testing {

Config config_with(const TemporaryFolder& folder, const std::string& grid,
                   const std::string& shared_across, const std::string& kind,
                   const std::string& further) {
  return read_config(
      folder.write("config.json", R"({"$schema": "bloomlab-config-1", "kind": )" + kind +
                                      R"(, "title": "t", "question": "q",
    "seed": 42, "trials": 3, "queries": 3000, )" +
                                      further + R"("shared_across": )" + shared_across +
                                      R"(, "expected_flags": [], "grid": )" + grid + "}"));
}

Config mixed_config(const TemporaryFolder& folder) {
  return config_with(folder, R"({
    "keys": [{"source": "uniform"}, {"source": "minstd_rand0"}], "n": [500, 1500],
    "filter": [{"kind": "standard", "m": 9000, "k": [1, 3, 7]},
               {"kind": "scalable_untightened", "m": 2000, "k": [4, 5], "fp": 0.02},
               {"kind": "scalable", "target": 0.01, "tightening": 0.5, "growth": 2,
                "first_capacity": 100}],
    "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}})",
                     R"(["/filter/k"])");
}

record::ResultFile run_and_read(const Config& config, const RunOptions& options) {
  return record::read_result_file(run(config, options).path);
}

std::string canonical_text_of(const std::filesystem::path& file) {
  return record::canonical_text(record::read_result_file(file));
}

}  // namespace bloomlab::experiments::testing
