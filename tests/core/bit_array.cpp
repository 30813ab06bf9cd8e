#include "core/bits/bit_array.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/bits/packed_array.hpp"
#include "core/filters/blocked.hpp"
#include "core/filters/counting.hpp"
#include "core/filters/detail/digest_selection.hpp"
#include "core/filters/detail/probe_rounds.hpp"
#include "core/filters/folded.hpp"
#include "core/filters/partitioned.hpp"
#include "core/filters/spectral.hpp"
#include "core/filters/standard.hpp"
#include "core/hash/hashed_keys.hpp"
#include "core/parameters.hpp"
#include "core/serialization/bytes.hpp"
#include "tests/lifetime.hpp"

using namespace bloomlab;
using bloomlab::test::check_lends_only_named;

TEST_CASE("a bit array behaves as a set of positions", "[core][bits]") {
  for (const std::uint64_t size : {1U, 63U, 64U, 65U, 1000U, 100003U}) {
    BitArray bits(size);
    std::set<std::uint64_t> model;
    std::mt19937_64 random(size);
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t position = random() % size;
      REQUIRE(bits.test(position) == model.contains(position));
      REQUIRE(bits.set(position) == model.insert(position).second);
    }
    CHECK(bits.popcount() == model.size());
    for (const std::uint64_t position : model) REQUIRE(bits.test(position));
    bits.clear();
    CHECK(bits.popcount() == 0);
  }
}

TEST_CASE("a bit array starts zeroed and aligned, small or with huge pages", "[core][bits]") {
  for (const std::uint64_t bytes : {8U, 4096U, 1U << 21, (5U << 20) + 8}) {
    const BitArray bits(std::uint64_t{bytes} * 8);
    CHECK(reinterpret_cast<std::uintptr_t>(bits.words().data()) % 64 == 0);
    CHECK(bits.memory_bits() == bits.size());
    CHECK(bits.popcount() == 0);
  }
}

TEST_CASE("memory is rounded up to words", "[core][bits]") {
  CHECK(BitArray::memory_bits_for(1) == 64);
  CHECK(BitArray::memory_bits_for(64) == 64);
  CHECK(BitArray::memory_bits_for(65) == 128);
  CHECK(BitArray::memory_bits_for(max_filter_bits) == max_filter_bits);
}

TEST_CASE("set bits are counted as one by one", "[core][bits]") {
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> words(1001);
  std::uint64_t expected = 0;
  for (std::uint64_t& word : words) {
    word = random();
    for (int bit = 0; bit < 64; ++bit) expected += (word >> bit) & 1;
  }
  CHECK(count_set_bits(words) == expected);
  CHECK(count_set_bits({}) == 0);
}

TEST_CASE("a bit array moves", "[core][bits]") {
  BitArray first(1000);
  first.set(999);
  BitArray second(std::move(first));
  CHECK(second.test(999));
  BitArray third(std::uint64_t{1} << 25);  // mapped, to be given back
  third = std::move(second);
  CHECK(third.size() == 1000);
  CHECK(third.test(999));
  CHECK(third.popcount() == 1);
}

TEST_CASE("impossible sizes are refused with their number", "[core][bits]") {
  CHECK_THROWS_MATCHES(BitArray(0), std::length_error,
                       Catch::Matchers::Message("a bit array of 0 bits was asked for; from 1 to "
                                                "281474976710656 bits are possible"));
  CHECK_THROWS_AS(BitArray(max_filter_bits + 1), std::length_error);
  CHECK_THROWS_AS(BitArray(~std::uint64_t{0}), std::length_error);
}

TEST_CASE("memory that cannot be had is an allocation error that says how much", "[core][bits]") {
  // More than 47 bits of addresses can hold.
  const std::size_t words = std::size_t{1} << 46;
  CHECK_THROWS_MATCHES(ZeroedMemory(words), AllocationError,
                       Catch::Matchers::Message("cannot allocate 562949953421312 bytes for a "
                                                "filter; choose a smaller m or free memory"));
  CHECK_THROWS_AS(ZeroedMemory(~std::size_t{0}), AllocationError);
  CHECK_THROWS_AS(ZeroedMemory(std::size_t{1} << 61), AllocationError);  // 2^64 bytes are none
}

TEST_CASE("no view of the memory of a temporary can be had", "[core][bits][lifetime]") {
  check_lends_only_named<ZeroedMemory>(BLOOMLAB_VIEW(words()));
  check_lends_only_named<ZeroedMemory>(BLOOMLAB_VIEW(data()));
  check_lends_only_named<BitArray>(BLOOMLAB_VIEW(words()));
  check_lends_only_named<BitArray>(BLOOMLAB_VIEW(writable_words()));
  check_lends_only_named<PackedArray>(BLOOMLAB_VIEW(words()));
  check_lends_only_named<ByteWriter>(BLOOMLAB_VIEW(bytes()));
  check_lends_only_named<HashedKeys>(BLOOMLAB_VIEW(stream()));
  check_lends_only_named<detail::Survivors>(BLOOMLAB_VIEW(span()));
  check_lends_only_named<detail::DigestSelection>(BLOOMLAB_VIEW(keys()));
  check_lends_only_named<detail::DigestSelection>(BLOOMLAB_VIEW(batch()));
  check_lends_only_named<Standard>(BLOOMLAB_VIEW(bits()));
  check_lends_only_named<Partitioned>(BLOOMLAB_VIEW(bits()));
  check_lends_only_named<Folded>(BLOOMLAB_VIEW(bits()));
  check_lends_only_named<Blocked>(BLOOMLAB_VIEW(bits()));
  check_lends_only_named<Counting>(BLOOMLAB_VIEW(counters()));
  check_lends_only_named<Spectral>(BLOOMLAB_VIEW(counters()));
}
