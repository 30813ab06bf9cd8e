// The cache-sectorized filter: a block is cut into sectors, those into groups; a key has bits in
// one sector of every group. As many groups as sectors make the sectorized filter. Source: Lang,
// Neumann, Kemper, Boncz 2019, "Performance-optimal filtering: Bloom overtakes cuckoo at high
// throughput", PVLDB 12(5).
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

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// k, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `cache_sectorized`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// How it is sized for a goal (core/filters/sizing.hpp).
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  /// Cache lines that a lookup reads once n keys are in it.
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
  /// Where a key's bits stand. Precondition: check(p) has no fault.
  [[nodiscard]] static Layout layout(const Parameters& p) noexcept;
};

/// The cache-sectorized filter. The block comes from the high bits of the digest; sectors and the
/// k / groups positions in each (with replacement) from words mixed from it anew. The conditional
/// rate is the mean over the blocks of the product over their groups of the mean over a group's
/// sectors of (X/sector_bits)^(k/groups).
using CacheSectorized = BlockFilter<CacheSectorizedRules>;

}  // namespace bloomlab
