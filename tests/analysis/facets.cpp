// Figures of many curves.
#include <catch2/catch.hpp>

#include "analysis/pages/figures.hpp"

using namespace bloomlab::analysis;
using namespace bloomlab::analysis::pages;

namespace {

plot::Figure of_groups(std::size_t count, const std::string& letters) {
  plot::Figure figure{
      .name = "many", .title = "Many", .caption = "c", .x = {}, .y = {}, .series = {}};
  figure.series.push_back({.name = "limit", .role = plot::Role::reference, .points = {{1, 1}}});
  for (std::size_t i = 0; i < count; ++i) {
    const std::string group =
        letters.empty() ? "k = " + std::to_string(i + 1) : std::string(1, letters[i]) + " filter";
    figure.series.push_back({.name = "measured",
                             .points = {{1, 0.5}, {static_cast<double>(i + 2), 0.25}},
                             .group = group});
  }
  return figure;
}

}  // namespace

TEST_CASE("twenty curves with names of their own are drawn in parts, none lost",
          "[analysis][figures]") {
  const auto parts = faceted(of_groups(20, "abcdefghijklmnopqrst"), Words("en"));
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].name == "many_1");
  CHECK(parts[2].title == "Many (3 of 3)");
  std::size_t curves = 0;
  for (const plot::Figure& part : parts) {
    CHECK(part.series.size() <= groups_per_part + 1);
    CHECK(part.series.front().name == "limit");
    CHECK(part.x.low == 1);
    CHECK(part.x.high == 21);
    curves += part.series.size() - 1;
  }
  CHECK(curves == 20);
}

TEST_CASE("a few curves, and those that a number orders, stay together", "[analysis][figures]") {
  CHECK(faceted(of_groups(12, "abcdefghijklmnopqrst"), Words("en")).size() == 1);
  CHECK(faceted(of_groups(20, ""), Words("en")).size() == 1);
  CHECK(faceted(of_groups(30, ""), Words("en")).size() == 4);
}
