// The blocked filter: a key's positions stand in one block, so that it costs one cache line.
// Source: Putze, Sanders, Singler 2007, "Cache-, hash- and space-efficient Bloom filters", WEA.
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

/// The description of Blocked.
struct BlockedRules {
  using Layout = PlainBlocks;
  static constexpr std::string_view name = "blocked";
  static constexpr std::string_view summary =
      "k positions per key in one block of 64 to 512 bits: one cache line per key";
  static constexpr std::string_view source =
      "Putze, Sanders, Singler 2007, Cache-, hash- and space-efficient Bloom filters";

  struct Parameters {
    std::uint64_t m = 0;           ///< filter bits, a multiple of block_bits
    std::uint64_t k = 0;           ///< probes per key
    std::uint64_t block_bits = 0;  ///< bits of a block, a power of two, 64 .. 512
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filter, a multiple of block_bits", 1,
                       max_filter_bits},
          p.m);
    visit(IntegerField{"k", "probes per key", "positions set for a key", 1, max_probes}, p.k);
    visit(IntegerField{"block_bits", "bits", "size of a block: 64, 128, 256 or 512", 64,
                       max_block_bits},
          p.block_bits);
  }

  [[nodiscard]] static std::vector<Parameters> examples() {
    return {{.m = 64, .k = 1, .block_bits = 64},      {.m = 512, .k = 256, .block_bits = 512},
            {.m = 19968, .k = 6, .block_bits = 512},  {.m = 16384, .k = 5, .block_bits = 64},
            {.m = 20480, .k = 4, .block_bits = 256},  {.m = 128, .k = 3, .block_bits = 128},
            {.m = 65536, .k = 20, .block_bits = 512}, {.m = 12800, .k = 9, .block_bits = 128}};
  }
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    if (auto fault =
            detail::power_of_two_fault(name, "block_bits", p.block_bits, 64, max_block_bits))
      return fault;
    if (auto fault = detail::range_fault<BlockedRules>(p, "k")) return fault;
    return detail::whole_blocks_fault(name, p.m, p.block_bits, max_filter_bits);
  }
  /// The closed form: `blocked`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return {"blocked",
            {{"nblocks", p.m / p.block_bits}, {"block_bits", p.block_bits}, {"n", n}, {"k", p.k}}};
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal) {
    const auto make = [](std::uint64_t k, std::uint64_t blocks) {
      return Parameters{.m = blocks * line_bits, .k = k, .block_bits = line_bits};
    };
    return detail::block_sizing<Parameters>(detail::probe_counts(goal), max_filter_bits / line_bits,
                                            make);
  }
  [[nodiscard]] static PlainBlocks layout(const Parameters& p) noexcept {
    return {.blocks = p.m / p.block_bits, .block_bits = p.block_bits, .k = p.k};
  }
};

/// The blocked filter. The block comes from the high bits of the digest, the k positions in it
/// (with replacement, as the closed form assumes) from words mixed from it anew. The
/// conditional rate is the mean over the blocks of (X/block_bits)^k.
using Blocked = BlockFilter<BlockedRules>;

}  // namespace bloomlab
