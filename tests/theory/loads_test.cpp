// Rates of filters whose positions are not simply k of m, against counts of all outcomes.
#include "core/theory/loads.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/theory/double_hashing.hpp"
#include "core/theory/hash_width.hpp"
#include "core/theory/standard.hpp"

using namespace bloomlab::theory;

namespace {

/// Mean over Poisson counts, term by term from 0 on.
template <class Rate>
double poisson_sum(double mean, std::uint64_t most, Rate&& rate) {
  long double sum = 0.0L;
  for (std::uint64_t i = 0; i <= most; ++i) {
    const auto count = static_cast<long double>(i);
    sum += std::exp(count * std::log(static_cast<long double>(mean)) - mean -
                    std::lgamma(count + 1.0L)) *
           static_cast<long double>(rate(i));
  }
  return static_cast<double>(sum);
}

/// The share of all masks and rotations of a query that n keys in one word cover, and of all masks
/// and rotations of these.
double covered_share(const std::vector<std::uint64_t>& masks, int keys, std::uint64_t word) {
  double sum = 0.0;
  for (const std::uint64_t mask : masks) {
    for (int turn = 0; turn < 64; ++turn) {
      if (keys > 0) {
        sum += covered_share(masks, keys - 1, word | std::rotl(mask, turn));
      } else if ((std::rotl(mask, turn) & ~word) == 0) {
        sum += 1.0;
      }
    }
  }
  return sum / (64.0 * static_cast<double>(masks.size()));
}

}  // namespace

TEST_CASE("a Poisson load is the sum over its counts", "[theory][loads]") {
  for (const double mean : {0.01, 0.5, 1.0, 3.7, 20.0, 100.0}) {
    for (const std::uint64_t bits : {1U, 8U, 64U, 512U}) {
      for (const std::uint64_t k : {1U, 2U, 7U}) {
        CAPTURE(mean, bits, k);
        CHECK(poisson_blocked_fpr(mean, bits, k) ==
              Approx(poisson_sum(mean, 400, [&](std::uint64_t load) {
                return exact_fpr(bits, load, k);
              })).epsilon(1e-12));
        CHECK(poisson_split_block_fpr(mean, k, bits) ==
              Approx(poisson_sum(mean, 400, [&](std::uint64_t load) {
                return std::pow(exact_fpr(bits, load, 1), static_cast<double>(k));
              })).epsilon(1e-12));
      }
    }
  }
  CHECK(poisson_blocked_fpr(0.0, 64, 3) == 0.0);
  CHECK(poisson_split_block_fpr(0.0, 3, 64) == 0.0);
  CHECK(poisson_blocked_fpr(1e9, 512, 8) == 1.0);
  CHECK(poisson_split_block_fpr(1e9, 8, 32) == 1.0);
  // One key or none: in a large block nothing but its own k positions is set.
  CHECK(poisson_split_block_fpr(1e-12, 8, 32) == Approx(1e-12 * std::pow(32.0, -8)));
}

TEST_CASE("masks of words cover each other as often as all rotations say", "[theory][loads]") {
  // One bit, neighbours, all of a period of 8 and of 16, and masks that overlap.
  const std::vector<std::vector<std::uint64_t>> sets{
      {0x1}, {0x3}, {0x0101010101010101}, {0x0001000100010001}, {0xff}, {0x5, 0x13}, {0x1, 0x8001}};
  for (const std::vector<std::uint64_t>& masks : sets) {
    CAPTURE(masks[0], masks.size());
    CHECK(masked_words_fpr(masks, 1.0, 0) == 0.0);
    for (const int n : {1, 2}) {
      CHECK(masked_words_fpr(masks, 1.0, static_cast<std::uint64_t>(n)) ==
            Approx(covered_share(masks, n, 0)).epsilon(1e-10));
    }
    // One key of several words: the query has to meet its word.
    CHECK(masked_words_fpr(masks, 2.5, 1) ==
          Approx(covered_share(masks, 1, 0) / 2.5).epsilon(1e-10));
    CHECK(masked_words_fpr(masks, 1.0, 1'000'000) == 1.0);
  }
}

