#include <catch2/catch.hpp>

#include "analysis/data/measurement.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

Measurement of(const Json& cell) {
  return {.cell = cell,
          .group = {},
          .step = {},
          .redrawn = {},
          .trials = {},
          .prediction = {},
          .estimate = {}};
}

std::vector<Measurement> sweep() {
  std::vector<Measurement> cells;
  for (const std::uint64_t n : {1000U, 2000U}) {
    for (const std::uint64_t k : {3U, 5U}) {
      cells.push_back(of(synthetic::standard_cell(n, 8 * n, k, "independent")));
    }
  }
  return cells;
}

std::vector<std::string> paths(const std::vector<Axis>& axes) {
  std::vector<std::string> found;
  for (const Axis& axis : axes) found.push_back(axis.path);
  return found;
}

}  // namespace

TEST_CASE("axes are what differs, in the order of the cell", "[analysis][axes]") {
  const auto cells = sweep();
  const auto axes = axes_of(cells);
  CHECK(paths(axes) == std::vector<std::string>{"/n", "/filter/m", "/filter/k"});
  CHECK(axes[2].values == std::vector<Json>{3, 5});
  CHECK(axes[2].numeric);
}

TEST_CASE("an axis that another one settles tells nothing", "[analysis][axes]") {
  const auto cells = sweep();
  CHECK(settled_by(cells, "/filter/m", "/n"));
  CHECK_FALSE(settled_by(cells, "/filter/k", "/n"));
  CHECK(paths(distinguishing_axes(cells)) == std::vector<std::string>{"/n", "/filter/k"});
}

TEST_CASE("a place that only some cells have is an axis", "[analysis][axes]") {
  auto cells = sweep();
  Json growing = cells[0].cell();
  growing["filter"] = Json{{"kind", "scalable_untightened"}, {"m", 8000}, {"k", 3}, {"fp", 0.01}};
  cells.push_back(of(growing));
  const auto axes = axes_of(cells);
  CHECK(paths(axes) ==
        std::vector<std::string>{"/n", "/filter/kind", "/filter/m", "/filter/k", "/filter/fp"});
  CHECK(axes[4].values == std::vector<Json>{nullptr, 0.01});
  CHECK(label_of(cells[0].cell(), axes) == "n = 1000, standard, m = 8000, k = 3");
  CHECK(label_of(growing, axes) == "n = 1000, scalable_untightened, m = 8000, k = 3, fp = 0.01");
}

TEST_CASE("places have the project's words and units", "[analysis][axes]") {
  CHECK(short_name("/filter/m") == "m");
  CHECK(short_name("/hash/name") == "hash");
  CHECK(short_name("/keys/source") == "keys");
  CHECK(unit_of("/filter/m") == "bits");
  CHECK(unit_of("/n") == "keys");
  CHECK(unit_of("/filter/first_capacity") == "keys");
  CHECK(unit_of("/hash/name").empty());
}
