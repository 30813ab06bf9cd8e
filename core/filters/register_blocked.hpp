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

  [[nodiscard]] static std::vector<Parameters> examples() {
    return {{.m = 32, .k = 1, .word_bits = 32},    {.m = 64, .k = 256, .word_bits = 64},
            {.m = 16384, .k = 4, .word_bits = 64}, {.m = 20000, .k = 3, .word_bits = 32},
            {.m = 1056, .k = 5, .word_bits = 32},  {.m = 40000, .k = 8, .word_bits = 64}};
  }
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    if (auto fault = detail::power_of_two_fault(name, "word_bits", p.word_bits, 32, 64))
      return fault;
    if (auto fault = detail::range_fault<RegisterBlockedRules>(p, "k")) return fault;
    return detail::whole_blocks_fault(name, p.m, p.word_bits, max_filter_bits);
  }
  /// The closed form: `blocked`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return {"blocked",
            {{"nblocks", p.m / p.word_bits}, {"block_bits", p.word_bits}, {"n", n}, {"k", p.k}}};
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal) {
    constexpr std::uint64_t word = 64;
    const auto make = [](std::uint64_t k, std::uint64_t blocks) {
      return Parameters{.m = blocks * word, .k = k, .word_bits = word};
    };
    return detail::block_sizing<Parameters>(detail::probe_counts(goal), max_filter_bits / word,
                                            make);
  }
  [[nodiscard]] static PlainBlocks layout(const Parameters& p) noexcept {
    return {.blocks = p.m / p.word_bits, .block_bits = p.word_bits, .k = p.k};
  }
};

/// The register-blocked filter. The word comes from the high bits of the digest, the k positions in
/// it (with replacement) from words mixed from it anew. The conditional rate is the mean over the
/// words of (X/word_bits)^k.
using RegisterBlocked = BlockFilter<RegisterBlockedRules>;

}  // namespace bloomlab
