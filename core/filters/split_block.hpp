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
#include "core/filters/sizing_goal.hpp"
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

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// 8, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `split_block`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// How it is sized for a goal (core/filters/sizing.hpp).
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  /// Cache lines that a lookup reads once n keys are in it.
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
  /// Where a key's bits stand. Precondition: check(p) has no fault.
  [[nodiscard]] static Layout layout(const Parameters& p) noexcept;
};

/// The split-block filter. The block comes from the upper 32 bits of the digest, the lanes' bits
/// from the lower 32: two keys of one block differ in 32 bits at most, and of b blocks some are hit
/// more often than others by up to b / 2^32, relatively. The conditional rate is the mean over
/// the blocks of the product over their lanes of X/32.
using SplitBlock = BlockFilter<SplitBlockRules>;

}  // namespace bloomlab
