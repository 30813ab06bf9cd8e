#include <catch2/catch.hpp>

#include "analysis/data/measurement.hpp"
#include "record/input_error.hpp"
#include "synthetic.hpp"
#include "tests/edit.hpp"

using namespace bloomlab::analysis;

namespace {

bloomlab::record::ResultFile small_file() {
  synthetic::Plan plan;
  plan.trials = 2;
  return synthetic::results(plan);
}

}  // namespace

TEST_CASE("trials of a cell come together in grid order", "[analysis][tabulate]") {
  const auto measurements = tabulate(small_file(), "r.json");
  REQUIRE(measurements.size() == 4);
  CHECK(measurements[1].cell().at("filter").at("k") == 5);
  REQUIRE(measurements[1].trials.size() == 2);
  CHECK(measurements[1].trials[Trials::number][1] == 1);
  CHECK(measurements[1].inserted() == 1000);
  CHECK(measurements[1].trials.queries()[0] == 100000);
}

TEST_CASE("steps of a growing filter are measurements of their own", "[analysis][tabulate]") {
  auto file = small_file();
  bloomlab::tests::edit(file.observations, [](auto& list) { list.resize(1); });
  file.observations.push_back(file.observations[0]);
  bloomlab::tests::edit(file.observations, [&](auto& list) {
    list[0].step = 1;
    list[1].step = 2;
    list[1].measured["inserted"] = 2000;
    list[1].measured["true_positives"] = 2000;
  });
  const auto measurements = tabulate(file, "r.json");
  REQUIRE(measurements.size() == 2);
  CHECK(measurements[1].step == 2);
  CHECK(measurements[1].inserted() == 2000);
}

TEST_CASE("counts that cannot be are refused with their place", "[analysis][tabulate]") {
  auto file = small_file();
  auto second = file.observations[1];
  const auto tabulated = [&] {
    bloomlab::tests::edit_at(file.observations, 1, [&](auto& one) { one = second; });
    return tabulate(file, "r.json");
  };
  const std::string place = "r.json: cell " + second.cell.dump() + ", trial 1: ";
  SECTION("a missing count") {
    second.measured.erase("bits_set");
    CHECK_THROWS_WITH(tabulated(), place +
                                       "/measured: no \"bits_set\"; measure again with "
                                       "`bloomlab run --force`");
  }
  SECTION("a negative count") {
    second.measured["false_positives"] = -3;
    CHECK_THROWS_WITH(tabulated(), place +
                                       "/measured/false_positives: found -3, allowed: a whole "
                                       "number >= 0; measure again with `bloomlab run --force`");
  }
  SECTION("a rate beyond 1") {
    second.measured["conditional_rate"] = 1.5;
    CHECK_THROWS_WITH(tabulated(), Catch::Contains("found 1.5, allowed: a number from 0 to 1"));
  }
  SECTION("more set bits than bits") {
    second.measured["bits_set"] = 8001;
    CHECK_THROWS_WITH(tabulated(), Catch::Contains("8001 set bits of 8000 cannot be"));
  }
  SECTION("inserted keys that are not those inserted") {
    second.measured["true_positives"] = 998;
    second.measured["false_negatives"] = 1;
    CHECK_THROWS_WITH(tabulated(),
                      place +
                          "/measured: 998 inserted keys reported and 1 denied are not "
                          "the 1000 inserted; measure again with `bloomlab run --force`");
    second.measured["true_positives"] = 1001;
    second.measured["false_negatives"] = 0;
    CHECK_THROWS_WITH(tabulated(), Catch::Contains("1001 inserted keys reported and 0"));
  }
  SECTION("a trial twice") {
    second.trial = 0;
    CHECK_THROWS_WITH(tabulated(), Catch::Contains("trial 0 of this cell is there twice"));
  }
  SECTION("trials of different size") {
    second.measured["inserted"] = 999;
    second.measured["true_positives"] = 999;
    CHECK_THROWS_WITH(tabulated(), Catch::Contains("999 keys here, 1000 in another"));
  }
  SECTION("trials with different numbers of queries") {
    second.measured["true_negatives"] = 1;
    CHECK_THROWS_WITH(tabulated(), Catch::Contains("absent keys queried here"));
  }
  SECTION("a cell that is cut in two") {
    bloomlab::tests::edit(file.observations, [](auto& list) { std::swap(list[1], list[2]); });
    CHECK_THROWS_WITH(tabulate(file, "r.json"), Catch::Contains("observations stand apart"));
  }
}
