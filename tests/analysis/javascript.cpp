// The article's filter: orders of magnitude come from the measured pair.
#include <catch2/catch.hpp>

#include "analysis/exhibits/catalogue.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

/// Planned and doubled size at one k, each with the signed and the unsigned remainder, all ideal.
Experiment four_cells() {
  synthetic::Plan plan{.stem = "javascript_filter",
                       .n = 1000,
                       .m = {9585, 19169},
                       .k = {7},
                       .trials = 10,
                       .queries = 200000,
                       .seed = 5};
  const auto planned = synthetic::results(plan);
  auto file = planned;
  file.observations.clear();
  for (const char* reduction : {"signed_modulo", "modulo_32"}) {
    for (auto observation : planned.observations) {
      observation.cell["hash"]["name"] = "javascript_polynomial";
      observation.cell["hash"]["reduction"] = reduction;
      file.observations.push_back(observation);
    }
  }
  return analyse({.stem = plan.stem,
                  .file_name = plan.stem + ".json",
                  .file = std::move(file),
                  .confirmation = {}});
}

}  // namespace

TEST_CASE("the filter as written is the signed one with doubled bits", "[analysis][exhibits]") {
  const Content content = javascript_exhibit(four_cells(), Words("en"));
  REQUIRE(content.tables.front().rows.size() == 1);
  const auto& row = content.tables.front().rows[0];
  CHECK(std::get<std::uint64_t>(row[1].value) == 9585);
  // Exact rates: 0.01004 planned, 0.000251 with doubled bits: 1.60 orders apart.
  CHECK(std::get<double>(row[3].value) == Approx(0.01004).epsilon(0.02));
  CHECK(std::get<double>(row[4].value) == Approx(0.000255).epsilon(0.2));
  CHECK(std::get<double>(row[5].value) == Approx(0.01004).epsilon(0.1));
  CHECK(std::get<double>(row.back().value) == Approx(1.6).margin(0.1));
}

TEST_CASE("no orders are claimed where the pair was not measured", "[analysis][exhibits]") {
  const Content content = javascript_exhibit(
      synthetic::experiment({.stem = "javascript_filter", .m = {9585}, .k = {7}}), Words("en"));
  CHECK(content.values.at("random_list") == "–");
}
