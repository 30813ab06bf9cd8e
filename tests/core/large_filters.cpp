// Filters of more than 2^32 bits: no position, size or word index is kept in 32 bits. A few
// keys touch few pages, so that the half gibibyte is mostly never backed by memory.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/bits/bit_array.hpp"
#include "core/filters/blocked.hpp"
#include "core/filters/standard.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::Implementation;
using bloomlab::test::keys;

namespace {

constexpr std::uint64_t words_of_32_bits = std::uint64_t{1} << 32;
constexpr std::size_t few = 60;

/// That 60 keys of k probes lie all over a filter: a size cut to 32 bits would leave 64 or 512
/// bits, an index cut to 32 bits the lower part.
template <class Filter>
void check_large(const typename Filter::Parameters& p) {
  Implementation<Filter> implementation(p, Probe::of<Independent, MultiplyShift>(), few);
  implementation.insert(keys(0, few));
  CHECK(implementation.count_contained(keys(0, few)) == few);
  CHECK(implementation.count_contained(keys(5000, 2000)) == 0);
  const BitArray& bits = implementation.filter().bits();
  REQUIRE(bits.size() == p.m);
  // Of 120 positions hardly one falls on another; in a block of 512 bits, one in 512.
  CHECK(bits.popcount() >= 2 * few - 10);
  const auto words = bits.words();
  const auto is_set = [](std::uint64_t word) { return word != 0; };
  // 15 keys or more are expected in each quarter; fewer than 3 come with probability 1e-5.
  for (std::size_t quarter = 0; quarter < 4; ++quarter) {
    const auto part = words.subspan(quarter * (words.size() / 4), words.size() / 4);
    CHECK(std::ranges::count_if(part, is_set) >= 3);
  }
}

}  // namespace

TEST_CASE("the last bits of an array of more than 2^32 bits are bits of their own",
          "[core][filters]") {
  BitArray bits(words_of_32_bits + 64);
  CHECK(bits.set(words_of_32_bits));
  CHECK(bits.set(words_of_32_bits + 63));
  CHECK_FALSE(bits.test(0));
  CHECK_FALSE(bits.test(63));
  CHECK(bits.set(0));
  CHECK(bits.words().size() == (words_of_32_bits + 64) / 64);
  CHECK(bits.words().back() == (std::uint64_t{1} << 63 | 1));
  CHECK(bits.words().front() == 1);
  CHECK(bits.memory_bits() == words_of_32_bits + 64);
}

TEST_CASE("a standard filter of more than 2^32 bits uses all of them", "[core][filters]") {
  check_large<Standard>({.m = words_of_32_bits + 64, .k = 2});
}

TEST_CASE("a blocked filter of more than 2^32 bits uses all of them", "[core][filters]") {
  check_large<Blocked>({.m = words_of_32_bits + 512, .k = 2, .block_bits = 512});
}

// Where memory does not allow a filter, arithmetic shows it: the sizes that filters announce and
// the positions that probes give.
TEST_CASE("probes reach beyond 2^32 with every reduction that takes any size", "[core][filters]") {
  constexpr std::uint64_t m = 3 * words_of_32_bits + 1;
  std::vector<std::uint64_t> words(1000);
  KeyedPermutation(7).apply_range(0, words);
  for (const char* reduction : {"multiply_shift", "modulo"}) {
    const Probe probe = make_probe("independent", reduction);
    std::vector<std::uint64_t> positions(words.size());
    probe.write(DigestBatch{words.data(), words.size(), words.size(), 1}, m, 1, positions.data());
    CHECK(std::ranges::max(positions) < m);
    const auto beyond = std::ranges::count_if(
        positions, [](std::uint64_t position) { return position >= words_of_32_bits; });
    // Two thirds of them: 667, standard deviation 15.
    CHECK(beyond > 590);
    CHECK(beyond < 740);
  }
}

TEMPLATE_LIST_TEST_CASE("memory announced for many keys does not wrap", "[core][filters]",
                        Filters) {
  for (const auto& p : TestType::examples()) {
    std::uint64_t before = 0;
    for (const std::uint64_t keys :
         {std::uint64_t{1}, std::uint64_t{1000000}, words_of_32_bits + 1, std::uint64_t{1} << 40}) {
      const std::uint64_t bits = TestType::memory_bits(p, keys);
      CHECK(bits >= before);
      before = bits;
    }
  }
}
