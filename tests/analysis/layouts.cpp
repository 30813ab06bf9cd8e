// The exhibit of blocked layouts: the best k is found by closed form, and the cost named.
#include <algorithm>
#include <catch2/catch.hpp>

#include "analysis/exhibits/catalogue.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

Content layouts_of(std::vector<std::uint64_t> k) {
  return layouts_exhibit(synthetic::experiment({.stem = "blocked_layouts",
                                                .n = 1000,
                                                .m = {8000},
                                                .k = std::move(k),
                                                .trials = 5,
                                                .queries = 20000}),
                         Words("en"));
}

}  // namespace

TEST_CASE("a layout at its best k is not marked", "[analysis][exhibits]") {
  const Content content = layouts_of({6});  // 8 ln 2 = 5.5; the rate at 6 is the lower one
  CHECK(content.values.at("best_count") == "1");
  CHECK(content.values.at("chosen_count") == "1");
  REQUIRE(content.tables.front().rows.size() == 1);
  CHECK_FALSE(content.tables.front().rows[0][1].marked);
  CHECK_THAT(content.tables.front().rows[0][1].text, Catch::StartsWith("k = 6<br>0.0"));
}

TEST_CASE("a layout at another k is marked with the best one", "[analysis][exhibits]") {
  const Content content = layouts_of({4});
  CHECK(content.values.at("best_count") == "0");
  CHECK(content.tables.front().rows[0][1].marked);
  CHECK_THAT(content.tables.front().rows[0][1].text, Catch::StartsWith("k = 4 (best: 6)<br>"));
}

TEST_CASE("the bound of any structure is two to the minus bits per key", "[analysis][exhibits]") {
  const Content content = layouts_of({6});
  const auto& series = content.figures.front().series;
  const auto bound = std::find_if(series.begin(), series.end(), [](const plot::Series& s) {
    return s.role == plot::Role::reference;
  });
  REQUIRE(bound != series.end());
  CHECK(bound->points.front().x == 8);
  CHECK(bound->points.front().y == Approx(1.0 / 256));
}
