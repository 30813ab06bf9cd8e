#include "statistics/durations.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "simulated_filters.hpp"

using namespace bloomlab::statistics;

namespace {

using Values = std::vector<double>;

// Two samples of these sizes without ties whose U (of the first) is `u`: values of the second are
// 1, 2, ..., those of the first stand between them.
struct Pair {
  Values first;
  Values second;
};

Pair with_u(int a, int b, int u) {
  Pair pair;
  for (int i = 1; i <= b; ++i) pair.second.push_back(i);
  for (int i = 0; i < a; ++i) {
    const int below = std::min(b, u);
    u -= below;
    pair.first.push_back(below + 0.5 + 0.001 * i);
  }
  return pair;
}

double p_value(int a, int b, int u) {
  const Pair pair = with_u(a, b, u);
  const RankComparison result = compare_durations(pair.first, pair.second);
  REQUIRE(result.u == u);
  REQUIRE(result.exact);
  return result.p_value;
}

}  // namespace

TEST_CASE("medians are those of the ordered values", "[statistics][durations]") {
  CHECK(median(Values{3.0}) == 3.0);
  CHECK(median(Values{4.0, 1.0}) == 2.5);
  CHECK(median(Values{9.0, 1.0, 5.0}) == 5.0);
  CHECK(median(Values{9.0, 1.0, 5.0, 7.0}) == 6.0);
}

TEST_CASE("the bootstrap interval has the quantiles of the resampled median",
          "[statistics][durations]") {
  // Odd n: P(median of a resample <= j-th value) = P(at least (n + 1) / 2 of n draws are among the
  // first j). n = 11, values 1..11: P(<= 2) = .0187, P(<= 3) = .0974... hence 3 and 9 at 95 %.
  Values values;
  for (int i = 1; i <= 11; ++i) values.push_back(i);
  const auto at_most = [](int j) {
    double sum = 0.0;
    for (int i = 6; i <= 11; ++i) {
      sum += std::exp(std::lgamma(12.0) - std::lgamma(i + 1.0) - std::lgamma(12.0 - i) +
                      i * std::log(j / 11.0) + (11 - i) * std::log(1.0 - j / 11.0));
    }
    return sum;
  };
  REQUIRE(at_most(2) < 0.022);
  REQUIRE(at_most(3) > 0.028);
  for (const std::uint64_t seed : {1U, 2U, 77U}) {
    const Interval interval = bootstrap_median(values, 0.95, seed);
    CHECK(interval == Interval{3.0, 9.0});
  }
  CHECK(bootstrap_median(values, 0.95, 5) == bootstrap_median(values, 0.95, 5));
  CHECK(bootstrap_median(Values{4.0, 4.0, 4.0}, 0.95, 1) == Interval{4.0, 4.0});
}

TEST_CASE("resamples are drawn by SplitMix64, and their quantiles lie between two of them",
          "[statistics][durations]") {
  const Values values{3.0, 1.0, 4.5, 1.5, 9.0, 2.5};
  constexpr std::size_t resamples = 4000;
  std::uint64_t state = 42;
  const auto next = [&] {
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
    return mixed ^ mixed >> 31;
  };
  Values medians;
  for (std::size_t i = 0; i < resamples; ++i) {
    Values drawn;
    for (int j = 0; j < 6; ++j) drawn.push_back(values[(next() >> 32) * 6 >> 32]);
    std::sort(drawn.begin(), drawn.end());
    medians.push_back((drawn[2] + drawn[3]) / 2.0);
  }
  std::sort(medians.begin(), medians.end());
  const auto quantile = [&](double share) {
    const double place = share * (resamples - 1.0);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const double part = place - std::floor(place);
    return (1.0 - part) * medians[below] + part * medians[std::min(below + 1, resamples - 1)];
  };
  // A level for every part of the way between two resamples, also where their medians differ.
  for (double level = 0.0005; level < 1.0; level += 0.0007) {
    const Interval interval = bootstrap_median(values, level, 42);
    REQUIRE(interval.low == Approx(quantile((1.0 - level) / 2.0)).epsilon(1e-12));
    REQUIRE(interval.high == Approx(quantile((1.0 + level) / 2.0)).epsilon(1e-12));
  }
}

