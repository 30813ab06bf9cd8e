// The literature's verdicts are computed from the catalogue and from what was measured.
#include "analysis/report/bibliography.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "analysis/exhibits/helpers.hpp"
#include "synthetic.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::analysis;

namespace {

const Entry& verdict_of(const Table& table, std::size_t number) {
  return table.rows.at(number - 1).at(2);
}

}  // namespace

TEST_CASE("each of the eight references has a verdict and a reason", "[analysis][bibliography]") {
  const Table table = bibliography_table({}, Words("en"));
  REQUIRE(table.rows.size() == 8);
  std::size_t number = 0;
  for (const auto& row : table.rows) {
    CHECK(std::get<std::uint64_t>(row.at(0).value) == ++number);
    CHECK(!row.at(2).text.empty());
    CHECK(!row.at(3).text.empty());
  }
  CHECK(verdict_of(table, 4).text == "built: counting");
  CHECK(verdict_of(table, 7).text == "built: dynamic");
  CHECK(verdict_of(table, 1).text == "out of scope");
}

TEST_CASE("references link the experiments that were measured, and only those",
          "[analysis][bibliography]") {
  CHECK(bibliography_table({}, Words("en")).rows.at(3).at(4).text.find("counting") ==
        std::string::npos);
  const Table table =
      bibliography_table({synthetic::experiment({.stem = "counting_overflow"})}, Words("en"));
  CHECK(table.rows.at(3).at(4).text == "counting_overflow");
}

TEST_CASE("the experiments that references name are configs", "[analysis][bibliography]") {
  for (const auto& entry : printed_source("bibliography").at("entries")) {
    for (const auto& config : entry.at("configs")) {
      const auto stem = config.get<std::string>();
      INFO(stem);
      CHECK(std::filesystem::exists(std::filesystem::path(BLOOMLAB_SOURCE_DIR) / "configs" /
                                    (stem + ".json")));
    }
  }
}
