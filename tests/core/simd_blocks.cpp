// The vector kernels of the filters of blocks: on every target the bits and answers of the layouts.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/bits/block_layouts.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "core/simd/block_kernels.hpp"
#include "core/simd/targets.hpp"

namespace bloomlab::simd {
namespace {

/// Digests `first` and following of an endless list.
std::vector<std::uint64_t> block_digests(std::uint64_t first, std::size_t count) {
  const KeyedPermutation permutation(7);
  std::vector<std::uint64_t> digests(count);
  for (std::size_t i = 0; i < count; ++i) digests[i] = permutation(first + i);
  return digests;
}

/// What the layout says, word by word.
template <class Layout>
bool reference_find(const Layout& layout, std::span<const std::uint64_t> filter,
                    std::uint64_t digest) {
  const BlockTarget target = layout.target(digest);
  for (std::size_t i = 0; i < layout.words(); ++i) {
    if ((target.mask[i] & ~filter[target.word + i]) != 0) return false;
  }
  return true;
}

template <class Layout>
void reference_insert(const Layout& layout, std::span<std::uint64_t> filter, std::uint64_t digest) {
  const BlockTarget target = layout.target(digest);
  for (std::size_t i = 0; i < layout.words(); ++i) filter[target.word + i] |= target.mask[i];
}

/// A filter of the layout with a third of its blocks' bits in use, and `guard` ones behind it.
constexpr std::size_t guard = 8;
template <class Layout>
std::vector<std::uint64_t> guarded_filter(const Layout& layout) {
  const std::size_t words = static_cast<std::size_t>((layout.bits() + 63) / 64);
  std::vector<std::uint64_t> filter(words + guard);
  const std::uint64_t keys = layout.bits() / (3 * layout.probes()) + 1;
  for (const std::uint64_t digest : block_digests(1U << 20, static_cast<std::size_t>(keys))) {
    reference_insert(layout, filter, digest);
  }
  for (std::size_t i = words; i < filter.size(); ++i) filter[i] = 0x5555555555555555U;
  return filter;
}

/// The digests as a stream that has to be asked for them.
DigestStream asked_for(std::span<const std::uint64_t>& digests) {
  return {digests.size(), &digests,
          [](const void* source, std::size_t first, std::size_t count, std::uint64_t* out) {
            const auto& row = *static_cast<const std::span<const std::uint64_t>*>(source);
            std::copy_n(row.subspan(first, count).data(), count, out);
          }};
}

template <class Layout>
void check_find(const Layout& layout, std::span<const std::uint64_t> filter,
                std::span<const std::uint64_t> digests, std::size_t lookahead) {
  std::uint64_t expected = 0;
  for (const std::uint64_t digest : digests) expected += reference_find(layout, filter, digest);
  for (const DigestStream& stream : {DigestStream(digests), asked_for(digests)}) {
    const BlockBatch batch{.digests = stream, .lookahead = lookahead};
    std::vector<Answer> answers(digests.size(), Answer{7});
    CHECK(find(layout, batch, filter, {}) == expected);
    const std::uint64_t found = find(layout, batch, filter, answers);
    if (!answers.empty()) CHECK(found == expected);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const bool maybe = reference_find(layout, filter, digests[i]);
      if (answers[i] != (maybe ? Answer::maybe : Answer::absent)) FAIL("key " << i);
    }
  }
}

template <class Layout>
void check_insert(const Layout& layout, const std::vector<std::uint64_t>& filter,
                  std::span<const std::uint64_t> digests, std::size_t lookahead = 0) {
  for (const DigestStream& stream : {DigestStream(digests), asked_for(digests)}) {
    const BlockBatch batch{.digests = stream, .lookahead = lookahead};
    std::vector<std::uint64_t> expected = filter;
    std::vector<std::uint64_t> silent = filter;
    std::vector<std::uint64_t> telling = filter;
    std::vector<Answer> before(digests.size(), Answer{7});
    insert(layout, batch, silent, {});
    insert(layout, batch, telling, before);
    for (std::size_t i = 0; i < before.size(); ++i) {
      const bool known = reference_find(layout, expected, digests[i]);
      if (before[i] != (known ? Answer::maybe : Answer::absent)) FAIL("key " << i);
      reference_insert(layout, expected, digests[i]);
    }
    CHECK(silent == expected);
    if (!before.empty()) CHECK(telling == expected);
  }
}

/// Batches of all small sizes, from odd places in memory, on all targets.
template <class Layout>
void check_kernel(const Layout& layout) {
  const std::vector<std::uint64_t> filter = guarded_filter(layout);
  auto digests = block_digests(0, 1300);
  // Keys that the batch repeats, near and far from each other.
  for (std::size_t i = 100; i < 140; ++i) digests[i] = digests[i % 7];
  for (const std::string& target : available_targets()) {
    const ForcedTarget forced(target);
    for (std::size_t size = 0; size <= 300; size += size < 40 ? 1 : 13) {
      const auto batch = std::span(digests).subspan(size % 9, size);
      const std::size_t lookahead = size % 5 * 64;
      INFO(target << ", " << size << " keys, lookahead " << lookahead);
      check_find(layout, filter, batch, lookahead);
      check_insert(layout, filter, batch, lookahead);
    }
    // More keys than are kept between hash and use, and lookaheads that are no whole groups.
    for (const std::size_t lookahead : {17U, 255U, 256U, 1000U}) {
      INFO(target << ", lookahead " << lookahead);
      check_find(layout, filter, digests, lookahead);
      check_insert(layout, filter, std::span(digests).first(1289), lookahead);
    }
  }
}

}  // namespace

