#include "record/number_text.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace bloomlab;

TEST_CASE("significant digits are kept, also those that are zero", "[analysis][number]") {
  CHECK(significant(0.0081937, 3) == "0.00819");
  CHECK(significant(0.5, 3) == "0.500");
  CHECK(significant(9.996, 3) == "10.0");
  CHECK(significant(123456, 2) == "120000");
  CHECK(significant(-0.25, 2) == "−0.25");
  CHECK(significant(0, 3) == "0");
}

TEST_CASE("very small and very large numbers are powers of ten", "[analysis][number]") {
  CHECK(significant(2.1167340e-7, 3) == "2.12×10⁻⁷");
  CHECK(significant(4.4333e-14, 2) == "4.4×10⁻¹⁴");
  CHECK(significant(2.5e6, 2) == "2.5×10⁶");
  CHECK(significant(9.999e-8, 2) == "1.0×10⁻⁷");
  CHECK(significant(-1.2345e300, 4) == "−1.234×10³⁰⁰");
  CHECK(significant(1.21e-310, 2) == "1.2×10⁻³¹⁰");  // below the smallest normal double
  CHECK(significant(5e-324, 3) == "4.94×10⁻³²⁴");
}

TEST_CASE("what is no number has a sign of its own", "[analysis][number]") {
  CHECK(significant(std::numeric_limits<double>::quiet_NaN()) == "–");
  CHECK(significant(std::numeric_limits<double>::infinity()) == "∞");
  CHECK(exact_text(std::numeric_limits<double>::quiet_NaN()).empty());
}

TEST_CASE("whole numbers are grouped from five digits on", "[analysis][number]") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(9999) == "9999");
  CHECK(grouped(10000) == "10\u202f000");
  CHECK(grouped(1234567) == "1\u202f234\u202f567");
}

TEST_CASE("an estimate shows no more digits than its interval supports", "[analysis][number]") {
  CHECK(with_interval(0.0081937, 0.0081537, 0.0082337) == "0.00819 [0.00815, 0.00823]");
  CHECK(with_interval(0.0081937, 0.0081807, 0.0082067) == "0.008194 [0.008181, 0.008207]");
  CHECK(with_interval(0.3935, 0.3012, 0.4858) == "0.39 [0.30, 0.49]");
  CHECK(with_interval(2.12e-7, 1.52e-7, 2.72e-7) == "(2.1 [1.5, 2.7])×10⁻⁷");
  CHECK(with_interval(0, 0, 1.2e-7) == "(0.0 [0.0, 1.2])×10⁻⁷");
}

TEST_CASE("an interval without width gives the number alone", "[analysis][number]") {
  CHECK(with_interval(0.25, 0.25, 0.25) == "0.250000");
}

TEST_CASE("deviations carry their sign", "[analysis][number]") {
  CHECK(signed_percent_with_interval(0.1137, 0.1102, 0.1172) == "+11.4 % [+11.0 %, +11.7 %]");
  CHECK(signed_percent_with_interval(-0.001, -0.02, 0.018) == "−0.1 % [−2.0 %, +1.8 %]");
  CHECK(signed_percent(0.0123) == "+1.2 %");
  CHECK(signed_percent(-0.0123) == "−1.2 %");
}

TEST_CASE("parameters lose the zeros at their end", "[analysis][number]") {
  CHECK(parameter_text(0.85) == "0.85");
  CHECK(parameter_text(8) == "8");
  CHECK(parameter_text(100) == "100");
  CHECK(parameter_text(9.585) == "9.585");
  CHECK(parameter_text(1e-9) == "1×10⁻⁹");
}

TEST_CASE("p-values have two digits and an end", "[analysis][number]") {
  CHECK(p_value_text(0.0304) == "0.030");
  CHECK(p_value_text(1) == "1.0");
  CHECK(p_value_text(1e-300) == "< 10⁻¹²");
  CHECK(p_value_phrase(0.5) == "p = 0.50");
  CHECK(p_value_phrase(0) == "p < 10⁻¹²");
}

TEST_CASE("printed decimals are kept as they are", "[analysis][number]") {
  CHECK(fixed(0.004, 4) == "0.0040");
  CHECK(fixed(3.4657, 2) == "3.47");
  CHECK(fixed(4.4333e-14, 12) == "0.000000000000");
}

TEST_CASE("the text for programs reads back as the same number", "[analysis][number]") {
  for (const double value : {0.1, 1.0 / 3, 2.1167340e-7, 1e300}) {
    CHECK(std::stod(exact_text(value)) == value);
  }
}
