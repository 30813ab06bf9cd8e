#include "analysis/pages/functions.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/theory/models.hpp"
#include "core/theory/standard.hpp"
#include "statistics/fit.hpp"
#include "statistics/interval.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/ratio.hpp"

using namespace bloomlab::analysis::pages;
namespace theory = bloomlab::theory;
namespace statistics = bloomlab::statistics;

namespace {

Value value_of(const std::string& expression) {
  Database database;
  add_functions(database);
  return database.query("select " + expression, "page").rows.at(0).at(0);
}

double answer_of(const std::string& expression) {
  return bloomlab::analysis::pages::number_of(value_of(expression));
}

}  // namespace

TEST_CASE("every closed form is a function of SQL by its name", "[pages][functions]") {
  CHECK(answer_of("standard_exact(8000, 1000, 5)") == theory::exact_fpr(8000, 1000, 5));
  CHECK(answer_of("standard_exact(8e3, 2000 / 2, 5.0)") == theory::exact_fpr(8000, 1000, 5));
  CHECK(std::isnan(answer_of("standard_exact(8000, null, 5)")));
  for (const theory::Model& model : theory::models()) {
    INFO(model.name);
    // Without arguments each of them says what is missing: it is there.
    CHECK_THROWS_WITH(value_of(std::string(model.name) + "()"),
                      Catch::Contains(std::string(model.name) + ": argument"));
  }
}

TEST_CASE("a wrong argument of a closed form is named", "[pages][functions]") {
  CHECK_THROWS_WITH(value_of("standard_exact(8000.5, 1000, 5)"),
                    Catch::StartsWith("page: standard_exact: argument \"m\" is 8000.5; allowed:"));
  CHECK_THROWS_WITH(value_of("standard_exact(8000, -1, 5)"),
                    Catch::StartsWith("page: standard_exact: argument \"n\" is -1; allowed:"));
  CHECK_THROWS_WITH(value_of("standard_exact(1, 2, 3, 4, 5)"),
                    "page: standard_exact: takes at most 3 arguments, found 5");
}

TEST_CASE("a further column of a model is asked for by its name", "[pages][functions]") {
  CHECK(answer_of("theory('folding', 'uniform_m2_exact', 4096, 2048, 100, 3)") ==
        theory::exact_fpr(2048, 100, 3));
  CHECK_THROWS_WITH(value_of("theory('folding', 'nothing', 4096, 2048, 100, 3)"),
                    "page: theory: folding has no column \"nothing\"; there are divides, "
                    "uniform_m2_exact");
}

TEST_CASE("solve finds the keys until a rate, and the bits for one", "[pages][functions]") {
  const auto n = static_cast<std::uint64_t>(answer_of("solve('standard_exact','n',0.01,80000,7)"));
  CHECK(theory::exact_fpr(80'000, n, 7) <= 0.01);
  CHECK(theory::exact_fpr(80'000, n + 1, 7) > 0.01);
  const auto m = static_cast<std::uint64_t>(answer_of("solve('standard_exact','m',0.01,1000,7)"));
  CHECK(theory::exact_fpr(m, 1000, 7) <= 0.01);
  CHECK(theory::exact_fpr(m - 1, 1000, 7) > 0.01);
  CHECK(std::isnan(answer_of("solve('standard_exact', 'n', 1, 80000, 7)")));
  CHECK_THROWS_WITH(value_of("solve('standard_exact', 'q', 0.1, 80000, 7)"),
                    "page: solve: standard_exact has no whole-number argument \"q\"");
}

TEST_CASE("statistics of pages are those of the report", "[pages][functions]") {
  const auto few = statistics::clopper_pearson(3, 1000, 0.95);
  CHECK(answer_of("binomial_low(3, 1000)") == few.low);
  CHECK(answer_of("binomial_high(3, 1000)") == few.high);
  const auto ratio = statistics::ratio_interval(4, {3, 5}, 2, {1.5, 2.5});
  CHECK(answer_of("ratio_low(4, 3, 5, 2, 1.5, 2.5)") == ratio.low);
  CHECK(answer_of("ratio_high(4, 3, 5, 2, 1.5, 2.5)") == ratio.high);
  CHECK_THROWS_WITH(value_of("binomial_low(3.5, 1000)"),
                    "page: hits: a whole number from 0 is wanted");
}

TEST_CASE("Holm's procedure and the aggregates work over rows", "[pages][functions]") {
  Database database;
  add_functions(database);
  database.add_table(
      "t",
      {.columns = {"x", "y", "p"},
       .rows = {{1.0, 2.0, 0.01}, {2.0, 8.0, 0.04}, {4.0, 32.5, 0.03}, {8.0, 127.0, Value()}}});
  const Relation holm = database.query(
      "select holm(p, (select json_group_array(p) from t)) from t where p is not null", "page");
  const std::vector<double> expected = statistics::holm(std::vector<double>{0.01, 0.04, 0.03});
  REQUIRE(holm.rows.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(holm.rows[i][0] == Value(expected[i]));
  const Relation sums = database.query(
      "select median(x), quantile(x, 0.25), power(x, y), power_low(x, y), power_high(x, y), "
      "median(p) from t",
      "page");
  CHECK(sums.rows[0][0] == Value(3.0));
  CHECK(sums.rows[0][1] == Value(1.75));
  const auto fit = statistics::fit_power_law(std::vector<std::vector<double>>{{1, 2, 4, 8}},
                                             std::vector<double>{2, 8, 32.5, 127}, 0.95);
  CHECK(sums.rows[0][2] == Value(fit.exponents[0].value));
  CHECK(sums.rows[0][3] == Value(fit.exponents[0].interval.low));
  CHECK(sums.rows[0][4] == Value(fit.exponents[0].interval.high));
  CHECK(sums.rows[0][5] == Value(0.03));
  CHECK(std::holds_alternative<std::monostate>(
      database.query("select median(x) from t where x > 100", "page").rows[0][0]));
}
