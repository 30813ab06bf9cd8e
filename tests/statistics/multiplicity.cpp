#include "statistics/multiplicity.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace bloomlab::statistics;

namespace {

using PValues = std::vector<double>;

void check_equal(const PValues& found, const PValues& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i] == Approx(expected[i]).epsilon(1e-12));
  }
}

// How many are rejected at 0.05.
long rejections(const PValues& adjusted) {
  return std::count_if(adjusted.begin(), adjusted.end(), [](double p) { return p <= 0.05; });
}

}  // namespace

TEST_CASE("Holm adjusts step by step", "[statistics][multiplicity]") {
  // 0.005 * 4, 0.01 * 3, 0.03 * 2, and 0.04 * 1 raised to the one before it.
  check_equal(holm(PValues{0.01, 0.04, 0.03, 0.005}), {0.03, 0.06, 0.06, 0.02});
}

TEST_CASE("the fifteen p-values of Benjamini and Hochberg", "[statistics][multiplicity]") {
  // Benjamini and Hochberg 1995, section 4.1: at 0.05 Bonferroni (and Holm) rejects 3, theirs 4.
  const PValues p_values{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                         0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  CHECK(rejections(holm(p_values)) == 3);
  CHECK(rejections(benjamini_hochberg(p_values)) == 4);
  CHECK(benjamini_hochberg(p_values)[3] == Approx(0.0095 * 15 / 4));
  CHECK(benjamini_hochberg(p_values)[14] == 1.0);
  // Sum of 1/i to 15 is 3.318...: 0.0019 * 15 / 3 * 3.318 = 0.0315 stays, 0.0095 does not.
  CHECK(rejections(benjamini_yekutieli(p_values)) == 3);
  CHECK(benjamini_yekutieli(p_values)[2] == Approx(0.0095 * 3.3182289932289932));
}

TEST_CASE("adjustment keeps order, ties and bounds", "[statistics][multiplicity]") {
  for (const auto adjust : {holm, benjamini_hochberg, benjamini_yekutieli}) {
    CHECK(adjust(PValues{}).empty());
    CHECK(adjust(PValues{0.03}) == PValues{0.03});
    const PValues tied = adjust(PValues{0.02, 0.5, 0.02, 0.02});
    CHECK(tied[0] == tied[2]);
    CHECK(tied[0] == tied[3]);
    for (const double p : adjust(PValues{0.9, 0.8, 1.0})) CHECK(p <= 1.0);
    CHECK(adjust(PValues{0.0, 1.0}) == PValues{0.0, 1.0});
    const PValues ordered = adjust(PValues{0.001, 0.01, 0.011, 0.04, 0.3});
    CHECK(std::is_sorted(ordered.begin(), ordered.end()));
  }
  check_equal(holm(PValues{0.02, 0.02, 0.02}), {0.06, 0.06, 0.06});
  check_equal(holm(PValues{0.6, 0.7}), {1.0, 1.0});
}

TEST_CASE("Holm's false alarms in tables of right cells keep to alpha",
          "[statistics][multiplicity][coverage]") {
  // 4000 tables of 50 uniform p-values. P(any alarm) = 1 - (1 - 0.05/50)^50 = 0.0488.
  std::mt19937_64 random(31);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const int runs = 4000;
  int alarms = 0;
  for (int run = 0; run < runs; ++run) {
    PValues p_values(50);
    for (double& p : p_values) p = uniform(random);
    alarms += rejections(holm(p_values)) > 0 ? 1 : 0;
  }
  const double slack = 4.5 * std::sqrt(0.0488 * 0.9512 / runs);  // error probability 7e-6
  CHECK(std::abs(static_cast<double>(alarms) / runs - 0.0488) < slack);
}

TEST_CASE("Bonferroni's level shares the error", "[statistics][multiplicity]") {
  CHECK(bonferroni_level(0.99, 1) == Approx(0.99).epsilon(1e-15));
  CHECK(bonferroni_level(0.99, 49) == Approx(1.0 - 0.01 / 49).epsilon(1e-15));
}

TEST_CASE("p-values that are none are refused", "[statistics][multiplicity][errors]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(holm(PValues{0.1, nan}), "holm: a p-value is nan; it must lie in [0, 1]");
  CHECK_THROWS_WITH(benjamini_hochberg(PValues{1.5}),
                    "benjamini_hochberg: a p-value is 1.5; it must lie in [0, 1]");
  CHECK_THROWS_WITH(benjamini_yekutieli(PValues{-0.1}),
                    "benjamini_yekutieli: a p-value is -0.1; it must lie in [0, 1]");
  CHECK_THROWS_WITH(bonferroni_level(0.99, 0),
                    "bonferroni_level: count is 0; it must lie in 1 .. 2^53");
}

TEST_CASE("the sum of squares follows the chi-square table", "[statistics][multiplicity]") {
  // Upper and lower 5 % points: 3.841 for 1, 18.307 and 3.940 for 10 degrees.
  const SumOfSquares one = sum_of_squares(std::vector<double>{-1.959964});
  CHECK(one.degrees == 1);
  CHECK(one.statistic == Approx(3.841459).epsilon(1e-6));
  CHECK(one.p_above == Approx(0.05).epsilon(1e-5));
  const SumOfSquares large = sum_of_squares(std::vector<double>(10, std::sqrt(1.8307038)));
  CHECK(large.p_above == Approx(0.05).epsilon(1e-5));
  CHECK(large.p_value == Approx(0.10).epsilon(1e-5));
  const SumOfSquares small = sum_of_squares(std::vector<double>(10, -std::sqrt(0.3940299)));
  CHECK(small.p_below == Approx(0.05).epsilon(1e-5));
  CHECK(small.p_above == Approx(0.95).epsilon(1e-5));
  // Far out the tail is still resolved.
  CHECK(sum_of_squares(std::vector<double>(2, 20.0)).p_above == Approx(std::exp(-400.0)));
  CHECK(sum_of_squares(std::vector<double>(3, 0.0)).p_value == 0.0);
  CHECK_THROWS_WITH(sum_of_squares(std::vector<double>{}),
                    "sum_of_squares: number of cells is 0; it must be at least 1");
  CHECK_THROWS_WITH(sum_of_squares(std::vector<double>{std::nan("")}),
                    "sum_of_squares: a deviation is nan; it must be finite");
}
