// Estimates of the number of keys, and their spread, against sums over single bits and pairs of
// bits.
#include "core/theory/cardinality.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

using namespace bloomlab::theory;

namespace {

/// How likely a key leaves a bit, or both bits of a pair, as they are.
struct KeptByAKey {
  std::size_t bits;
  std::function<double(std::size_t)> one;
  std::function<double(std::size_t, std::size_t)> both;
};

/// The standard deviation of the estimated keys to first order: that of the set bits, by a sum over
/// all pairs of bits, over what a further key adds to their mean.
double sd_by_pairs(const KeptByAKey& kept, double n) {
  double variance = 0.0;
  double slope = 0.0;
  for (std::size_t i = 0; i < kept.bits; ++i) {
    const double empty = std::pow(kept.one(i), n);
    if (kept.one(i) > 0.0) slope -= empty * std::log(kept.one(i));
    for (std::size_t j = 0; j < kept.bits; ++j) {
      const double both = i == j ? empty : std::pow(kept.both(i, j), n);
      variance += both - empty * std::pow(kept.one(j), n);
    }
  }
  return slope > 0.0 ? std::sqrt(std::max(variance, 0.0)) / slope : 0.0;
}

double mean_by_bits(const KeptByAKey& kept, double n) {
  double mean = 0.0;
  for (std::size_t i = 0; i < kept.bits; ++i) mean += 1.0 - std::pow(kept.one(i), n);
  return mean;
}

/// The number of keys at which so many bits are set on average, within 1e-9 of it.
void check_inverse(const KeptByAKey& kept, double set, double keys) {
  CHECK(mean_by_bits(kept, keys * (1.0 - 1e-9)) < set);
  CHECK(mean_by_bits(kept, keys * (1.0 + 1e-9)) > set);
}

KeptByAKey kept_in_slices(std::size_t m, std::size_t k) {
  std::vector<std::size_t> slice_of;
  std::vector<double> sizes;
  for (std::size_t slice = 0; slice < k; ++slice) {
    sizes.push_back(static_cast<double>(m / k + (slice < m % k ? 1 : 0)));
    slice_of.insert(slice_of.end(), static_cast<std::size_t>(sizes.back()), slice);
  }
  const auto one = [=](std::size_t i) { return 1.0 - 1.0 / sizes[slice_of[i]]; };
  return {m, one, [=](std::size_t i, std::size_t j) {
            return slice_of[i] == slice_of[j] ? 1.0 - 2.0 / sizes[slice_of[i]] : one(i) * one(j);
          }};
}

KeptByAKey kept_in_folded(std::size_t m, std::size_t m2, double k) {
  std::vector<double> onto(m2, 0.0);
  for (std::size_t i = 0; i < m; ++i) onto[i % m2] += 1.0;
  const auto left = [=](double lost) {
    return std::pow((static_cast<double>(m) - lost) / static_cast<double>(m), k);
  };
  return {m2, [=](std::size_t i) { return left(onto[i]); },
          [=](std::size_t i, std::size_t j) { return left(onto[i] + onto[j]); }};
}

KeptByAKey kept_in_blocks(const BlockShape& shape) {
  const auto blocks = static_cast<double>(shape.blocks);
  const auto choices = static_cast<double>(shape.choices);
  const auto bits = static_cast<double>(shape.sector_bits);
  const auto probes = static_cast<double>(shape.bits_per_group);
  const double hit = (1.0 - std::pow(1.0 - 1.0 / bits, probes)) / choices;
  const double either = bits < 2.0 ? 0.0 : (1.0 - std::pow(1.0 - 2.0 / bits, probes)) / choices;
  return {static_cast<std::size_t>(shape.bits()), [=](std::size_t) { return 1.0 - hit / blocks; },
          [=](std::size_t i, std::size_t j) {
            const std::size_t sector = shape.sector_bits;
            const std::size_t group = sector * shape.choices;
            const std::size_t block = group * shape.groups;
            if (i / sector == j / sector) return 1.0 - either / blocks;
            if (i / group == j / group) return 1.0 - 2.0 * hit / blocks;
            if (i / block == j / block) return 1.0 - (1.0 - (1.0 - hit) * (1.0 - hit)) / blocks;
            return 1.0 - 2.0 * hit / blocks;
          }};
}

}  // namespace

