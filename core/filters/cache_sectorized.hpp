// The cache-sectorized filter: a block is cut into sectors, those into groups; a key has bits in
// one sector of every group. As many groups as sectors make the sectorized filter. Source: Lang,
// Neumann, Kemper, Boncz 2019, "Performance-optimal filtering: Bloom overtakes cuckoo at high
// throughput", PVLDB 12(5).
#pragma once

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/bits/block_layouts.hpp"
#include "core/filters/block_filter.hpp"
#include "core/parameters.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The description of CacheSectorized.
struct CacheSectorizedRules {
  using Layout = SectorBlocks;
  static constexpr std::string_view name = "cache_sectorized";
  static constexpr std::string_view summary =
      "k positions per key in one block, spread evenly over groups of sectors";
  static constexpr std::string_view source =
      "Lang, Neumann, Kemper, Boncz 2019, Performance-optimal filtering";
  static constexpr std::uint64_t max_sector_bits = 64;

  struct Parameters {
    std::uint64_t m = 0;            ///< filter bits, a multiple of block_bits
    std::uint64_t k = 0;            ///< probes per key, a multiple of groups
    std::uint64_t groups = 0;       ///< groups of a block, a power of two, at most its sectors
    std::uint64_t block_bits = 0;   ///< bits of a block, a power of two, 64 .. 512
    std::uint64_t sector_bits = 0;  ///< bits of a sector, a power of two, 8 .. 64
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filter, a multiple of block_bits", 1,
                       max_filter_bits},
          p.m);
    visit(IntegerField{"k", "probes per key", "positions set for a key, a multiple of groups", 1,
                       max_probes},
          p.k);
    visit(IntegerField{"groups", "groups",
                       "groups of sectors in a block, a power of two; as many as sectors make the "
                       "sectorized filter",
                       1, max_block_bits / 8},
          p.groups);
    visit(IntegerField{.name = "block_bits",
                       .unit = "bits",
                       .meaning = "size of a block: 64, 128, 256 or 512",
                       .min = 64,
                       .max = max_block_bits,
                       .fallback = 512},
          p.block_bits);
    visit(IntegerField{.name = "sector_bits",
                       .unit = "bits",
                       .meaning = "size of a sector: 8, 16, 32 or 64",
                       .min = 8,
                       .max = max_sector_bits,
                       .fallback = 64},
          p.sector_bits);
  }

  [[nodiscard]] static std::vector<Parameters> examples() {
    return {{.m = 64, .k = 8, .groups = 8, .block_bits = 64, .sector_bits = 8},
            {.m = 512, .k = 256, .groups = 1, .block_bits = 512, .sector_bits = 64},
            {.m = 20480, .k = 6, .groups = 2, .block_bits = 512, .sector_bits = 64},
            {.m = 20480, .k = 8, .groups = 8, .block_bits = 512, .sector_bits = 64},
            {.m = 16384, .k = 8, .groups = 4, .block_bits = 256, .sector_bits = 16},
            {.m = 19200, .k = 4, .groups = 1, .block_bits = 128, .sector_bits = 32}};
  }
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    if (auto fault =
            detail::power_of_two_fault(name, "block_bits", p.block_bits, 64, max_block_bits))
      return fault;
    if (auto fault =
            detail::power_of_two_fault(name, "sector_bits", p.sector_bits, 8, max_sector_bits))
      return fault;
    const std::uint64_t sectors = p.block_bits / p.sector_bits;
    if (auto fault = detail::power_of_two_fault(name, "groups", p.groups, 1, sectors)) return fault;
    if (auto fault = detail::range_fault<CacheSectorizedRules>(p, "k")) return fault;
    if (p.k % p.groups != 0) {
      std::ostringstream text;
      text << name << ": k is " << p.k << "; it must be a multiple of groups = " << p.groups
           << ", so that each group gets as many positions";
      return text.str();
    }
    return detail::whole_blocks_fault(name, p.m, p.block_bits, max_filter_bits);
  }
  /// The closed form: `cache_sectorized`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    const SectorBlocks blocks = layout(p);
    return {"cache_sectorized",
            {{"nblocks", blocks.blocks},
             {"sectors", blocks.sectors},
             {"sector_bits", blocks.sector_bits},
             {"groups", blocks.groups},
             {"bits_per_group", blocks.bits_per_group},
             {"n", n}}};
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal) {
    Sizing<Parameters> sizing;
    for (const std::uint64_t groups : {2U, 4U}) {
      for (const std::uint64_t k : detail::probe_counts(goal)) {
        if (k % groups != 0) continue;
        const auto make = [k, groups](std::uint64_t blocks) {
          return Parameters{.m = blocks * line_bits,
                            .k = k,
                            .groups = groups,
                            .block_bits = line_bits,
                            .sector_bits = 64};
        };
        sizing.shapes.push_back({1, max_filter_bits / line_bits, make});
      }
    }
    return sizing;
  }
  [[nodiscard]] static SectorBlocks layout(const Parameters& p) noexcept {
    return {.blocks = p.m / p.block_bits,
            .sectors = p.block_bits / p.sector_bits,
            .sector_bits = p.sector_bits,
            .groups = p.groups,
            .bits_per_group = p.k / p.groups};
  }
};

/// The cache-sectorized filter. The block comes from the high bits of the digest; sectors and the
/// k / groups positions in each (with replacement) from words mixed from it anew. The conditional
/// rate is the mean over the blocks of the product over their groups of the mean over a group's
/// sectors of (X/sector_bits)^(k/groups).
using CacheSectorized = BlockFilter<CacheSectorizedRules>;

}  // namespace bloomlab
