// Filters whose keys stay in one block: blocked, register-blocked, cache-sectorized.

#include "core/filters/blocked.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/filters/cache_sectorized.hpp"
#include "core/filters/register_blocked.hpp"
#include "tests/core/measured_rate.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::check_rate;
using bloomlab::test::Implementation;
using bloomlab::test::keys;

namespace {

const Probe unused = Probe::of<Independent, MultiplyShift>();

/// Set bits of `count` bits from `begin` on.
std::uint64_t set_bits(const BitArray& bits, std::uint64_t begin, std::uint64_t count) {
  std::uint64_t set = 0;
  for (std::uint64_t i = begin; i < begin + count; ++i) set += bits.test(i) ? 1 : 0;
  return set;
}

/// The blocks (parts of `part` bits) in which a filter of one key has bits.
template <class Filter>
std::set<std::uint64_t> parts_of_one_key(const typename Filter::Parameters& parameters,
                                         std::uint64_t key, std::uint64_t part) {
  Implementation<Filter> implementation(parameters, unused, 1);
  implementation.insert(keys(key, 1));
  std::set<std::uint64_t> parts;
  for (std::uint64_t i = 0; i < parameters.m; ++i) {
    if (implementation.filter().bits().test(i)) parts.insert(i / part);
  }
  return parts;
}

}  // namespace

TEST_CASE("all positions of a key stand in one block", "[core][blocked]") {
  std::set<std::uint64_t> used;
  for (std::uint64_t key = 0; key < 200; ++key) {
    const auto parts = parts_of_one_key<Blocked>({.m = 2560, .k = 9, .block_bits = 256}, key, 256);
    CHECK(parts.size() == 1);
    used.insert(parts.begin(), parts.end());
    CHECK(parts_of_one_key<RegisterBlocked>({.m = 320, .k = 5, .word_bits = 32}, key, 32).size() ==
          1);
  }
  CHECK(used.size() == 10);
}

TEST_CASE("a key has bits in one sector of each group of its block", "[core][blocked]") {
  const CacheSectorized::Parameters parameters{
      .m = 2048, .k = 12, .groups = 4, .block_bits = 512, .sector_bits = 64};
  std::set<std::uint64_t> used;
  for (std::uint64_t key = 0; key < 400; ++key) {
    const auto sectors = parts_of_one_key<CacheSectorized>(parameters, key, 64);
    std::set<std::uint64_t> groups;
    for (const std::uint64_t sector : sectors) groups.insert(sector / 2);
    CHECK(sectors.size() == 4);
    CHECK(groups.size() == 4);
    CHECK(*groups.begin() % 4 == 0);
    used.insert(sectors.begin(), sectors.end());
  }
  CHECK(used.size() == 32);
}

// 4096 keys set a bit of a block of 64 with probability 1 - (63/64)^4096 = 1 - 1e-28.
TEST_CASE("every bit of every block can be reached", "[core][blocked]") {
  Implementation<Blocked> blocked({.m = 1536, .k = 32, .block_bits = 512}, unused, 4096);
  Implementation<RegisterBlocked> halves({.m = 96, .k = 3, .word_bits = 32}, unused, 4096);
  Implementation<CacheSectorized> sectors(
      {.m = 768, .k = 16, .groups = 4, .block_bits = 256, .sector_bits = 16}, unused, 4096);
  blocked.insert(keys(0, 4096));
  halves.insert(keys(0, 4096));
  sectors.insert(keys(0, 4096));
  CHECK(blocked.filter().state().bits_set == 1536);
  CHECK(halves.filter().state().bits_set == 96);
  CHECK(sectors.filter().state().bits_set == 768);
  CHECK(sectors.filter().state().conditional_rate == 1.0);
}

// With replacement: of 8 draws among 64 positions on average 64 (1 - (63/64)^8) = 7.5777 differ,
// with a spread of 0.62. Five standard errors of 20000 keys: false by chance with 6e-7.
TEST_CASE("positions in a block are drawn with replacement", "[core][blocked]") {
  double sum = 0.0;
  Implementation<RegisterBlocked> implementation({.m = 64, .k = 8, .word_bits = 64}, unused, 1);
  for (std::uint64_t key = 0; key < 20000; ++key) {
    implementation.filter().clear();
    implementation.insert(keys(key, 1));
    sum += static_cast<double>(implementation.filter().state().bits_set);
  }
  const double expected = 64.0 * (1.0 - std::pow(63.0 / 64.0, 8));
  CHECK(std::abs(sum / 20000.0 - expected) <= 5.0 * 0.62 / std::sqrt(20000.0));
}