TEST_CASE("estimates of keys are their formulas at every number of set bits",
          "[theory][cardinality]") {
  for (const std::uint64_t m : {1U, 2U, 3U, 7U, 64U, 101U}) {
    for (const std::uint64_t k : {1U, 2U, 5U}) {
      for (std::uint64_t set = 0; set <= m; ++set) {
        CAPTURE(m, k, set);
        const auto exact = estimated_keys(m, k, set);
        const auto approximate = swamidass_baldi_keys(m, k, set);
        REQUIRE(exact.has_value() == (set < m));
        REQUIRE(approximate.has_value() == (set < m));
        if (set == m) continue;
        const auto bits = static_cast<long double>(m);
        const auto probes = static_cast<long double>(k);
        const long double empty = (bits - static_cast<long double>(set)) / bits;
        const double by_e = static_cast<double>(-bits / probes * std::log(empty));
        CHECK(*approximate == Approx(by_e).epsilon(1e-13));
        if (m == 1) {
          CHECK(*exact == 0.0);
          continue;
        }
        const double by_m = static_cast<double>(std::log(empty) / probes / std::log1p(-1 / bits));
        CHECK(*exact == Approx(by_m).epsilon(1e-13));
      }
    }
  }
}

TEST_CASE("the spread of an estimate is that of its bits, in filters of a few bits",
          "[theory][cardinality]") {
  for (const std::uint64_t m : {1U, 2U, 3U, 10U, 64U}) {
    for (const std::uint64_t k : {1U, 2U, 5U}) {
      const auto bits = static_cast<double>(m);
      const auto left = [=](double lost) {
        return std::pow(1.0 - lost / bits, static_cast<double>(k));
      };
      const KeptByAKey kept{static_cast<std::size_t>(m), [=](std::size_t) { return left(1.0); },
                            [=](std::size_t, std::size_t) { return left(2.0); }};
      for (const std::uint64_t n : {0U, 1U, 2U, 3U, 20U}) {
        CAPTURE(m, k, n);
        CHECK(sd_estimated_keys(m, k, n) ==
              Approx(sd_by_pairs(kept, static_cast<double>(n))).epsilon(1e-7).margin(1e-7));
      }
    }
  }
}

TEST_CASE("estimates from slices and from folded filters invert the mean of their bits",
          "[theory][cardinality]") {
  const auto check = [](const KeptByAKey& kept, const UnevenBits& shape, std::size_t sure) {
    CHECK(estimated_keys(shape, 0) == 0.0);
    CHECK_FALSE(estimated_keys(shape, kept.bits).has_value());
    for (std::size_t set = sure + 1; set < kept.bits; ++set) {
      CAPTURE(set);
      const auto keys = estimated_keys(shape, set);
      REQUIRE(keys.has_value());
      check_inverse(kept, static_cast<double>(set), *keys);
    }
    // The first key sets these already.
    if (sure > 0 && sure < kept.bits) CHECK(*estimated_keys(shape, sure) < 1e-12);
    CHECK(sd_estimated_keys(shape, 0.0) == 0.0);
    for (const double n : {1.0, 2.0, 3.0, 7.5, 20.0}) {
      CAPTURE(n);
      CHECK(sd_estimated_keys(shape, n) == Approx(sd_by_pairs(kept, n)).epsilon(1e-6).margin(1e-6));
    }
  };
  for (const std::size_t k : {1U, 2U, 3U, 7U}) {
    for (const std::size_t m : {7U, 8U, 9U, 13U, 14U, 15U, 50U}) {
      CAPTURE(m, k);
      const std::size_t single = m / k == 1 ? k - m % k : 0;
      check(kept_in_slices(m, k), sliced_bits(m, k), single);
    }
  }
  for (const std::size_t k : {1U, 3U}) {
    for (const std::size_t m : {2U, 3U, 10U, 16U}) {
      for (std::size_t m2 = 1; m2 <= m; ++m2) {
        CAPTURE(m, m2, k);
        check(kept_in_folded(m, m2, static_cast<double>(k)), folded_bits(m, m2, k),
              m2 == 1 ? 1 : 0);
      }
    }
  }
}

