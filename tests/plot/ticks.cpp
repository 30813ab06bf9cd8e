#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "analysis/plot/panel.hpp"

using namespace bloomlab::analysis::plot;

namespace {

std::vector<std::string> labels(const View& view, double pixels, double spacing) {
  std::vector<std::string> result;
  for (const Tick& tick : find_ticks(view, pixels, spacing).major) {
    result.push_back(tick.label);
  }
  return result;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("an axis of rates ends at 1 and one of per cent at 100, where the data do",
          "[plot][ticks]") {
  for (const Scale scale : {Scale::linear, Scale::log}) {
    const Axis rates{.label = "false-positive rate (FPR)", .scale = scale};
    CHECK(find_view(rates, 0.003, 0.9999, Ends::rounded).high == 1.0);
    CHECK(find_view(rates, 0.003, 1.0, Ends::padded).high == 1.0);
    CHECK(find_view(rates, 0.003, 0.04, Ends::rounded).high < 0.2);
    CHECK(find_view(rates, 0.5, 1.3, Ends::rounded).high > 1.3);  // a ratio of two FPRs
    const Axis shares{.label = "duplicates missed [%]", .scale = scale};
    CHECK(find_view(shares, 1, 98.7, Ends::padded).high == 100.0);
    CHECK(find_view(shares, 1, 140, Ends::rounded).high >= 140.0);  // a change
  }
}

TEST_CASE("a view maps its ends to 0 and 1 and back", "[plot][ticks]") {
  for (const View view : {View{2, 32, Scale::log}, View{-3, 5, Scale::linear}}) {
    CHECK(view.fraction(view.low) == Approx(0).margin(1e-15));
    CHECK(view.fraction(view.high) == Approx(1));
    CHECK(view.value(view.fraction(4)) == Approx(4));
  }
  CHECK(View{1, 100, Scale::log}.fraction(10) == Approx(0.5));
}

TEST_CASE("ranges of what came out end at round numbers", "[plot][ticks]") {
  const View linear = find_view({}, 0.003, 0.113, Ends::rounded);
  CHECK(linear.low == 0);
  CHECK(linear.high == Approx(0.12));
  const View log = find_view({.label = "", .scale = Scale::log}, 3e-7, 0.4, Ends::rounded);
  CHECK(log.low == Approx(2e-7));
  CHECK(log.high == Approx(0.5));
}

TEST_CASE("ranges of what was set have air but never cross zero", "[plot][ticks]") {
  const View from_zero = find_view({}, 0, 100, Ends::padded);
  CHECK(from_zero.low == 0);
  CHECK(from_zero.high == Approx(103));
  const View log = find_view({.label = "", .scale = Scale::log}, 1, 100, Ends::padded);
  CHECK(log.low < 1);
  CHECK(log.low > 0.8);
}

TEST_CASE("given ends win, also beyond all data", "[plot][ticks]") {
  for (const Ends ends : {Ends::padded, Ends::rounded}) {
    for (const Scale scale : {Scale::linear, Scale::log}) {
      const View above = find_view({.label = "", .scale = scale, .low = 10}, 1, 5, ends);
      CHECK(above.low == 10);
      CHECK(above.high > 10);
      const View below = find_view({.label = "", .scale = scale, .high = 0.5}, 1, 5, ends);
      CHECK(below.high == 0.5);
      CHECK(below.low < 0.5);
    }
  }
}

TEST_CASE("one value still gives a range", "[plot][ticks]") {
  for (const Ends ends : {Ends::padded, Ends::rounded}) {
    for (const Scale scale : {Scale::linear, Scale::log}) {
      const View view = find_view({.label = "", .scale = scale}, 7, 7, ends);
      CHECK(view.low < view.high);
      CHECK(view.contains(7));
    }
  }
  CHECK(find_view({}, 0, 0, Ends::rounded).high > 0);
}

TEST_CASE("linear ticks have one number of decimals", "[plot][ticks]") {
  CHECK(labels({0, 0.12, Scale::linear}, 400, 60) ==
        Labels{"0.00", "0.02", "0.04", "0.06", "0.08", "0.10", "0.12"});
  CHECK(labels({0, 160000, Scale::linear}, 800, 200) ==
        Labels{"0", "50\u2009000", "100\u2009000", "150\u2009000"});
  CHECK(labels({0, 4e-7, Scale::linear}, 400, 100) ==
        Labels{"0", "10^{-7}", "2\u00D710^{-7}", "3\u00D710^{-7}", "4\u00D710^{-7}"});
}

TEST_CASE("log ticks thin out with the decades", "[plot][ticks]") {
  CHECK(labels({1e-4, 1, Scale::log}, 400, 44) ==
        Labels{"10^{-4}", "10^{-3}", "10^{-2}", "10^{-1}", "10^{0}"});
  CHECK(labels({1e-8, 1, Scale::log}, 200, 44) ==
        Labels{"10^{-8}", "10^{-6}", "10^{-4}", "10^{-2}", "10^{0}"});
  CHECK(labels({2e5, 3e6, Scale::log}, 800, 96) ==
        Labels{"200\u2009000", "500\u2009000", "1\u2009000\u2009000", "2\u2009000\u2009000"});
  CHECK(labels({2, 8.5, Scale::log}, 800, 96) == Labels{"2", "3", "4", "5", "6", "7", "8"});
}

TEST_CASE("a log axis always has at least two numbers", "[plot][ticks]") {
  for (const double low : {1.1, 2.7, 6.0, 9.2}) {
    for (const double factor : {1.05, 1.5, 3.0, 9.0, 30.0, 1e4, 1e25}) {
      const View view{low, low * factor, Scale::log};
      CAPTURE(low, factor);
      CHECK(find_ticks(view, 400, 44).major.size() >= 2);
      CHECK(find_ticks(view, 400, 44).major.size() <= 12);
    }
  }
}

TEST_CASE("minor ticks never repeat numbered ones", "[plot][ticks]") {
  const Ticks ticks = find_ticks({1, 100, Scale::log}, 800, 44);
  REQUIRE(ticks.minor.size() == 12);  // 3 4 6 7 8 9 of two decades
  for (const double minor : ticks.minor) {
    for (const Tick& major : ticks.major) CHECK(minor != Approx(major.at));
  }
}
