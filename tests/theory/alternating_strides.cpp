#include "core/theory/alternating_strides.hpp"

#include <catch2/catch.hpp>

#include "core/theory/standard.hpp"

using namespace bloomlab::theory;

TEST_CASE("up to three alternating positions are those of independent ones", "[theory][strides]") {
  // Five of its standard errors.
  CHECK(alternating_fpr(2003, 300, 1) == Approx(exact_fpr(2003, 300, 1)).epsilon(0.03));
  CHECK(alternating_fpr(2003, 300, 2) == Approx(exact_fpr(2003, 300, 2)).epsilon(0.03));
  CHECK(alternating_fpr(2'000'003, 300'000, 3) ==
        Approx(exact_fpr(2'000'003, 300'000, 3)).epsilon(0.03));
}

TEST_CASE("multiples of one sum cost in filters of any size", "[theory][strides]") {
  const double small = alternating_fpr(100'003, 10'000, 7);
  const double even = alternating_fpr(100'002, 10'000, 7);
  CHECK(small > 1.1 * exact_fpr(100'003, 10'000, 7));
  CHECK(even > 1.05 * small);  // 2(a + b) is even there
  CHECK(alternating_fpr(1'000'000'002, 100'000'000, 7) == Approx(even).epsilon(0.05));
  CHECK(alternating_fpr(1'000'000'003, 100'000'000, 7) == Approx(small).epsilon(0.05));
  CHECK(alternating_fpr(1000, 0, 7) == 0.0);
  CHECK(alternating_fpr(1000, 100'000, 7) == 1.0);
  CHECK(alternating_fpr(1, 1, 1) == 1.0);
  CHECK_THROWS_AS(alternating_fpr(0, 1, 1), DomainError);
  CHECK_THROWS_AS(alternating_fpr(1000, 10, 257), DomainError);
  CHECK_THROWS_AS(alternating_fpr(std::uint64_t{1} << 40U, 1, 5), DomainError);
}

TEST_CASE("multiples of one sum go through all 128 classes of positions", "[theory][strides]") {
  // As many classes as there are, each by itself. Simulated: 20 million queries of 400 filters.
  CHECK(alternating_fpr(32'896, 452, 256, 0.1) == Approx(0.018).epsilon(0.3));
}

TEST_CASE("queries that meet one key in two positions count", "[theory][strides]") {
  // Simulated with words of 64 bits: 600 million queries of 300 filters, 608 to 932 hits; the last
  // 100 million. As if no two positions met, the first two would be 4.1e-7 and 3.0e-7.
  CHECK(alternating_fpr(32'896, 719, 16) == Approx(1.55e-6).epsilon(0.25));
  CHECK(alternating_fpr(131'200, 3017, 30) == Approx(1.01e-6).epsilon(0.5));
  CHECK(alternating_fpr(32'896, 300, 256) == Approx(7.94e-4).epsilon(0.15));
  // In a large filter of that load they do not, though smaller ones stand for it.
  const double small_filters = alternating_fpr(1'000'064, 23'001, 30);
  const double large = alternating_fpr(4'000'000'064, 92'000'000, 30);
  CHECK(small_filters > 1.2 * large);
  CHECK(large == Approx(3.0e-7).epsilon(0.1));
}

TEST_CASE("filters without a hit are no reason to stop", "[theory][strides]") {
  // Simulated: 0.00196.
  CHECK(alternating_fpr(51, 1, 35) == Approx(0.00196).epsilon(0.1));
  CHECK_FALSE(AlternatingRate(51, 1, 35)(0.25) == 0.0);
}

TEST_CASE("a finer rate of alternating positions goes on from the samples of a rougher one",
          "[theory][strides]") {
  const AlternatingRate rate(2003, 150, 9);
  for (const double error : {0.05, 0.2, 0.02, 0.05}) {
    CAPTURE(error);
    const double fresh = alternating_fpr(2003, 150, 9, error);
    CHECK(rate(error) == fresh);
    for (const double limit : {0.01 * fresh, 0.9 * fresh, fresh, 1.1 * fresh, 1.0, 3.0}) {
      CHECK(rate.above(error, limit) == (fresh > limit));
      CHECK(AlternatingRate(2003, 150, 9).above(error, limit) == (fresh > limit));
    }
  }
  CHECK(alternating_fpr(2003, 150, 9, 0.2) != alternating_fpr(2003, 150, 9, 0.02));
}

TEST_CASE("a filter that holds keys is above the rate 0, a full one above all below 1",
          "[theory][strides]") {
  for (const std::uint64_t k : {1U, 2U, 5U}) {
    CAPTURE(k);
    CHECK(AlternatingRate(1000, 3, k).above(0.5, 0.0));
    CHECK_FALSE(AlternatingRate(1000, 3, k).above(0.5, 1.0));
    CHECK_FALSE(AlternatingRate(1000, 0, k).above(0.5, 0.0));
    // More than 40 positions a bit: every bit is set.
    CHECK(AlternatingRate(100, 4001, k)(0.5) == 1.0);
    CHECK(AlternatingRate(100, 4001, k).above(0.5, 0.999));
    CHECK_FALSE(AlternatingRate(100, 4001, k).above(0.5, 1.0));
  }
}