TEST_CASE("positions from a short range of hash values are those of their remainders",
          "[theory][loads]") {
  for (const std::uint64_t m : {1U, 2U, 3U, 7U, 10U}) {
    for (std::uint64_t range = 1; range <= 3 * m + 1; ++range) {
      for (const std::uint64_t n : {0U, 1U, 2U, 9U}) {
        CAPTURE(m, range, n);
        std::vector<double> share(m, 0.0);
        for (std::uint64_t x = 0; x < range; ++x) share[x % m] += 1.0 / static_cast<double>(range);
        double fill = 0.0;  // of the position of a query of one probe
        for (const double one : share) {
          fill += one * (1.0 - std::pow(1.0 - std::min(one, 1.0), static_cast<double>(n)));
        }
        CHECK(reduced_range_fpr(range, m, n, 1) == Approx(fill).epsilon(1e-12));
        if (range <= m) CHECK(reduced_range_fpr(range, m, n, 3) == exact_fpr(range, n, 3));
        if (range % m == 0) CHECK(reduced_range_fpr(range, m, n, 3) == exact_fpr(m, n, 3));
      }
    }
  }
  // Beyond 4096 hash values a bit the remainders are even, to a relative 10^-7.
  for (const std::uint64_t values : {4095U, 4096U, 4097U}) {
    CHECK(reduced_range_fpr(1000 * values + 1, 1000, 100, 1) ==
          Approx(exact_fpr(1000, 100, 1)).epsilon(1e-7));
  }
}

TEST_CASE("a short hash repeats the hash of a key, or meets the bits of other ones",
          "[theory][loads]") {
  for (const std::uint64_t hash_bits : {1U, 2U, 8U, 16U, 63U}) {
    CAPTURE(hash_bits);
    const double share = std::ldexp(1.0, -static_cast<int>(hash_bits));
    CHECK(short_hash_fpr(hash_bits, 64, 0, 3) == 0.0);
    const std::uint64_t range = std::uint64_t{1} << hash_bits;
    CHECK(short_hash_fpr(hash_bits, 100, 1, 3) ==
          Approx(share + (1.0 - share) * reduced_range_fpr(range, 100, 1, 3)));
    const double equal = 1.0 - std::pow(1.0 - share, 50.0);
    CHECK(short_hash_fpr(hash_bits, 100, 50, 3) ==
          Approx(equal + (1.0 - equal) *
                             reduced_range_fpr(range, 100, different_hashes(hash_bits, 50), 3)));
  }
}

TEST_CASE("queries of other draws are those of the law of set bits", "[theory][loads]") {
  for (const std::uint64_t m : {1U, 2U, 3U, 8U, 100U}) {
    for (const std::uint64_t draws : {0U, 1U, 2U, 3U, 7U, 40U}) {
      for (const std::uint64_t q : {1U, 2U, 3U, 5U}) {
        CAPTURE(m, draws, q);
        std::vector<double> law(m + 1, 0.0);  // of the number of set bits
        law[0] = 1.0;
        for (std::uint64_t draw = 0; draw < draws; ++draw) {
          for (std::uint64_t x = m; x > 0; --x) {
            const auto set = static_cast<double>(x);
            law[x] = (law[x] * set + law[x - 1] * (static_cast<double>(m) - set + 1.0)) /
                     static_cast<double>(m);
          }
          law[0] = 0.0;
        }
        double moment = 0.0;
        for (std::uint64_t x = 0; x <= m; ++x) {
          moment += law[x] * std::pow(static_cast<double>(x) / static_cast<double>(m),
                                      static_cast<double>(q));
        }
        CHECK(query_fpr(m, draws, q) == Approx(moment).epsilon(1e-12));
        long double different = 0.0L;
        long double choose = 1.0L;
        for (std::uint64_t i = 0; i <= q && q <= m; ++i) {
          const long double missed =
              std::pow(static_cast<long double>(m - i) / static_cast<long double>(m),
                       static_cast<long double>(draws));
          different += i % 2 == 0 ? choose * missed : -choose * missed;
          choose = choose * static_cast<long double>(q - i) / static_cast<long double>(i + 1);
        }
        const bool possible = q <= m && q <= draws;
        CHECK((distinct_query_fpr(m, draws, q) > 0.0) == possible);
        CHECK(distinct_query_fpr(m, draws, q) ==
              Approx(possible ? static_cast<double>(different) : 0.0).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("one probe in lines is one of all bits", "[theory][loads]") {
  for (const std::uint64_t lines : {1U, 3U}) {
    for (const std::uint64_t n : {1U, 2U}) {
      CAPTURE(lines, n);
      CHECK(strided_lines_fpr(lines, n, 1) == Approx(exact_fpr(512 * lines, n, 1)).epsilon(0.05));
    }
    CHECK(strided_lines_fpr(lines, 0, 1) == 0.0);
  }
}
