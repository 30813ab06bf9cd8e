// The split-block filter against filters that other implementations of the specification published.

#include "core/filters/split_block.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/filters/capacity.hpp"
#include "core/theory/blocked.hpp"
#include "tests/core/measured_rate.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::check_rate;
using bloomlab::test::Implementation;
using bloomlab::test::keys;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// A filter of `m` bits that holds the texts, hashed as the specification says: XXH64, seed 0.
SplitBlock filter_of(std::uint64_t m, const std::vector<std::string>& texts) {
  SplitBlock filter({.m = m});
  for (const std::string& text : texts) {
    const std::uint64_t word = XXH64(text.data(), text.size(), 0);
    filter.insert(DigestBatch{&word, 1, 1, 1});
  }
  return filter;
}

/// The bits as a Parquet file stores them: the words with their lowest byte first.
Bytes bytes_of(const SplitBlock& filter) {
  Bytes bytes;
  for (const std::uint64_t word : filter.bits().words()) {
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
  }
  return bytes;
}

/// The eight bytes of an INT64 value of a column.
std::string plain(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

}  // namespace

// Written by parquet-mr through Spark 3.2.1 for ten strings and for ten INT64; the bytes stand in
// the tests of the crates parquet and parquet2.
TEST_CASE("a split-block filter of one block has the bytes that Spark writes",
          "[core][split_block]") {
  std::vector<std::string> texts;
  std::vector<std::string> numbers;
  for (unsigned i = 0; i < 10; ++i) {
    texts.push_back('a' + std::to_string(i));
    numbers.push_back(plain(i));
  }
  CHECK(bytes_of(filter_of(256, texts)) == Bytes{200, 1,   80, 20, 64,  68, 8,   109, 6,  37, 4,
                                                 67,  144, 80, 96, 32,  8,  132, 43,  33, 0,  5,
                                                 99,  65,  2,  0,  224, 44, 64,  78,  96, 4});
  CHECK(bytes_of(filter_of(256, numbers)) ==
        Bytes{24,  130, 24, 8,  134, 8,   68,  6,   2,  101, 128, 10, 64, 2,   38, 78,
              114, 1,   64, 38, 1,   192, 194, 152, 64, 70,  0,   36, 56, 121, 64, 0});
}

// data/bloom_filter.xxhash.bin of apache/parquet-testing: 32 blocks, four strings. Its bytes that
// are not zero, behind the header of 16 bytes.
TEST_CASE("a split-block filter of 32 blocks has the bytes of the specification's test file",
          "[core][split_block]") {
  const std::vector<std::pair<std::size_t, std::uint8_t>> published = {
      {130, 0x10}, {133, 0x02}, {137, 0x04}, {140, 0x80}, {145, 0x02}, {151, 0x80}, {155, 0x10},
      {159, 0x08}, {162, 0x80}, {167, 0x10}, {168, 0x01}, {175, 0x10}, {176, 0x20}, {182, 0x20},
      {187, 0x40}, {190, 0x08}, {224, 0x04}, {230, 0x40}, {234, 0x40}, {238, 0x08}, {243, 0x04},
      {245, 0x20}, {248, 0x10}, {252, 0x02}, {322, 0x20}, {325, 0x08}, {329, 0x01}, {335, 0x20},
      {338, 0x80}, {343, 0x08}, {345, 0x01}, {349, 0x10}};
  Bytes expected(1024);
  for (const auto& [index, value] : published) expected[index] = value;
  const SplitBlock filter = filter_of(8192, {"hello", "parquet", "bloom", "filter"});
  CHECK(bytes_of(filter) == expected);
  CHECK(filter.state().bits_set == 32);
}

TEST_CASE("the lanes' rate is the mean over the blocks of the product", "[core][split_block]") {
  Implementation<SplitBlock> implementation({.m = 2560}, Probe::of<Independent, MultiplyShift>(),
                                            300);
  implementation.insert(keys(0, 300));
  double rate = 0.0;
  for (std::uint64_t block = 0; block < 10; ++block) {
    double product = 1.0;
    for (std::uint64_t lane = 0; lane < 8; ++lane) {
      double set = 0.0;
      for (std::uint64_t bit = 0; bit < 32; ++bit) {
        set += implementation.filter().bits().test(block * 256 + lane * 32 + bit) ? 1.0 : 0.0;
      }
      product *= set / 32.0;
    }
    rate += product / 10.0;
  }
  CHECK(implementation.filter().state().conditional_rate == Approx(rate).epsilon(1e-12));
}

TEST_CASE("the rate of a split-block filter is its closed form", "[core][split_block]") {
  check_rate<SplitBlock>({.m = 1024}, {.n = 100, .trials = 1000, .absent_keys = 500});
  check_rate<SplitBlock>({.m = 5'120'000}, {.n = 500'000, .trials = 30, .absent_keys = 40'000});
}

TEST_CASE("all positions in a block come from the lower 32 bits of the digest",
          "[core][split_block]") {
  SplitBlock filter({.m = 256});
  const std::uint64_t inserted = 0x0123456789abcdefU;
  filter.insert(DigestBatch{&inserted, 1, 1, 1});
  for (std::uint64_t high = 0; high < 1000; ++high) {
    const std::uint64_t digest = (high << 32) | (inserted & 0xffffffffU);
    std::vector<Answer> answers(1);
    filter.contains(DigestBatch{&digest, 1, 1, 1}, answers);
    CHECK(answers[0] == Answer::maybe);
  }
}

TEST_CASE("a split-block filter for a very low rate keeps it with its 32 position bits",
          "[core][split_block]") {
  for (const double rate : {1e-2, 1e-6, 1e-9, 1e-10}) {
    const auto p = parameters_for<SplitBlock>(1'000'000, rate);
    CHECK(theory::split_block_fpr(p.m / 256, 8, 32, 1'000'000, 32) <= rate);
    CHECK(predicted_rate<SplitBlock>(p, 1'000'000) <= rate);
  }
}

TEST_CASE("the size of a split-block filter is checked", "[core][split_block]") {
  CHECK(*SplitBlock::check({.m = 1000}) ==
        "split_block: m is 1000; it must be a multiple of 256, the bits of a block: choose 768 or "
        "1024");
  CHECK(*SplitBlock::check({.m = SplitBlock::max_m + 256}) ==
        "split_block: m is 549755813888; it must be a multiple of 256, the bits of a block, and at "
        "most 549755813632");
  CHECK_FALSE(SplitBlock::check({.m = SplitBlock::max_m}).has_value());
}
