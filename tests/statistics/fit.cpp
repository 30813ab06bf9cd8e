#include "statistics/fit.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "simulated_filters.hpp"

using namespace bloomlab::statistics;

namespace {

using Columns = std::vector<std::vector<double>>;

}  // namespace

TEST_CASE("the Norris data give their certified values", "[statistics][fit]") {
  // NIST Statistical Reference Datasets, linear regression, Norris: calibration of ozone monitors.
  const Columns x{{0.2, 337.4, 118.2, 884.6, 10.1,  226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4,
                   0.6, 775.5, 666.9, 338.0, 447.5, 11.6,  556.0, 228.1, 995.8, 887.6, 120.2, 0.3,
                   0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1,  118.3, 229.2, 669.1, 448.9, 0.5}};
  const std::vector<double> y{0.1,   338.8, 118.1, 888.0, 9.2,   228.1, 668.5, 998.5, 449.1,
                              778.9, 559.2, 0.3,   0.1,   778.1, 668.8, 339.3, 448.9, 10.8,
                              557.7, 228.3, 998.0, 888.8, 119.6, 0.3,   0.6,   557.6, 339.3,
                              888.0, 998.5, 778.9, 10.2,  117.6, 228.9, 668.4, 449.2, 0.2};
  const LinearFit fit = fit_linear(x, y, 0.95);
  REQUIRE(fit.coefficients.size() == 2);
  CHECK(fit.coefficients[0].value == Approx(-0.262323073774029).epsilon(1e-11));
  CHECK(fit.coefficients[1].value == Approx(1.00211681802045).epsilon(1e-13));
  CHECK(fit.coefficients[0].standard_error == Approx(0.232818234301152).epsilon(1e-12));
  CHECK(fit.coefficients[1].standard_error == Approx(0.000429796848199937).epsilon(1e-12));
  CHECK(fit.residual_sd == Approx(0.884796396144373).epsilon(1e-12));
  CHECK(fit.r_squared == Approx(0.999993745883712).epsilon(1e-13));
  CHECK(fit.degrees == 34);
}

TEST_CASE("the Longley data give their certified values", "[statistics][fit]") {
  // NIST Statistical Reference Datasets, linear regression, Longley: six predictors that nearly
  // depend on each other, the classic trap of the normal equations.
  const Columns x{{83.0, 88.5, 88.2, 89.5, 96.2, 98.1, 99.0, 100.0, 101.2, 104.6, 108.4, 110.8,
                   112.6, 114.2, 115.7, 116.9},
                  {234289, 259426, 258054, 284599, 328975, 346999, 365385, 363112, 397469, 419180,
                   442769, 444546, 482704, 502601, 518173, 554894},
                  {2356, 2325, 3682, 3351, 2099, 1932, 1870, 3578, 2904, 2822, 2936, 4681, 3813,
                   3931, 4806, 4007},
                  {1590, 1456, 1616, 1650, 3099, 3594, 3547, 3350, 3048, 2857, 2798, 2637, 2552,
                   2514, 2572, 2827},
                  {107608, 108632, 109773, 110929, 112075, 113270, 115094, 116219, 117388, 118734,
                   120445, 121950, 123366, 125368, 127852, 130081},
                  {1947, 1948, 1949, 1950, 1951, 1952, 1953, 1954, 1955, 1956, 1957, 1958, 1959,
                   1960, 1961, 1962}};
  const std::vector<double> y{60323, 61122, 60171, 61187, 63221, 63639, 64989, 63761,
                              66019, 67857, 68169, 66513, 68655, 69564, 69331, 70551};
  const LinearFit fit = fit_linear(x, y, 0.95);
  const std::vector<double> certified{-3482258.63459582, 15.0618722713733,  -0.0358191792925910,
                                      -2.02022980381683, -1.03322686717359, -0.0511041056535807,
                                      1829.15146461355};
  REQUIRE(fit.coefficients.size() == certified.size());
  for (std::size_t i = 0; i < certified.size(); ++i) {
    CAPTURE(i);
    CHECK(fit.coefficients[i].value == Approx(certified[i]).epsilon(1e-8));
  }
  CHECK(fit.coefficients[6].standard_error == Approx(455.478499142212).epsilon(1e-8));
  CHECK(fit.residual_sd == Approx(304.854073561965).epsilon(1e-9));
  CHECK(fit.r_squared == Approx(0.995479004577296).epsilon(1e-11));
}

