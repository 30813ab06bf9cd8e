#include "statistics/ratio.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

namespace {

using bloomlab::statistics::Interval;
using bloomlab::statistics::ratio_interval;

TEST_CASE("over an exact denominator the ratio has the numerator's interval", "[ratio]") {
  const Interval interval = ratio_interval(6, {4, 9}, 2, {2, 2});
  CHECK(interval.low == Approx(2));
  CHECK(interval.high == Approx(4.5));
}

TEST_CASE("an exact numerator over an estimate is divided by its ends", "[ratio]") {
  const Interval interval = ratio_interval(6, {6, 6}, 2, {1.5, 3});
  CHECK(interval.low == Approx(2));
  CHECK(interval.high == Approx(4));
}

TEST_CASE("the interval of a ratio is narrower than that of divided ends", "[ratio]") {
  const Interval interval = ratio_interval(10, {9, 11}, 5, {4.5, 5.5});
  CHECK(interval.low > 9 / 5.5);
  CHECK(interval.high < 11 / 4.5);
  CHECK(interval.contains(2));
}

TEST_CASE("the interval of a ratio agrees with the printed form of Donner and Zou", "[ratio]") {
  const double t1 = 0.08, l1 = 0.07, u1 = 0.1, t2 = 0.02, l2 = 0.017, u2 = 0.025;
  const Interval interval = ratio_interval(t1, {l1, u1}, t2, {l2, u2});
  const double t = t1 * t2;
  const double low =
      (t - std::sqrt(t * t - l1 * u2 * (2 * t1 - l1) * (2 * t2 - u2))) / (u2 * (2 * t2 - u2));
  const double high =
      (t + std::sqrt(t * t - u1 * l2 * (2 * t1 - u1) * (2 * t2 - l2))) / (l2 * (2 * t2 - l2));
  CHECK(interval.low == Approx(low).epsilon(1e-12));
  CHECK(interval.high == Approx(high).epsilon(1e-12));
}

TEST_CASE("a denominator that may be nothing leaves the ratio without an upper end", "[ratio]") {
  const Interval interval = ratio_interval(1, {0.5, 2}, 1, {0, 3});
  CHECK(interval.low == 0);
  CHECK(interval.high == std::numeric_limits<double>::infinity());
}

TEST_CASE("the interval of a ratio covers the true ratio as often as it says", "[ratio]") {
  // 20 000 pairs of normal estimates with known errors; 95 % +- 4 standard errors of the share.
  std::mt19937_64 random(20261122);
  const double a = 10, sa = 0.8, b = 4, sb = 0.3, z = 1.959964;
  std::normal_distribution<double> numerator(a, sa);
  std::normal_distribution<double> denominator(b, sb);
  constexpr int pairs = 20'000;
  int covered = 0;
  for (int i = 0; i < pairs; ++i) {
    const double x = numerator(random);
    const double y = denominator(random);
    covered +=
        ratio_interval(x, {x - z * sa, x + z * sa}, y, {y - z * sb, y + z * sb}).contains(a / b)
            ? 1
            : 0;
  }
  CHECK(std::abs(covered / double(pairs) - 0.95) < 4 * std::sqrt(0.95 * 0.05 / pairs));
}

TEST_CASE("a ratio of what is no estimate is refused", "[ratio]") {
  CHECK_THROWS_AS(ratio_interval(1, {2, 3}, 1, {1, 1}), std::invalid_argument);
  CHECK_THROWS_AS(ratio_interval(1, {-1, 3}, 1, {1, 1}), std::invalid_argument);
  CHECK_THROWS_AS(ratio_interval(1, {1, 1}, 0, {0, 0}), std::invalid_argument);
  CHECK_THROWS_AS(ratio_interval(1, {1, std::nan("")}, 1, {1, 1}), std::invalid_argument);
}

}  // namespace
