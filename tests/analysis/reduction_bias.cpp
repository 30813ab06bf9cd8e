// Uneven positions of a short hash in a large filter.
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/exhibits/catalogue.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

/// A filter of 10^9 bits with a hash of 32 bits, its rate `over` times the exact one.
Content large_filter(double over) {
  auto file = synthetic::results({.stem = "reduction_bias",
                                  .n = 50000000,
                                  .m = {1000000000},
                                  .k = {3},
                                  .trials = 10,
                                  .queries = 100000000,
                                  .seed = 13,
                                  .factor = [over](const Json&) { return over; }});
  for (auto& observation : file.observations) observation.cell["hash"]["name"] = "truncated_32";
  return reduction_exhibit(analyse({.stem = "reduction_bias",
                                    .file_name = "reduction_bias.json",
                                    .file = std::move(file),
                                    .confirmation = {}}),
                           Words("en"));
}

}  // namespace

TEST_CASE("uneven positions raise the rate of a large filter by what theory says",
          "[analysis][exhibits]") {
  // 2^32 = 4.295 * 10^9: four or five words a position; relative variance 0.0112.
  const Content content = large_filter(1.0290622);
  const auto& row = content.tables.front().rows.at(0);
  CHECK(std::get<double>(row[4].value) / std::get<double>(row[3].value) ==
        Approx(1.0290622).epsilon(1e-6));
  CHECK(row[6].marked);
  // Inside its 95 % interval; fixed seed.
  CHECK_FALSE(row[7].marked);
  CHECK_THAT(content.values.at("largest_list"), Catch::Contains("(predicted +2.9 %)"));
}

TEST_CASE("even positions are told from uneven ones", "[analysis][exhibits]") {
  const Content content = large_filter(1.0);
  CHECK_FALSE(content.tables.front().rows.at(0)[6].marked);
  CHECK(content.tables.front().rows.at(0)[7].marked);
}