TEST_CASE("the conditional rate is the mean over the blocks", "[core][blocked]") {
  Implementation<Blocked> blocked({.m = 5120, .k = 4, .block_bits = 512}, unused, 500);
  Implementation<RegisterBlocked> halves({.m = 3200, .k = 3, .word_bits = 32}, unused, 500);
  Implementation<CacheSectorized> sectors(
      {.m = 5120, .k = 6, .groups = 2, .block_bits = 512, .sector_bits = 64}, unused, 500);
  blocked.insert(keys(0, 500));
  halves.insert(keys(0, 500));
  sectors.insert(keys(0, 500));

  double rate = 0.0;
  for (std::uint64_t block = 0; block < 10; ++block) {
    const auto set = static_cast<double>(set_bits(blocked.filter().bits(), block * 512, 512));
    rate += std::pow(set / 512.0, 4) / 10.0;
  }
  CHECK(blocked.filter().state().conditional_rate == Approx(rate).epsilon(1e-12));

  rate = 0.0;
  for (std::uint64_t block = 0; block < 100; ++block) {
    const auto set = static_cast<double>(set_bits(halves.filter().bits(), block * 32, 32));
    rate += std::pow(set / 32.0, 3) / 100.0;
  }
  CHECK(halves.filter().state().conditional_rate == Approx(rate).epsilon(1e-12));

  rate = 0.0;
  for (std::uint64_t block = 0; block < 10; ++block) {
    double product = 1.0;
    for (std::uint64_t group = 0; group < 2; ++group) {
      double mean = 0.0;
      for (std::uint64_t sector = 0; sector < 4; ++sector) {
        const std::uint64_t begin = block * 512 + group * 256 + sector * 64;
        mean +=
            std::pow(static_cast<double>(set_bits(sectors.filter().bits(), begin, 64)) / 64.0, 3);
      }
      product *= mean / 4.0;
    }
    rate += product / 10.0;
  }
  CHECK(sectors.filter().state().conditional_rate == Approx(rate).epsilon(1e-12));
}

TEST_CASE("the rate of a blocked filter is its closed form", "[core][blocked]") {
  check_rate<Blocked>({.m = 1024, .k = 4, .block_bits = 64},
                      {.n = 100, .trials = 1000, .absent_keys = 500});
  check_rate<Blocked>({.m = 2048, .k = 6, .block_bits = 512},
                      {.n = 200, .trials = 1000, .absent_keys = 500});
  check_rate<Blocked>({.m = 1'024'000, .k = 8, .block_bits = 256},
                      {.n = 100'000, .trials = 30, .absent_keys = 40'000});
  // Bits shared by block and positions would show here: there are as many blocks as 12 bits tell.
  check_rate<Blocked>({.m = 5'120'000, .k = 6, .block_bits = 512},
                      {.n = 500'000, .trials = 30, .absent_keys = 40'000});
}

TEST_CASE("the rate of a register-blocked filter is its closed form", "[core][blocked]") {
  check_rate<RegisterBlocked>({.m = 992, .k = 3, .word_bits = 32},
                              {.n = 100, .trials = 1000, .absent_keys = 500});
  check_rate<RegisterBlocked>({.m = 1'000'000, .k = 5, .word_bits = 64},
                              {.n = 100'000, .trials = 30, .absent_keys = 40'000});
}

TEST_CASE("the rate of a cache-sectorized filter is its closed form", "[core][blocked]") {
  check_rate<CacheSectorized>(
      {.m = 2048, .k = 6, .groups = 2, .block_bits = 512, .sector_bits = 64},
      {.n = 200, .trials = 1000, .absent_keys = 500});
  check_rate<CacheSectorized>(
      {.m = 1024, .k = 8, .groups = 8, .block_bits = 256, .sector_bits = 32},
      {.n = 100, .trials = 1000, .absent_keys = 500});
  check_rate<CacheSectorized>(
      {.m = 2'048'000, .k = 8, .groups = 4, .block_bits = 512, .sector_bits = 32},
      {.n = 200'000, .trials = 30, .absent_keys = 40'000});
}

TEST_CASE("parameters of filters of blocks are checked", "[core][blocked]") {
  CHECK(
      *Blocked::check({.m = 1000, .k = 4, .block_bits = 512}) ==
      "blocked: m is 1000; it must be a multiple of 512, the bits of a block: choose 512 or 1024");
  CHECK(*Blocked::check({.m = 100, .k = 4, .block_bits = 256}) ==
        "blocked: m is 100; it must be a multiple of 256, the bits of a block: choose 256");
  CHECK(*Blocked::check({.m = max_filter_bits + 1, .k = 4, .block_bits = 256}) ==
        "blocked: m is 281474976710657; it must be a multiple of 256, the bits of a block, and at "
        "most 281474976710656");
  CHECK(*Blocked::check({.m = 1024, .k = 4, .block_bits = 1024}) ==
        "blocked: block_bits is 1024; it must be a power of two from 64 to 512");
  CHECK(*Blocked::check({.m = 1024, .k = 0, .block_bits = 64}) ==
        "blocked: k is 0; it must be from 1 to 256");
  CHECK(*RegisterBlocked::check({.m = 64, .k = 4, .word_bits = 48}) ==
        "register_blocked: word_bits is 48; it must be a power of two from 32 to 64");
  CHECK(*CacheSectorized::check(
            {.m = 512, .k = 6, .groups = 4, .block_bits = 512, .sector_bits = 64}) ==
        "cache_sectorized: k is 6; it must be a multiple of groups = 4, so that each group gets as "
        "many positions");
  CHECK(*CacheSectorized::check(
            {.m = 512, .k = 16, .groups = 16, .block_bits = 512, .sector_bits = 64}) ==
        "cache_sectorized: groups is 16; it must be a power of two from 1 to 8");
  CHECK_THROWS_AS(Blocked({.m = 0, .k = 4, .block_bits = 64}), std::invalid_argument);
}
