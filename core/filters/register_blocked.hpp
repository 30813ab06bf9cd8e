// The register-blocked filter: a block is one word of the machine, set and tested at once.
// Source: Lang, Neumann, Kemper, Boncz 2019, "Performance-optimal filtering: Bloom overtakes cuckoo
// at high throughput", PVLDB 12(5).
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

/// The description of RegisterBlocked.
struct RegisterBlockedRules {
  using Layout = PlainBlocks;
  static constexpr std::string_view name = "register_blocked";
  static constexpr std::string_view summary = "k positions per key in one word of 32 or 64 bits";
  static constexpr std::string_view source =
      "Lang, Neumann, Kemper, Boncz 2019, Performance-optimal filtering";

  struct Parameters {
    std::uint64_t m = 0;          ///< filter bits, a multiple of word_bits
    std::uint64_t k = 0;          ///< probes per key
    std::uint64_t word_bits = 0;  ///< bits of a block: 32 or 64
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filter, a multiple of word_bits", 1,
                       max_filter_bits},
          p.m);
    visit(IntegerField{"k", "probes per key", "positions set for a key", 1, max_probes}, p.k);
    visit(IntegerField{.name = "word_bits",
                       .unit = "bits",
                       .meaning = "size of a block: 32 or 64",
                       .min = 32,
                       .max = 64,
                       .fallback = 64},
          p.word_bits);
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

/// The register-blocked filter. The word comes from the high bits of the digest, the k positions in
/// it (with replacement) from words mixed from it anew. The conditional rate is the mean over the
/// words of (X/word_bits)^k.
using RegisterBlocked = BlockFilter<RegisterBlockedRules>;

}  // namespace bloomlab
