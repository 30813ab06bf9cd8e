#include "experiments/engine/finished.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/experiments/engine_configs.hpp"

namespace bloomlab::experiments {
namespace {

Config config_of_two_cells(const testing::TemporaryFolder& folder) {
  return testing::config_with(folder, R"({"keys": {"source": "uniform"}, "n": 10,
    "filter": {"kind": "standard", "m": [100, 200], "k": 2},
    "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}})");
}

record::Observation observation(const Cell& cell, std::uint64_t trial, std::uint64_t step) {
  record::Observation result;
  result.cell = cell.json();
  result.trial = trial;
  result.step = step;
  return result;
}

}  // namespace

TEST_CASE("observations come out by cell, trial and step, in whatever order they went in",
          "[experiments][run]") {
  const testing::TemporaryFolder folder;
  const Config config = config_of_two_cells(folder);
  Finished finished(2);
  std::vector<record::Observation> observations;
  for (const std::uint64_t trial : {2U, 0U, 1U}) {
    for (const std::uint64_t step : {2U, 1U}) {
      for (const int cell : {1, 0}) {
        observations.push_back(
            observation(config.cells[static_cast<std::size_t>(cell)], trial, step));
      }
    }
  }
  finished.add(observations);
  const auto ordered = finished.in_order(config, {&config.cells[0], &config.cells[1]});
  REQUIRE(ordered.size() == 12);
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    CHECK(ordered[i].cell == config.cells[i / 6].json());
    CHECK(ordered[i].trial == i / 2 % 3);
    CHECK(ordered[i].step == i % 2 + 1);
  }
}

TEST_CASE("a trial is finished when all its steps are there, a cell when all its trials are",
          "[experiments][run]") {
  const testing::TemporaryFolder folder;
  const Config config = config_of_two_cells(folder);
  const Cell& cell = config.cells[0];
  Finished finished(2);
  finished.add({observation(cell, 0, 1)});
  CHECK_FALSE(finished.has(cell, 0));
  finished.add({observation(cell, 0, 1), observation(cell, 0, 2)});
  CHECK(finished.has(cell, 0));
  CHECK_FALSE(finished.has_all(config, cell));
  CHECK(finished.in_order(config, {&cell}).empty());
  for (const std::uint64_t trial : {1U, 2U}) {
    finished.add({observation(cell, trial, 1), observation(cell, trial, 2)});
  }
  CHECK(finished.has_all(config, cell));
  finished.forget(cell);
  CHECK_FALSE(finished.has(cell, 0));
}

}  // namespace bloomlab::experiments
