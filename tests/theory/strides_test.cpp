#include "core/theory/strides.hpp"

#include <catch2/catch.hpp>

#include "core/theory/detail/rotated_positions.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/standard.hpp"

using namespace bloomlab::theory;

TEST_CASE("words that never wrap are textbook double hashing", "[theory][strides]") {
  for (const std::uint64_t m : {1024U, 2003U, 3000U}) {
    for (const std::uint64_t k : {2U, 5U, 8U}) {
      for (const std::uint64_t bits_per_key : {6U, 12U}) {
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

TEST_CASE("a stride that is turned takes single positions in all once", "[theory][strides]") {
  // Of LevelDB's rotation probe number 2 alone takes few values: multiples of 65537 less its wraps.
  constexpr std::uint64_t m = 1'000'003;
  const detail::RotatedPlaces places(15, m, 4);
  double all = 0.0;
  std::uint64_t taken = 0;
  for (std::uint64_t position = 0; position < m; ++position) {
    all += places.share(position);
    taken += places.share(position) > 0.0 ? 1 : 0;
  }
  CHECK(all == Approx(1.0).epsilon(1e-4));
  CHECK(taken < 3 * 65536);
}

TEST_CASE("a rotation that many pairs of words do not have is sampled where it is",
          "[theory][strides]") {
  const struct {
    std::uint64_t m, n;
    double counted;  ///< within 5 %, of LevelDB's positions
  } filters[] = {
      {8160, 81, 4.73e-6}, {8160, 140, 1.27e-5}, {16'320, 150, 1.89e-6}, {65'280, 1126, 1.63e-6}};
  for (const auto& filter : filters) {
    CAPTURE(filter.m, filter.n);
    CHECK(strided_fpr({.word_bits = 32, .rotation = 15}, filter.m, filter.n, 30) ==
          Approx(filter.counted).epsilon(0.25));
  }
}

TEST_CASE("few keys have the rate of their own filters", "[theory][strides]") {
  const StrideArithmetic of_63_bits{.word_bits = 63};
  const auto exact = [](std::uint64_t n) {
    return Approx(double_hashing_fpr(64, n, 3, Stride::any).rate).epsilon(1e-12);
  };
  CHECK(strided_fpr(of_63_bits, 64, 1, 3) == exact(1));
  CHECK(strided_fpr({}, 64, 10, 3) == exact(10));
  const struct {
    StrideArithmetic strides;
    std::uint64_t m, n, k;
    double simulated;  ///< within 1 % to 2 %, of positions as the systems make them
  } filters[] = {{{.word_bits = 0, .fold = SignFold::complement, .first = 1}, 64, 1, 3, 0.00123},
                 {{.word_bits = 64, .squares = true}, 8, 1, 3, 0.0508},
                 {{.word_bits = 64, .fold = SignFold::absolute}, 64, 2, 3, 0.001385},
                 {{.word_bits = 0, .fold = SignFold::complement, .first = 1}, 192, 12, 7, 0.00534},
                 {of_63_bits, 192, 12, 7, 0.00258},
                 {of_63_bits, 320, 8, 20, 7.8e-4},
                 {of_63_bits, 576, 30, 13, 9.0e-4},
                 {of_63_bits, 640, 64, 7, 0.00942},
                 {{.word_bits = 0}, 1000, 2, 30, 9.64e-5},
                 {{.word_bits = 32, .rotation = 15}, 512, 25, 6, 1.21e-3},
                 {{.word_bits = 32, .rotation = 15}, 1000, 31, 22, 2.22e-4},
                 {{.word_bits = 32, .rotation = 15}, 4096, 94, 30, 2.6e-4},
                 {{.word_bits = 64}, 60, 1, 5, 6.27e-4},
                 {of_63_bits, 77, 1, 4, 3.20e-4},
                 {{.word_bits = 32, .fold = SignFold::complement, .first = 1}, 64, 1, 3, 3.52e-4},
                 {{.word_bits = 32, .fold = SignFold::complement, .first = 1}, 2, 1, 3, 0.7815}};
  for (const auto& [strides, m, n, k, simulated] : filters) {
    CAPTURE(m, n, k);
    CHECK(strided_fpr(strides, m, n, k) == Approx(simulated).epsilon(0.12));
  }
  CHECK(strided_fpr({}, 2, 1000, 3) == Approx(1.0).margin(1e-12));
  // So many positions in so few bits that most hits are of queries whose stride is a multiple of m,
  // or a key's. Simulated: 120 to 250 million queries of 580 to 1200 filters.
  CHECK(strided_fpr({.word_bits = 0}, 50'021, 10, 200) == Approx(7.4e-7).epsilon(0.25));
  CHECK(strided_fpr({.word_bits = 0}, 20'011, 500, 40) == Approx(4.28e-5).epsilon(0.15));
  CHECK(strided_fpr(of_63_bits, 7001, 233, 30) == Approx(3.13e-5).epsilon(0.25));
  CHECK(strided_fpr({.word_bits = 32, .rotation = 15}, 7001, 161, 30) ==
        Approx(1.25e-5).epsilon(0.3));
  CHECK(strided_fpr({.word_bits = 32, .fold = SignFold::complement, .first = 1}, 20'011, 312, 64) ==
        Approx(2.3e-6).epsilon(0.9));
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

TEST_CASE("the rate of other keys in a filter with strides is what it is by itself",
          "[theory][strides]") {
  for (const StrideArithmetic& strides :
       {StrideArithmetic{.word_bits = 32, .rotation = 15}, StrideArithmetic{.word_bits = 0}}) {
    for (const std::uint64_t m : {700U, 94'402U, 1'000'003U}) {
      const StridedRate empty(strides, m, 0, 7);
      CHECK(empty(0.05) == 0.0);
      for (const std::uint64_t n : {m / 300U, m / 12U, m / 4U}) {
        CAPTURE(strides.rotation, m, n);
        const double alone = strided_fpr(strides, m, n, 7, 0.05);
        CHECK(alone > 0.0);
        CHECK(empty.for_keys(n)(0.05) == alone);
        CHECK(empty.for_keys(1).for_keys(n)(0.05) == alone);
      }
    }
  }
  CHECK_THROWS_AS(StridedRate({.rotation = 15}, 0, 1, 7).for_keys(2), DomainError);
}

TEST_CASE("lines of many strided positions have the exact rate where that is computed",
          "[theory][strides]") {
  for (const std::uint64_t lines : {1U, 2001U}) {
    for (const std::uint64_t k : {1U, 2U, 7U, 16U}) {
      for (const std::uint64_t load : {5U, 20U, 60U}) {
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

TEST_CASE("small textbook filters have their exact rate where keys are few or often meet a query",
          "[theory][strides]") {
  const struct {
    std::uint64_t n, k;
  } few[] = {{1, 2}, {5, 2}, {5, 3}, {64, 2}, {64, 6}, {5, 8}, {65, 6}, {100, 6}, {70, 8}};
  for (const std::uint64_t m : {150U, 211U}) {
    for (const auto& [n, k] : few) {
      // Of 65 keys those of 6 probes meet a query in 150 bits often enough, in 211 not.
      if (m == 211 && n == 65) continue;
      CAPTURE(m, n, k);
      CHECK(strided_fpr({.word_bits = 0}, m, n, k, 0.02) ==
            Approx(double_hashing_fpr(m, n, k, Stride::any).rate).epsilon(1e-12));
    }
  }
}

TEST_CASE("two positions of a first one and a stride are independent", "[theory][strides]") {
  for (const std::uint64_t m : {150U, 200U, 211U, 500U}) {
    CAPTURE(m);
    CHECK(strided_fpr({.word_bits = 0}, m, m / 2, 2, 0.0005) ==
          Approx(exact_fpr(m, m / 2, 2)).epsilon(2e-3));
  }
}
