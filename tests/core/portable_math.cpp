// The portable logarithm and exponential against those of long double, over their whole domains.

#include "core/filters/portable_math.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/filters/lines_read.hpp"

using namespace bloomlab;

TEST_CASE("the portable logarithm is within 1e-15", "[core][portable]") {
  std::vector<double> arguments = {1.0, 0.5, 2.0, 0x1p-1022, 0x1p1023, 1.7976931348623157e308};
  for (double x = 0x1p-1022; x < 0x1p1022; x *= 1.37) arguments.push_back(x);
  for (double x = 0.5; x < 2.0; x += 0.0007) arguments.push_back(x);
  double worst = 0.0;
  for (const double x : arguments) {
    const long double exact = std::log(static_cast<long double>(x));
    const long double scale = std::max(std::abs(exact), 1.0L);
    const auto error =
        static_cast<double>(std::abs(static_cast<long double>(portable::log(x)) - exact) / scale);
    worst = std::max(worst, error);
  }
  CHECK(worst <= 1e-15);
  CHECK(portable::log(1.0) == 0.0);
}

TEST_CASE("the portable logarithm of what is left is within 1e-15", "[core][portable]") {
  double worst = 0.0;
  const auto take = [&](double x) {
    const long double exact = std::log1p(-static_cast<long double>(x));
    const long double error = std::abs(static_cast<long double>(portable::log_of_rest(x)) - exact);
    worst = std::max(worst, static_cast<double>(error / std::abs(exact)));
  };
  for (double x = 1e-300; x < 0.25; x *= 1.9) take(x);
  for (double x = 0.001; x < 1.0; x += 0.00037) take(x);
  for (double rest = 0.1; rest > 0x1p-53; rest /= 2.0) take(1.0 - rest);
  CHECK(worst <= 1e-15);
  CHECK(portable::log_of_rest(0.0) == 0.0);
}

TEST_CASE("the portable exponential is within 1e-15", "[core][portable]") {
  double worst = 0.0;
  const auto take = [&](double x) {
    const long double exact = std::exp(static_cast<long double>(x));
    const long double error = std::abs(static_cast<long double>(portable::exp(x)) - exact);
    worst = std::max(worst, static_cast<double>(error / exact));
  };
  for (double x = -708.0; x <= 709.0; x += 0.0931) take(x);
  for (double x = -2.0; x <= 2.0; x += 0.00057) take(x);
  CHECK(worst <= 1e-15);
  CHECK(portable::exp(0.0) == 1.0);
}

TEST_CASE("the lines of a run are counted start by start", "[core][lines]") {
  for (const std::uint64_t step : {1U, 8U, 24U, 64U, 96U, 512U, 640U}) {
    for (const std::uint64_t run : {1U, 8U, 63U, 64U, 65U, 512U, 513U, 1025U}) {
      double lines = 0.0;
      std::uint64_t starts = 0;
      for (std::uint64_t start = 0; start == 0 || start % line_bits != 0; start += step) {
        for (std::uint64_t bit = 0; bit < run; ++bit) {
          lines += bit == 0 || (start + bit) % line_bits == 0 ? 1.0 : 0.0;
        }
        ++starts;
      }
      INFO("runs of " << run << " bits at multiples of " << step);
      CHECK(run_lines(run, step) == Approx(lines / static_cast<double>(starts)).epsilon(1e-14));
    }
  }
}

TEST_CASE("lines that random reads meet are those of balls in bins", "[core][lines]") {
  CHECK(probed_lines(5120, 1, 1).present == Approx(1.0));
  CHECK(probed_lines(5120, 1, 2).present == Approx(1.9));  // the second is another in 9 of 10
  CHECK(probed_lines(1024, 1, 3).present == Approx(1.75));
  CHECK(probed_lines(512, 1, 7).present == Approx(1.0));
  CHECK(probed_lines(1, 1, 1).present == Approx(1.0));
  CHECK(probed_lines(std::uint64_t{1} << 60, 1, 256).present == Approx(256.0).epsilon(1e-12));
  // No key: an absent one is known by its first probe. Every bit set: by none.
  CHECK(probed_lines(5120, 0, 2).absent == Approx(1.0));
  CHECK(probed_lines(5120, 0, 2).present == Approx(1.9));
  CHECK(probed_lines(5120, 100'000, 2).absent == Approx(1.9));
  CHECK(probed_lines(640, 0, 2, 8).present == Approx(1.9));
  CHECK(halving_lines(1024, 8).present == Approx(7.0));
  CHECK(halving_lines(4, 8).absent == 1.0);
}