TEST_CASE("the split-block kernel is its layout on every target", "[core][simd]") {
  for (const std::uint64_t blocks : {1U, 2U, 50U, 777U}) check_kernel(LaneBlocks{.blocks = blocks});
}

TEST_CASE("the kernel of one word is its layout on every target", "[core][simd]") {
  for (const std::uint64_t k : {1U, 4U, 10U, 11U, 13U, 25U}) {
    CAPTURE(k);
    check_kernel(PlainBlocks{.blocks = 311, .block_bits = 64, .k = k});
    check_kernel(PlainBlocks{.blocks = 311, .block_bits = 32, .k = k});
  }
  check_kernel(PlainBlocks{.blocks = 1, .block_bits = 32, .k = 2});
}

TEST_CASE("the kernel of a line is its layout on every target", "[core][simd]") {
  for (const std::uint64_t k : {1U, 6U, 7U, 8U, 9U, 10U, 14U, 15U, 16U, 17U, 27U}) {
    for (const std::uint64_t block_bits : {128U, 256U, 512U}) {
      CAPTURE(k, block_bits);
      check_kernel(PlainBlocks{.blocks = 61, .block_bits = block_bits, .k = k});
    }
  }
  check_kernel(PlainBlocks{.blocks = 1, .block_bits = 512, .k = 256});
}

TEST_CASE("the kernel of sectors is its layout on every target", "[core][simd]") {
  for (const std::uint64_t sector_bits : {8U, 16U, 32U, 64U}) {
    for (const std::uint64_t block_bits : {64U, 128U, 512U}) {
      const std::uint64_t sectors = block_bits / sector_bits;
      for (std::uint64_t groups = 1; groups <= sectors; groups *= 2) {
        CAPTURE(sector_bits, block_bits, groups);
        check_kernel(SectorBlocks{.blocks = 43,
                                  .sectors = sectors,
                                  .sector_bits = sector_bits,
                                  .groups = groups,
                                  .bits_per_group = groups % 3 + 1});
      }
    }
  }
}

TEST_CASE("the kernel of one position a word is its layout on every target", "[core][simd]") {
  for (std::uint64_t k = 1; k <= 8; ++k) {
    CAPTURE(k);
    check_kernel(WordBlocks{.blocks = 101, .k = k});
  }
}

// Filters of so many blocks cannot be had: the digests are so small that only the first 512 blocks
// are asked for.
TEST_CASE("more than 2^32 blocks are located exactly on every target", "[core][simd]") {
  std::vector<std::uint64_t> filter(4200);
  std::vector<std::uint64_t> digests = block_digests(0, 300);
  for (std::uint64_t& digest : digests) digest >>= 26;
  for (const std::string& target : available_targets()) {
    INFO(target);
    const ForcedTarget forced(target);
    for (const std::uint64_t beyond : {0U, 12345U}) {
      for (const int power : {32, 33, 35}) {
        const std::uint64_t blocks = (std::uint64_t{1} << power) + beyond;
        CAPTURE(blocks);
        for (const std::uint64_t block_bits : {32U, 64U, 512U}) {
          check_insert(PlainBlocks{.blocks = blocks, .block_bits = block_bits, .k = 6}, filter,
                       digests);
        }
        check_insert(WordBlocks{.blocks = blocks, .k = 5}, filter, digests);
        for (const std::uint64_t sectors : {1U, 2U, 8U}) {
          check_insert(SectorBlocks{.blocks = blocks,
                                    .sectors = sectors,
                                    .sector_bits = 64,
                                    .groups = sectors,
                                    .bits_per_group = 3},
                       filter, digests);
        }
      }
    }
  }
}

}  // namespace bloomlab::simd