TEST_CASE("the bootstrap interval covers the median of a skewed law",
          "[statistics][durations][coverage]") {
  // Lognormal, n = 31. The percentile interval of a median lies between order statistics and keeps
  // its level to about 2 %; chance is given 4.5 standard deviations (7e-6).
  std::mt19937_64 random(50);
  std::lognormal_distribution<double> law(3.0, 0.7);
  const int runs = 600;
  int covered = 0;
  for (int run = 0; run < runs; ++run) {
    Values values(31);
    for (double& value : values) value = law(random);
    covered +=
        bootstrap_median(values, 0.95, static_cast<std::uint64_t>(run)).contains(std::exp(3.0)) ? 1
                                                                                                : 0;
  }
  CHECK(std::abs(static_cast<double>(covered) / runs - 0.95) < 0.02 + simulated::slack(0.95, runs));
}

TEST_CASE("Mann and Whitney's critical values are the published ones", "[statistics][durations]") {
  // Largest U that is significant at 0.05, two-sided.
  struct Critical {
    int a;
    int b;
    int u;
  };
  for (const Critical& row : {Critical{4, 4, 0}, Critical{5, 5, 2}, Critical{6, 6, 5},
                              Critical{7, 7, 8}, Critical{8, 8, 13}, Critical{10, 10, 23},
                              Critical{10, 20, 55}, Critical{15, 15, 64}, Critical{20, 20, 127}}) {
    CAPTURE(row.a, row.b);
    CHECK(p_value(row.a, row.b, row.u) <= 0.05);
    CHECK(p_value(row.a, row.b, row.u + 1) > 0.05);
  }
  // Four of the 252 arrangements of five and five have U <= 2.
  CHECK(p_value(5, 5, 2) == Approx(8.0 / 252.0).epsilon(1e-12));
  CHECK(p_value(1, 1, 0) == 1.0);
  // Symmetric, and the exact law is not the normal one's.
  CHECK(p_value(7, 9, 12) == Approx(p_value(7, 9, 63 - 12)).epsilon(1e-12));
}

