// Hashes of 32 bits: how they fill a word, and what their truncation keeps.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "core/hash/widened_32.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::keys;

namespace {

std::span<const std::byte> text_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

template <class Truncated, class Hash>
void check_truncation() {
  INFO(Truncated::name);
  for (const std::string_view text : {"", "a", "a longer text of more than sixteen bytes"}) {
    for (const std::uint64_t seed : {0ULL, 1ULL, 0xfedcba9876543210ULL}) {
      const auto low = static_cast<std::uint32_t>(Hash::digest(text_bytes(text), seed)[0]);
      CHECK(Truncated::digest(text_bytes(text), seed)[0] == widened_32(low));
    }
  }
}

/// How many different positions the 2^16 hashes 0, 65537, 2 * 65537, ... take, all 32 bits in use.
template <class Reduction>
std::size_t positions_taken(std::uint64_t m) {
  const Reduction reduce(m);
  std::vector<std::uint64_t> positions;
  for (std::uint32_t i = 0; i < 65536; ++i) positions.push_back(reduce(widened_32(i * 65537U)));
  std::ranges::sort(positions);
  return static_cast<std::size_t>(std::unique(positions.begin(), positions.end()) -
                                  positions.begin());
}

}  // namespace

TEST_CASE("a truncated hash keeps the low 32 bits of its first word", "[core][hash]") {
  check_truncation<Truncated32, XxHash3_64>();
  check_truncation<Murmur3_128Truncated32, Murmur3_128>();
  check_truncation<Md5Truncated32, Md5>();
}

TEST_CASE("a widened hash stands in the low half", "[core][hash]") {
  CHECK(widened_32(0) == 0);
  CHECK(widened_32(1) == 0x9e3779b900000001ULL);
  CHECK(widened_32(0xffffffffU) == 0x61c88647ffffffffULL);
}

TEST_CASE("the high half of a widened hash takes each value once", "[core][hash]") {
  // x -> x c modulo 2^32 is undone by the inverse of c, so it is a bijection.
  constexpr std::uint32_t inverse = 0x144cbc89U;
  for (const std::uint64_t key : keys(0, 1000)) {
    const auto hash = static_cast<std::uint32_t>(key);
    CHECK(static_cast<std::uint32_t>(widened_32(hash) >> 32) * inverse == hash);
  }
}

// 65536 hashes on m positions leave about m e^(-65536/m) of them empty; a hash that is merely
// repeated reaches every 641st position of the first two sizes only.
TEST_CASE("a widened hash reaches all positions, whatever divides m", "[core][hash]") {
  for (const std::uint64_t m : {641ULL, 6410ULL, 5000ULL, 4097ULL}) {
    INFO("m = " << m);
    CHECK(positions_taken<Modulo>(m) > m * 99 / 100);
    CHECK(positions_taken<MultiplyShift>(m) > m * 99 / 100);
  }
  CHECK(positions_taken<Mask>(4096) > 4096 * 99 / 100);
  // 65536 on 6700417: all but about 320 fall apart.
  CHECK(positions_taken<Modulo>(6700417) > 65000);
  CHECK(positions_taken<MultiplyShift>(6700417) > 65000);
}

TEST_CASE("hashes of 32 bits say so, and are hashes", "[core][hash]") {
  for (const char* name : {"truncated_32", "murmur3_128_truncated_32", "md5_truncated_32"}) {
    CHECK(make_hasher(name).digest_bits() == 32);
    CHECK(make_hasher(name).words() == 1);
    CHECK_FALSE(make_hasher(name).passes_through());
  }
}

namespace {

/// The article's polynomial is no good hash: of random bytes, even multipliers keep few.
template <class T>
using IsGoodHash =
    std::bool_constant<!T::passes_through && !std::is_same_v<T, JavascriptPolynomial>>;
using GoodHashes = bloomlab::test::Only<Hashes, IsGoodHash>;

}  // namespace

// The words of 32-bit hashes collide as 32 bits do: n = 300000 keys have n^2 / 2^33 = 10.48 equal
// pairs on average; outside 1 .. 26 with probability 4e-5. 64 bits would give none.
TEMPLATE_LIST_TEST_CASE("a hash collides as its width says", "[core][hash]", GoodHashes) {
  const std::size_t n = 300000;
  const auto values = keys(0, n);
  std::vector<std::uint64_t> words(n);
  TestType::digest_batch(KeyBatch::integers(values, 8), 5, {words.data(), n, 1});
  std::ranges::sort(words);
  std::size_t pairs = 0;
  for (std::size_t i = 1; i < n; ++i) pairs += words[i] == words[i - 1] ? 1 : 0;
  INFO(TestType::name);
  if (TestType::digest_bits == 32) {
    CHECK(pairs >= 1);
    CHECK(pairs <= 26);
  } else {
    CHECK(pairs == 0);
  }
}