TEST_CASE("a line through four points is that of the textbook", "[statistics][fit]") {
  // x = 0 1 2 3, y = 1 3 2 5: slope 1.1, intercept 1.1, residual 2.7, t(2) at 0.975 = 4.302653.
  const LinearFit fit = fit_linear(Columns{{0, 1, 2, 3}}, std::vector<double>{1, 3, 2, 5}, 0.95);
  CHECK(fit.coefficients[0].value == Approx(1.1));
  CHECK(fit.coefficients[1].value == Approx(1.1));
  CHECK(fit.residual_sd == Approx(std::sqrt(2.7 / 2)));
  CHECK(fit.r_squared == Approx(1.0 - 2.7 / 8.75));
  const double error = std::sqrt(2.7 / 2 / 5);
  CHECK(fit.coefficients[1].standard_error == Approx(error));
  CHECK(fit.coefficients[1].interval.high == Approx(1.1 + 4.302653 * error).epsilon(1e-6));
}

TEST_CASE("a power law without errors is found exactly", "[statistics][fit]") {
  Columns x(2);
  std::vector<double> y;
  for (const double n : {1e3, 1e4, 1e5, 1e6}) {
    for (const double k : {1.0, 4.0, 9.0}) {
      x[0].push_back(n);
      x[1].push_back(k);
      y.push_back(3.5 * std::pow(n, 0.97) * std::pow(k, -0.5));
    }
  }
  const PowerLaw law = fit_power_law(x, y, 0.95);
  CHECK(law.factor.value == Approx(3.5).epsilon(1e-11));
  REQUIRE(law.exponents.size() == 2);
  CHECK(law.exponents[0].value == Approx(0.97).epsilon(1e-12));
  CHECK(law.exponents[1].value == Approx(-0.5).epsilon(1e-12));
  CHECK(law.residual_sd < 1e-12);
  CHECK(law.r_squared == Approx(1.0));
  CHECK(law.degrees == 9);
}

TEST_CASE("intervals of an exponent cover it", "[statistics][fit][coverage]") {
  // Normal errors of ln y: Student's interval is exact. Slack: 4.5 standard deviations, 7e-6.
  const Columns x{{10, 20, 40, 80, 160, 320}};
  std::mt19937_64 random(60);
  std::normal_distribution<double> error(0.0, 0.1);
  const int runs = 5000;
  int exponent = 0;
  int factor = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> y;
    for (const double n : x[0]) y.push_back(2.0 * std::pow(n, 1.3) * std::exp(error(random)));
    const PowerLaw law = fit_power_law(x, y, 0.95);
    exponent += law.exponents[0].interval.contains(1.3) ? 1 : 0;
    factor += law.factor.interval.contains(2.0) ? 1 : 0;
  }
  CHECK(std::abs(static_cast<double>(exponent) / runs - 0.95) < simulated::slack(0.95, runs));
  CHECK(std::abs(static_cast<double>(factor) / runs - 0.95) < simulated::slack(0.95, runs));
}

TEST_CASE("a fit refuses what it cannot distinguish", "[statistics][fit][errors]") {
  const std::vector<double> y{1, 2, 3, 4, 5};
  const std::string rank =
      "; it must be the number of coefficients: leave out predictors that are constant or follow "
      "from others";
  CHECK_THROWS_WITH(fit_linear(Columns{{7, 7, 7, 7, 7}}, y, 0.95),
                    "fit_linear: rank of the design is 1" + rank);
  CHECK_THROWS_WITH(fit_linear(Columns{{1, 2, 3, 4, 5}, {3, 5, 7, 9, 11}}, y, 0.95),
                    "fit_linear: rank of the design is 2" + rank);
  // m = 8 n throughout: growth with m and with n cannot be distinguished, whatever the units.
  CHECK_THROWS_WITH(fit_power_law(Columns{{1, 10, 100, 1e3, 1e4}, {8, 80, 800, 8e3, 8e4}}, y, 0.95),
                    "fit_linear: rank of the design is 2" + rank);
  CHECK_THROWS_WITH(fit_linear(Columns{{0, 0, 0, 0, 0}}, y, 0.95),
                    "fit_linear: rank of the design is 1" + rank);
  CHECK_THROWS_WITH(fit_linear(Columns{{1, 2}}, std::vector<double>{1, 2}, 0.95),
                    "fit_linear: number of points is 2; it must exceed the number of coefficients");
  CHECK_THROWS_WITH(fit_linear(Columns{{1, 2}}, y, 0.95),
                    "fit_linear: length of a predictor is 2; it must be that of the values");
  CHECK_THROWS_WITH(fit_power_law(Columns{{1, 2, 0, 4, 5}}, y, 0.95),
                    "fit_power_law: a value is 0; it must be above 0");
}
