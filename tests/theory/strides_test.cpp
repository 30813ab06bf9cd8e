#include "core/theory/strides.hpp"

#include <catch2/catch.hpp>

#include "core/theory/double_hashing.hpp"
#include "core/theory/standard.hpp"

using namespace bloomlab::theory;

TEST_CASE("words that never wrap are textbook double hashing", "[theory][strides]") {
  for (const std::uint64_t m : {1024, 2003, 3000}) {
    for (const std::uint64_t k : {2, 5, 8}) {
      for (const std::uint64_t bits_per_key : {6, 12}) {
        CAPTURE(m, k, bits_per_key);
        const std::uint64_t n = m / bits_per_key;
        CHECK(strided_fpr({.word_bits = 0}, m, n, k) ==
              Approx(double_hashing_fpr(m, n, k, Stride::any).rate).epsilon(0.015));
      }
    }
  }
}

TEST_CASE("words of a power of two wrap without a trace in a filter of a power of two",
          "[theory][strides]") {
  CHECK(strided_fpr({.word_bits = 32}, 4096, 400, 7) ==
        Approx(double_hashing_fpr(4096, 400, 7, Stride::any).rate).epsilon(0.015));
}

TEST_CASE("what strides add vanishes with m, but for a stride that is the position turned",
          "[theory][strides]") {
  const std::uint64_t n = 2'000'000;
  const double even = exact_fpr(10 * n, n, 7);
  for (const SignFold fold : {SignFold::unsigned_word, SignFold::absolute, SignFold::complement}) {
    CHECK(strided_fpr({.word_bits = 64, .fold = fold}, 10 * n, n, 7) == Approx(even).epsilon(1e-4));
  }
  CHECK(strided_fpr({.word_bits = 32, .rotation = 15}, 10 * n, n, 7) > 1.2 * even);
  CHECK(strided_fpr({}, 1000, 0, 3) == 0.0);
  CHECK(strided_fpr({}, 1, 5, 3) == 1.0);
  CHECK(strided_fpr({}, 1000, 100, 1) == Approx(exact_fpr(1000, 100, 1)).epsilon(1e-12));
  CHECK_THROWS_AS(strided_fpr({}, 0, 1, 1), DomainError);
  CHECK_THROWS_AS(strided_fpr({}, 8, 1, 257), DomainError);
  CHECK_THROWS_AS(strided_fpr({.word_bits = 65}, 8, 1, 1), DomainError);
}

TEST_CASE("a finer rate of strided positions goes on from the samples of a rougher one",
          "[theory][strides]") {
  const struct {
    StrideArithmetic strides;
    std::uint64_t m, n, k;
  } filters[] = {{{.word_bits = 64}, 2003, 150, 9},
                 {{.word_bits = 32, .rotation = 15}, 20'000, 2000, 6},
                 {{.word_bits = 64}, 1000, 30, 24}};  // few keys
  for (const auto& [strides, m, n, k] : filters) {
    const StridedRate rate(strides, m, n, k);
    for (const double error : {0.05, 0.2, 0.001, 0.05}) {
      CAPTURE(m, error);
      const double fresh = strided_fpr(strides, m, n, k, error);
      CHECK(rate(error) == fresh);
      for (const double limit : {0.0, 1e-9, 0.9 * fresh, fresh, 1.1 * fresh, 1.0}) {
        CHECK(rate.above(error, limit) == (fresh > limit));
      }
    }
  }
  CHECK(strided_fpr({}, 2003, 150, 9, 0.2) != strided_fpr({}, 2003, 150, 9, 0.001));
}

TEST_CASE("lines of many strided positions have the exact rate where that is computed",
          "[theory][strides]") {
  for (const std::uint64_t lines : {1, 2001}) {
    for (const std::uint64_t k : {1, 2, 7, 16}) {
      for (const std::uint64_t load : {5, 20, 60}) {
        CAPTURE(lines, k, load);
        const double exact =
            blocked_double_hashing_fpr(lines, 512, load * lines, k, Stride::any).rate;
        // Five of its standard errors.
        CHECK(strided_lines_fpr(lines, load * lines, k) == Approx(exact).epsilon(0.015));
      }
    }
  }
  CHECK(strided_lines_fpr(3, 0, 20) == 0.0);
  CHECK(strided_lines_fpr(1, 100'000, 20) == 1.0);
  CHECK_THROWS_AS(strided_lines_fpr(0, 1, 20), DomainError);
  CHECK_THROWS_AS(strided_lines_fpr(3, 1, 257), DomainError);
}