TEST_CASE("estimates from blocks and sectors have the mean and the spread of their bits",
          "[theory][cardinality]") {
  for (const std::uint64_t blocks : {1U, 2U, 3U}) {
    for (const std::uint64_t groups : {1U, 2U}) {
      for (const std::uint64_t choices : {1U, 2U, 3U}) {
        for (const std::uint64_t sector_bits : {2U, 3U, 8U}) {
          for (const std::uint64_t probes : {1U, 3U}) {
            CAPTURE(blocks, groups, choices, sector_bits, probes);
            const BlockShape shape{.blocks = blocks,
                                   .groups = groups,
                                   .choices = choices,
                                   .sector_bits = sector_bits,
                                   .bits_per_group = probes};
            const KeptByAKey kept = kept_in_blocks(shape);
            CHECK(estimated_keys(shape, 0) == 0.0);
            CHECK_FALSE(estimated_keys(shape, shape.bits()).has_value());
            for (std::uint64_t set = 1; set < shape.bits(); ++set) {
              check_inverse(kept, static_cast<double>(set), estimated_keys(shape, set).value());
            }
            CHECK(sd_estimated_keys(shape, 0.0) == 0.0);
            for (const double n : {1.0, 2.0, 7.5}) {
              CHECK(sd_estimated_keys(shape, n) ==
                    Approx(sd_by_pairs(kept, n)).epsilon(1e-6).margin(1e-6));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("a smaller filter has at least a bit and at most 2^63", "[theory][cardinality]") {
  const std::uint64_t most = std::uint64_t{1} << 63;
  CHECK(smaller_filter(most, 1, most - 1, 1e-300).bits == most);
  CHECK(smaller_filter(100, 1, 1, 0.99).bits == 1);
  for (const std::uint64_t set : {1U, 2U, 50U, 51U, 99U}) {
    for (const double p : {0.5, 0.01, 1e-6}) {
      CAPTURE(set, p);
      const SmallerFilter smaller = smaller_filter(100, 3, set, p);
      const double fill = static_cast<double>(set) / 100.0;
      CHECK(smaller.keys == Approx(-100.0 / 3.0 * std::log(1.0 - fill)));
      CHECK(smaller.rate == Approx(fill * fill * fill));
      // n log2(1/p) log2(e) bits for n keys: the least that real numbers of probes allow.
      const double least = smaller.keys * -std::log2(p) * std::numbers::log2e;
      CHECK(static_cast<double>(smaller.bits) >= least);
      CHECK(static_cast<double>(smaller.bits) < least + 1.0);
    }
  }
}

TEST_CASE("more set bits than bits are refused by every estimate", "[theory][cardinality]") {
  const BlockShape plain;  // one of everything
  CHECK(plain.bits() == 1);
  CHECK(plain.bits_per_group == 1);
  const std::string text = "cardinality: popcount is above m; a filter has at most m set bits";
  for (const std::uint64_t m : {1U, 10U, 64U}) {
    CAPTURE(m);
    CHECK_NOTHROW(estimated_keys(m, 1, m));
    CHECK_NOTHROW(swamidass_baldi_keys(m, 1, m));
    CHECK_NOTHROW(estimated_keys(sliced_bits(m, 1), m));
    CHECK_THROWS_WITH(estimated_keys(m, 1, m + 1), text);
    CHECK_THROWS_WITH(swamidass_baldi_keys(m, 1, m + 1), text);
    CHECK_THROWS_WITH(smaller_filter(m, 1, m + 1, 0.1), text);
    CHECK_THROWS_WITH(estimated_keys(BlockShape{.sector_bits = m}, m + 1), text);
    CHECK_THROWS_WITH(estimated_keys(sliced_bits(m, 1), m + 1), text);
    CHECK_THROWS_WITH(estimated_keys(folded_bits(m, m, 1), m + 1), text);
  }
  const std::string no_bits = "cardinality: m is 0";
  CHECK_THROWS_WITH(estimated_keys(0, 1, 0), Catch::StartsWith(no_bits));
  CHECK_THROWS_WITH(swamidass_baldi_keys(0, 1, 0), Catch::StartsWith(no_bits));
  CHECK_THROWS_WITH(sd_estimated_keys(0, 1, 0), Catch::StartsWith(no_bits));
  CHECK_THROWS_WITH(estimated_keys(1, 0, 0), Catch::StartsWith("cardinality: k is 0"));
  CHECK_THROWS_WITH(swamidass_baldi_keys(1, 0, 0), Catch::StartsWith("cardinality: k is 0"));
  CHECK_THROWS_WITH(sd_estimated_keys(1, 0, 0), Catch::StartsWith("cardinality: k is 0"));
  for (const BlockShape& none :
       {BlockShape{.blocks = 0}, BlockShape{.groups = 0}, BlockShape{.choices = 0},
        BlockShape{.sector_bits = 0}, BlockShape{.bits_per_group = 0}}) {
    const std::string zero =
        "cardinality: a shape of blocks has a 0; there is at least 1 of everything";
    CHECK_THROWS_WITH(estimated_keys(none, 0), zero);
    CHECK_THROWS_WITH(sd_estimated_keys(none, 0.0), zero);
  }
}

TEST_CASE("estimates lose no digits in the emptiest and in the fullest filter",
          "[theory][cardinality]") {
  // One bit of 10^15 is set, or all but one.
  const std::uint64_t m = 1'000'000'000'000'000;
  CHECK(*swamidass_baldi_keys(m, 1, 1) == Approx(1.0).epsilon(1e-14));
  CHECK(*estimated_keys(m, 1, 1) == Approx(1.0).epsilon(1e-14));
  CHECK(*estimated_keys(BlockShape{.sector_bits = m}, 1) == Approx(1.0).epsilon(1e-14));
  const double last = 1e15 * 15.0 * std::numbers::ln10;
  CHECK(*swamidass_baldi_keys(m, 1, m - 1) == Approx(last).epsilon(1e-14));
  CHECK(*estimated_keys(m, 1, m - 1) == Approx(last).epsilon(1e-14));
  CHECK(*estimated_keys(BlockShape{.sector_bits = m}, m - 1) == Approx(last).epsilon(1e-14));
}
