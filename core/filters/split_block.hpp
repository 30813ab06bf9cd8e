// The split-block filter of Apache Parquet: blocks of 8 lanes of 32 bits, a key sets one bit in
// each lane of its block. With the hash xxhash64 under seed 0 the bits are those of a Parquet file.
// Sources: the Apache Parquet format, "Parquet Bloom Filter" (BloomFilter.md); the layout: Putze,
// Sanders, Singler 2007, "Cache-, hash- and space-efficient Bloom filters", WEA.
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

/// The description of SplitBlock.
struct SplitBlockRules {
  using Layout = LaneBlocks;
  static constexpr std::string_view name = "split_block";
  static constexpr std::string_view summary =
      "blocks of 8 x 32 bits, one bit per key in each lane of 32 (Apache Parquet's)";
  static constexpr std::string_view source = "Apache Parquet format, Parquet Bloom Filter";
  /// The specification has fewer than 2^31 blocks.
  static constexpr std::uint64_t max_m = ((std::uint64_t{1} << 31) - 1) * LaneBlocks::block_bits;

  struct Parameters {
    std::uint64_t m = 0;  ///< filter bits, a multiple of 256
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filter, a multiple of 256", 1, max_m}, p.m);
  }

  [[nodiscard]] static std::vector<Parameters> examples() {
    return {{.m = 256}, {.m = 1024}, {.m = 12800}, {.m = 20480}, {.m = 65536}};
  }
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    return detail::whole_blocks_fault(name, p.m, LaneBlocks::block_bits, max_m);
  }
  /// The closed form: `split_block`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return {"split_block",
            {{"nblocks", p.m / LaneBlocks::block_bits},
             {"lanes", LaneBlocks::lanes},
             {"lane_bits", LaneBlocks::lane_bits},
             {"n", n}}};
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& /*goal*/) {
    const auto make = [](std::uint64_t blocks) {
      return Parameters{.m = blocks * LaneBlocks::block_bits};
    };
    return {.shapes = {{1, max_m / LaneBlocks::block_bits, make}}};
  }
  [[nodiscard]] static LaneBlocks layout(const Parameters& p) noexcept {
    return {.blocks = p.m / LaneBlocks::block_bits};
  }
};

/// The split-block filter. The block comes from the upper 32 bits of the digest, the lanes' bits
/// from the lower 32: two keys of one block differ in 32 bits at most, and of b blocks some are hit
/// more often than others by up to b / 2^32, relatively. As all its positions come from those 32
/// bits, a key is reported for sure where one of its block has the same: the rate stays above
/// keys per block / 2^32. The closed form it is sized by has ideal positions and does not count
/// that: at 10 bits per key 6e-9 are missing of a rate of 1.3 %; a filter of 10^6 keys sized for
/// 10^-9, with 318 bits per key, has 1.19e-9. theory::split_block_fpr() with 32 position bits
/// counts it. The conditional rate is the mean over the blocks of the product over their lanes of
/// X/32.
using SplitBlock = BlockFilter<SplitBlockRules>;

}  // namespace bloomlab
