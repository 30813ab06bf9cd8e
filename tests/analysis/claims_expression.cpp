#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "analysis/claims/expression.hpp"
#include "core/theory/models.hpp"

namespace bloomlab::analysis::claims {
namespace {

double value_of(const std::string& formula) {
  Scope scope;
  scope.set("m", 1000);
  scope.set("lab.rate", 0.25);
  return Expression::parse(formula).evaluate(scope);
}

std::string complaint_of(const std::string& formula) {
  try {
    (void)value_of(formula);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("formulas bind as they do in mathematics", "[analysis][claims]") {
  CHECK(value_of("1 + 2 * 3") == 7);
  CHECK(value_of("(1 + 2) * 3") == 9);
  CHECK(value_of("10 - 4 - 3") == 3);
  CHECK(value_of("64 / 4 / 2") == 8);
  CHECK(value_of("2^3^2") == 512);
  CHECK(value_of("-2^2") == -4);
  CHECK(value_of("2^-1") == 0.5);
  CHECK(value_of("1e3 + 0.5") == 1000.5);
  CHECK(value_of("1 + 1 == 2 and 3 <= 2 or 1 != 1") == 0);
  CHECK(value_of("not(1 > 2) and 2 >= 2") == 1);
}

TEST_CASE("formulas know names, functions and loops", "[analysis][claims]") {
  CHECK(value_of("m / 4 + lab.rate") == 250.25);
  CHECK(value_of("ceil(log2(m))") == 10);
  CHECK(value_of("sum(i, 1, 100, i)") == 5050);
  CHECK(value_of("product(i, 1, 5, i)") == 120);
  CHECK(value_of("argmin(i, -5, 5, (i - 2)^2)") == 2);
  CHECK(value_of("least(i, -5, 5, (i - 2)^2 + 3)") == 3);
  CHECK(value_of("all(i, 1, 9, i < 9)") == 0);
  CHECK(value_of("any(i, 1, 9, i == 9)") == 1);
  CHECK(value_of("count(i, 1, 9, mod(i, 2) == 1)") == 5);
  CHECK(value_of("sum(i, 1, 3, sum(j, 1, i, j))") == 10);
  CHECK(value_of("log2_choose(5, 2)") == Approx(std::log2(10.0)));
}

TEST_CASE("formulas ask closed forms and their columns", "[analysis][claims]") {
  using bloomlab::theory::evaluate;
  const auto exact =
      evaluate({"standard_exact",
                {{"m", std::uint64_t{1024}}, {"n", std::uint64_t{102}}, {"k", std::uint64_t{7}}}});
  CHECK(value_of("standard_exact(m=m + 24, n=102, k=7)") == exact.number());
  CHECK(value_of("standard_exact(m=1024, n=102, k=7).classic") == exact.number("classic"));
  CHECK(value_of("double_hashing_exact(m=64, n=6, k=7, stride=\"odd\")") > 0);
  CHECK(Expression::parse("standard_exact(m=1, n=1, k=1)").asks_theory());
  CHECK_FALSE(Expression::parse("ln(2)").asks_theory());
}

TEST_CASE("a faulty formula is refused with its column and what is allowed", "[analysis][claims]") {
  CHECK(complaint_of("1 + ") == "column 5: found the end; expected a number, a name or \"(\"");
  CHECK(complaint_of("(1 + 2") == "column 7: found the end; expected \")\"");
  CHECK(complaint_of("1 2") == "column 3: found a number behind the end of the formula");
  CHECK(complaint_of("1 & 2") ==
        "column 3: found '&'; numbers, names, + - * / ^ ( ) and comparisons are allowed");
  CHECK(complaint_of("\"text") == "column 1: the text has no end; close it with \"");
  CHECK(complaint_of("1e999") == "column 1: the number is out of range");
  CHECK(complaint_of("logg2(8)") ==
        "column 1: unknown function or closed form \"logg2\"; did you mean \"log2\"?");
  CHECK(complaint_of("min(1)") == "column 1: min takes 2 values, found 1");
  CHECK(complaint_of("standard_exact(m=1, n=1, q=1)") ==
        "column 26: unknown argument \"q\"; known: \"m\", \"n\", \"k\"");
  CHECK(complaint_of("standard_exact(1)") ==
        "column 16: found a number; a closed form takes name=value");
  CHECK(complaint_of("optimal_sizing(n=1, p=0.1).hurst_q")
            .starts_with(
                "column 28: optimal_sizing has no column \"hurst_q\"; did you mean \"hurst_"));
}

TEST_CASE("a formula without a value says why", "[analysis][claims]") {
  CHECK(complaint_of("x + 1") == "the name \"x\" has no value; known: \"lab.rate\", \"m\"");
  CHECK(complaint_of("1 / 0") == "\"1 / 0\" has no value");
  CHECK(complaint_of("ln(0 - 1)") == "\"ln(0 - 1)\" has no value");
  CHECK(complaint_of("standard_exact(m=10.5, n=1, k=1)") ==
        "argument m is 10.500000; it must be a whole number from 0; ceil(), floor() or round() it");
  CHECK(complaint_of("sum(i, 1, 1e9, i)") == "the loops take more than 2000000 steps");
}

TEST_CASE("a formula nested without end is refused, not a crash", "[analysis][claims]") {
  CHECK(complaint_of(std::string(100000, '(')) ==
        "column 101: the formula is nested too deeply; simplify it");
  CHECK(complaint_of(std::string(100000, '-')) ==
        "column 101: the formula is nested too deeply; simplify it");
}

}  // namespace bloomlab::analysis::claims
