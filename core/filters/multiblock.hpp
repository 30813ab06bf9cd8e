// A blocked filter in which every probe has a word of its own: a block is k words of 64 bits, and a
// key sets one bit in each word of its block.
// Sources: Putze, Sanders, Singler 2007, "Cache-, hash- and space-efficient Bloom filters", WEA,
// for blocks; Lopez Munoz 2025, "Boost.Bloom", subfilter multiblock, for one word a probe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bits/block_layouts.hpp"
#include "core/filters/block_filter.hpp"
#include "core/parameters.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The description of Multiblock.
struct MultiblockRules {
  using Layout = WordBlocks;
  static constexpr std::string_view name = "multiblock";
  static constexpr std::string_view summary =
      "blocks of k words of 64 bits, one bit per key in each word of its block";
  static constexpr std::string_view source = "Lopez Munoz 2025, Boost.Bloom, multiblock";
  static constexpr std::uint64_t word_bits = WordBlocks::word_bits;
  /// Words of a cache line: a block is at most one.
  static constexpr std::uint64_t max_words = max_block_bits / word_bits;

  struct Parameters {
    std::uint64_t m = 0;  ///< filter bits, a multiple of 64 k
    std::uint64_t k = 0;  ///< words of a block, and probes per key
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filter, a multiple of 64 k", 1, max_filter_bits},
          p.m);
    visit(IntegerField{"k", "probes per key", "words of a block, with one bit per key in each", 1,
                       max_words},
          p.k);
  }

  [[nodiscard]] static std::vector<Parameters> examples() {
    return {{.m = 64, .k = 1},    {.m = 512, .k = 8},   {.m = 12800, .k = 4},
            {.m = 19200, .k = 5}, {.m = 20160, .k = 7}, {.m = 65536, .k = 8}};
  }
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    if (auto fault = detail::range_fault<MultiblockRules>(p, "k")) return fault;
    return detail::whole_blocks_fault(name, p.m, word_bits * p.k, max_filter_bits);
  }
  /// The closed form of the rate after n distinct keys: `split_block`, with lanes of 64 bits.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return {
        "split_block",
        {{"nblocks", p.m / (word_bits * p.k)}, {"lanes", p.k}, {"lane_bits", word_bits}, {"n", n}}};
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& /*goal*/) {
    Sizing<Parameters> sizing;
    for (std::uint64_t k = max_words; k >= 1; --k) {
      const auto make = [k](std::uint64_t blocks) {
        return Parameters{.m = blocks * k * word_bits, .k = k};
      };
      sizing.shapes.push_back({1, max_filter_bits / (k * word_bits), make});
    }
    return sizing;
  }
  [[nodiscard]] static Layout layout(const Parameters& p) noexcept {
    return {.blocks = p.m / (word_bits * p.k), .k = p.k};
  }
};

/// The multiblock filter. The block comes from the digest's high bits, the bits in its words from a
/// stream of numbers that is seeded with the digest. The conditional rate is the mean over the
/// blocks of the product over their words of X/64.
using Multiblock = BlockFilter<MultiblockRules>;

}  // namespace bloomlab
