#include "statistics/coverage.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "statistics/thresholds.hpp"

using namespace bloomlab::statistics;

namespace {

// Queries at which a rate has so many expected hits.
std::uint64_t queries_for(double expected, double rate) {
  return static_cast<std::uint64_t>(std::ceil(expected / rate));
}

constexpr double rates[] = {1e-6, 0.00082, 0.0081, 0.05};

}  // namespace

TEST_CASE("coverage sums the probabilities of the counts that cover", "[statistics][coverage]") {
  // Two queries at 1/2: only one hit of two lies within 0.1, probability 1/2.
  const auto middle = [](std::uint64_t hits, std::uint64_t queries, double) {
    const double p = static_cast<double>(hits) / static_cast<double>(queries);
    return Interval{p - 0.1, p + 0.1};
  };
  CHECK(exact_coverage(middle, 2, 0.5, 0.95) == Approx(0.5).epsilon(1e-14));
  // Four queries at 0.3: only one hit of four lies within 0.1, probability 4 * 0.3 * 0.7^3.
  CHECK(exact_coverage(middle, 4, 0.3, 0.95) == Approx(4 * 0.3 * 0.343).epsilon(1e-13));
  CHECK(exact_coverage(middle, 7, 0.0, 0.95) == 1.0);
  CHECK(exact_coverage(middle, 7, 1.0, 0.95) == 1.0);
  // The largest number of queries is no harder than few.
  CHECK(exact_coverage(wilson, std::uint64_t{1} << 53, 1e-13, 0.95) == Approx(0.95).margin(0.01));
}

TEST_CASE("known values of coverage are found", "[statistics][coverage]") {
  // At n = 10, p = 1/2 both intervals contain 1/2 for 2 .. 8 hits: 1002 of the 1024 outcomes.
  CHECK(exact_coverage(wilson, 10, 0.5, 0.95) == Approx(1002.0 / 1024.0).epsilon(1e-12));
  CHECK(exact_coverage(clopper_pearson, 10, 0.5, 0.95) == Approx(1002.0 / 1024.0).epsilon(1e-12));
}

TEST_CASE("Clopper and Pearson's interval never covers less than its level",
          "[statistics][coverage]") {
  for (const double rate : rates) {
    for (const double expected : {0.5, 1.0, 3.0, 10.0, 30.0, 100.0, 1000.0}) {
      CAPTURE(rate, expected);
      CHECK(exact_coverage(clopper_pearson, queries_for(expected, rate), rate, 0.95) >= 0.95);
    }
  }
}

TEST_CASE("Wilson's interval keeps its level to one per cent from thirty expected hits on",
          "[statistics][coverage]") {
  for (const double rate : rates) {
    for (const double expected : {30.0, 100.0, 1000.0}) {
      CAPTURE(rate, expected);
      const double covered = exact_coverage(wilson, queries_for(expected, rate), rate, 0.95);
      CHECK(std::abs(covered - 0.95) <= thresholds::coverage_tolerance);
    }
  }
  // Below it does not everywhere, the reason why few hits are judged by the exact interval: at
  // 0.176 expected hits even one hit excludes the rate, and only e^-0.176 of the runs have none.
  CHECK(exact_coverage(wilson, 1000000, 0.176e-6, 0.95) < 0.84);
}

TEST_CASE("coverage checks its arguments", "[statistics][coverage][errors]") {
  CHECK_THROWS_WITH(exact_coverage(wilson, 10, 1.5, 0.95),
                    "exact_coverage: rate is 1.5; it must lie in [0, 1]");
  CHECK_THROWS_WITH(exact_coverage(wilson, 0, 0.5, 0.95),
                    "exact_coverage: queries is 0; it must lie in 1 .. 2^53");
}
