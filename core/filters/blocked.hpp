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
#include "core/filters/sizing_goal.hpp"
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

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// k, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `blocked`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// How it is sized for a goal (core/filters/sizing.hpp).
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  /// Cache lines that a lookup reads once n keys are in it.
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
  /// Where a key's bits stand. Precondition: check(p) has no fault.
  [[nodiscard]] static Layout layout(const Parameters& p) noexcept;
};

/// The blocked filter. The block comes from the high bits of the digest, the k positions in it
/// (with replacement, as the closed form assumes) from words mixed from it anew. The
/// conditional rate is the mean over the blocks of (X/block_bits)^k.
using Blocked = BlockFilter<BlockedRules>;

}  // namespace bloomlab
