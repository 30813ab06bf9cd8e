#include "analysis/data/with_theory.hpp"

#include <catch2/catch.hpp>

#include "analysis/data/measurement.hpp"
#include "record/input_error.hpp"
#include "synthetic.hpp"
#include "tests/edit.hpp"

using namespace bloomlab::analysis;

TEST_CASE("a standard cell is joined with its exact rate and set bits", "[analysis][theory]") {
  // Values: m = 1000, n = 100, k = 7, computed with 60 digits.
  const auto prediction =
      predict(synthetic::standard_cell(100, 1000, 7, "independent"), 100, "r.json");
  CHECK(prediction.model == "standard_exact");
  CHECK(prediction.rate == Approx(0.0082662).epsilon(1e-5));
  CHECK(prediction.approx < prediction.classic);
  CHECK(prediction.classic < prediction.rate);
  CHECK(prediction.sd_rate == Approx(1.0111e-3).epsilon(1e-4));
  CHECK(prediction.mean_set_bits == Approx(503.59).epsilon(1e-4));
  CHECK(prediction.var_set_bits == Approx(77.4).epsilon(1e-2));
}

TEST_CASE("a growing filter is joined with its compound rate", "[analysis][theory]") {
  Json cell = synthetic::standard_cell(100000, 100000, 5, "independent");
  cell["filter"] = Json{{"kind", "scalable_untightened"}, {"m", 100000}, {"k", 5}, {"fp", 0.01}};
  CHECK(predict(cell, 100000, "r.json").rate == Approx(0.02983).epsilon(1e-3));
}

TEST_CASE("every step is joined at the keys inserted by then", "[analysis][theory]") {
  auto file = synthetic::results({.m = {10000}, .k = {7}, .trials = 1});
  file.observations.push_back(file.observations[0]);
  bloomlab::tests::edit(file.observations, [&](auto& list) {
    list[0].step = 1;
    list[1].step = 2;
    list[1].measured["inserted"] = 2000;
    list[1].measured["true_positives"] = 2000;
  });
  const auto joined = with_theory(tabulate(file, "r.json"), "r.json");
  CHECK(joined[0].prediction->rate ==
        predict(synthetic::standard_cell(1000, 10000, 7, "independent"), 1000, "").rate);
  CHECK(joined[1].prediction->rate ==
        predict(synthetic::standard_cell(2000, 10000, 7, "independent"), 2000, "").rate);
  CHECK(joined[1].prediction->rate > 10 * joined[0].prediction->rate);
}

TEST_CASE("an unknown filter and a wrong parameter are bad input", "[analysis][theory]") {
  Json cell = synthetic::standard_cell(100, 1000, 7, "independent");
  SECTION("unknown filter") {
    cell["filter"]["kind"] = "standrad";
    CHECK_THROWS_WITH(predict(cell, 100, "r.json"),
                      Catch::StartsWith("r.json: unknown filter \"standrad\"; known: standard, "));
  }
  SECTION("a parameter that does not belong there") {
    cell["filter"]["fp"] = 0.01;
    CHECK_THROWS_AS(predict(cell, 100, "r.json"), bloomlab::record::InputError);
  }
  SECTION("k = 0") {
    cell["filter"]["k"] = 0;
    CHECK_THROWS_AS(predict(cell, 100, "r.json"), bloomlab::record::InputError);
  }
}

TEST_CASE("a closed form that is asked for again gives what it gave, and others their own",
          "[analysis][theory]") {
  const auto query = [](std::uint64_t n, double level) {
    return bloomlab::theory::Query{
        "scalable",
        {{"P", level}, {"r", 0.5}, {"s", std::uint64_t{2}}, {"n0", std::uint64_t{100}}, {"n", n}}};
  };
  for (int times = 0; times < 2; ++times) {
    for (const auto& asked : {query(150, 0.01), query(151, 0.01), query(150, 0.02)}) {
      const auto own = bloomlab::theory::evaluate(asked);
      CHECK(evaluated(asked).number() == own.number());
      CHECK(evaluated(asked).number("total_bits") == own.number("total_bits"));
      CHECK(std::get<double>(evaluated_value(asked)) == own.number());
    }
  }
}
