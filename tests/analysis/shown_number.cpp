#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/tables/table.hpp"
#include "record/number_text.hpp"

using namespace bloomlab;
using namespace bloomlab::analysis;

namespace {

/// Whether `text` shows `value` to the digits that it has.
bool shows(const std::string& text, double value, double tolerance) {
  INFO(text);
  const auto shown = shown_number(text);
  return shown && std::abs(*shown - value) <= tolerance * std::abs(value);
}

}  // namespace

TEST_CASE("numbers as the tables show them are read back", "[analysis][shown_number]") {
  CHECK(shown_number("0.393") == 0.393);
  CHECK(shown_number("2") == 2);
  CHECK(shown_number("1\u202f000\u202f000") == 1000000);
  CHECK(shown_number("−0.63") == -0.63);
  CHECK(shown_number("-0.63") == -0.63);
  CHECK(shown_number("0.00823 [0.00818, 0.00829]") == 0.00823);
  CHECK(shown_number("(3.0 [1.4, 5.7])×10⁻⁷") == 3.0e-7);
  CHECK(shown_number("8.8943×10⁻⁵") == 8.8943e-5);
  CHECK(shown_number("1.42703×10⁶") == 1.42703e6);
  CHECK(shown_number("0.062 [−0.028, 0.152]") == 0.062);
  CHECK(shown_number("< 10⁻¹²") == 1e-12);
}

TEST_CASE("percentages are read as fractions", "[analysis][shown_number]") {
  CHECK(shown_number("0.19 %") == 0.0019);
  CHECK(shown_number("+10.76 %") == 0.1076);
  CHECK(shown_number("−0.021 %") == -0.00021);
  CHECK(shown_number("+3.4 % [+3.1 %, +3.7 %]") == 0.034);
  CHECK(shown_number("+8.1×10⁻⁷ %") == 8.1e-9);
  CHECK(shown_number("+2.0×10⁶ %") == 2.0e4);
  CHECK(shown_number("∞ %") == HUGE_VAL);
  CHECK(shown_number("−∞") == -HUGE_VAL);
}

TEST_CASE("what shows no number has none", "[analysis][shown_number]") {
  for (const char* text : {"",
                           "–",
                           "−",
                           "+",
                           "(",
                           "()",
                           " ",
                           "xxhash3_64",
                           "9c9d350",
                           "1e5",
                           "0.1.0",
                           "3–5",
                           "1:64",
                           "2026-11-21T12:25:09Z",
                           "m = 1000",
                           "2 more",
                           "0.1 [0.0, 0.2",
                           "(3.0 [1.4, 5.7]",
                           "1×10",
                           "1×10⁻",
                           "5 % more",
                           "< ",
                           "1.2\u202f",
                           "2×10⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹"}) {
    INFO(text);
    CHECK_FALSE(shown_number(text));
  }
}

TEST_CASE("every way of writing a number can be read back", "[analysis][shown_number]") {
  for (double size = 1e-14; size < 1e14; size *= 7.3) {
    for (const double value : {size, -size}) {
      CHECK(shows(significant(value, 4), value, 1e-3));
      CHECK(shows(parameter_text(value), value, 1e-5));
      CHECK(shows(percent(value, 4), value, 1e-3));
      CHECK(shows(signed_percent(value, 4), value, 1e-3));
      CHECK(shows(with_interval(value, value - 0.01 * size, value + 0.01 * size), value, 1e-2));
      CHECK(shows(with_interval(value, value, value), value, 1e-5));
    }
  }
  for (const double value : {0.114, -0.0021, 3.5}) {
    CHECK(shows(signed_percent_with_interval(value, value - 0.0001, value + 0.0001), value, 0.02));
  }
  for (const std::uint64_t count : {0ULL, 999ULL, 10000ULL, 1234567ULL, 1ULL << 50U}) {
    CHECK(shown_number(grouped(count)) == static_cast<double>(count));
  }
  CHECK_FALSE(shown_number(significant(std::nan(""), 3)));
}