TEST_CASE("a published comparison without ties is reproduced", "[statistics][durations]") {
  // Permeability of the human chorioamnion: Hollander and Wolfe 1973, Nonparametric statistical
  // methods, p. 69; W = 35, one-sided p 0.1272, shift 0.305.
  const Values term{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  const Values early{1.15, 0.88, 0.90, 0.74, 1.21};
  const RankComparison result = compare_durations(term, early);
  CHECK(result.exact);
  CHECK(result.u == 35.0);
  CHECK(result.p_value == Approx(2 * 0.1272).margin(1e-4));
  CHECK(result.shift == Approx(0.305).epsilon(1e-9));
  const RankComparison mirrored = compare_durations(early, term);
  CHECK(mirrored.p_value == Approx(result.p_value).epsilon(1e-12));
  CHECK(mirrored.shift == Approx(-0.305).epsilon(1e-9));
}

TEST_CASE("a published comparison with ties is reproduced", "[statistics][durations]") {
  // Ozone in New York, May and August 1973 (Chambers, Cleveland, Kleiner, Tukey 1983, Graphical
  // methods for data analysis): W = 127.5, p = 0.0001208.
  const Values may{41, 36, 12, 18, 28, 23, 19, 8, 7,  16, 11, 14,  18,
                   14, 34, 6,  30, 11, 1,  11, 4, 32, 23, 45, 115, 37};
  const Values august{39, 9,  16, 78, 35, 66, 122, 89,  110, 44, 28,  65, 22,
                      59, 23, 31, 44, 21, 9,  45,  168, 73,  76, 118, 84, 85};
  const RankComparison result = compare_durations(may, august);
  CHECK_FALSE(result.exact);
  CHECK(result.u == 127.5);
  CHECK(result.p_value == Approx(0.0001208).epsilon(5e-4));
}

TEST_CASE("equal samples and large ones are compared by the normal law",
          "[statistics][durations]") {
  const RankComparison equal = compare_durations(Values{2, 2, 2}, Values{2, 2});
  CHECK(equal.p_value == 1.0);
  CHECK(equal.shift == 0.0);
  // 50 against 50 is exact, 51 not, and they hardly differ.
  const double exact = p_value(50, 50, 1000);
  const Pair large = with_u(51, 50, 1020);
  const RankComparison normal = compare_durations(large.first, large.second);
  CHECK_FALSE(normal.exact);
  CHECK(normal.p_value == Approx(exact).epsilon(0.03));
}

TEST_CASE("the interval of a shift has the ends that its level asks for",
          "[statistics][durations]") {
  // Five against five: four of 252 arrangements have U <= 2 (.0159), seven U <= 3 (.0278): at 95 %
  // three differences a side are beyond the interval but for its own end.
  const Values first{10, 20, 30, 40, 50};
  const Values second{1, 2, 3, 4, 5};
  Values differences;
  for (const double a : first) {
    for (const double b : second) differences.push_back(a - b);
  }
  std::sort(differences.begin(), differences.end());
  CHECK(shift_interval(first, second, 0.95) == Interval{differences[2], differences[22]});
  CHECK(shift_interval(second, first, 0.95) == Interval{-differences[22], -differences[2]});
  // Three against three cannot be distinguished at 95 %: 2 / 20.
  const Interval endless = shift_interval(Values{1, 2, 3}, Values{4, 5, 6}, 0.95);
  CHECK(std::isinf(endless.low));
  CHECK(std::isinf(endless.high));
  // One value against fifty: each of 51 ranks has .0196, so that one a side is beyond. Against 51
  // the normal law decides, whose quantile is below no rank.
  Values many(50);
  std::iota(many.begin(), many.end(), 1.0);
  CHECK(shift_interval(many, Values{0.0}, 0.95) == Interval{1.0, 50.0});
  CHECK(shift_interval(Values{0.0}, many, 0.95) == Interval{-50.0, -1.0});
  many.push_back(51.0);
  CHECK(std::isinf(shift_interval(many, Values{0.0}, 0.95).high));
  CHECK(std::isinf(shift_interval(Values{0.0}, many, 0.95).high));
}

TEST_CASE("the interval of a shift holds what the test does not reject",
          "[statistics][durations][coverage]") {
  // It must cover the true shift as often as it says; 4.5 standard deviations (7e-6). Small samples
  // are exact and cover more, 60 values a side go by the normal law.
  std::mt19937_64 random(51);
  std::lognormal_distribution<double> law(0.0, 0.4);
  for (const std::size_t size : {std::size_t{10}, std::size_t{60}}) {
    const int runs = 600;
    int covered = 0;
    for (int run = 0; run < runs; ++run) {
      Values first(size);
      Values second(size);
      for (double& value : first) value = 3.0 + law(random);
      for (double& value : second) value = law(random);
      const Interval interval = shift_interval(first, second, 0.95);
      covered += interval.contains(3.0) ? 1 : 0;
      const RankComparison test = compare_durations(first, second);
      CHECK(interval.contains(test.shift));
    }
    CAPTURE(size);
    CHECK(static_cast<double>(covered) / runs > 0.95 - simulated::slack(0.95, runs));
    CHECK(covered < runs);
  }
}

TEST_CASE("the arguments of duration statistics are checked", "[statistics][durations][errors]") {
  CHECK_THROWS_WITH(median(Values{}), "median: number of values is 0; it must be at least 1");
  CHECK_THROWS_WITH(median(Values{std::nan("")}), "median: a value is nan; it must be finite");
  CHECK_THROWS_WITH(bootstrap_median(Values{1.0}, 1.0, 0),
                    "bootstrap_median: level is 1; it must lie strictly between 0 and 1");
  CHECK_THROWS_WITH(compare_durations(Values{1.0}, Values{}),
                    "compare_durations: number of values is 0; it must be at least 1");
  CHECK_THROWS_WITH(compare_durations(Values(8193, 1.0), Values{1.0}),
                    "compare_durations: number of values is 8193; it must not exceed 8192");
}
