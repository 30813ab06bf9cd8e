// Enhanced double hashing: the stride grows, which removes most defects of double hashing.
// Source: Dillinger, Manolios 2004, "Bloom filters in probabilistic verification", FMCAD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/digests.hpp"
#include "core/probe/modular_sum.hpp"

namespace bloomlab {

/// Position i is (a + i b + (i^3 - i) / 6) mod m with a and b the reductions of words 0 and 1:
/// x <- x + y, then y <- y + i.
struct EnhancedDoubleHashing {
  static constexpr std::string_view name = "enhanced_double_hashing";
  static constexpr std::string_view summary = "(a + i b + (i^3 - i)/6) mod m from two words";
  static constexpr std::string_view source =
      "Dillinger, Manolios 2004, Bloom filters in probabilistic verification";
  static constexpr bool prefix_stable = true;
  static constexpr bool needs_identity = false;
  static constexpr int only_k = 0;
  template <class Reduction>
  static constexpr bool allows = true;

  [[nodiscard]] static DigestNeed need(int /*k*/) noexcept { return {.words = 2}; }

  template <class Reduction>
  static void positions(const DigestBatch& digests, std::uint64_t m, int k,
                        std::uint64_t* out) noexcept {
    const Reduction reduce(m);
    const std::uint64_t* first = digests.word(0).data();
    const std::uint64_t* second = digests.word(1).data();
    const std::uint64_t unit = m == 1 ? 0 : 1;
    for (std::size_t j = 0; j < digests.size; ++j) {
      std::uint64_t x = reduce(first[j]);
      std::uint64_t y = reduce(second[j]);
      out[j] = x;
      std::uint64_t growth = 0;  // i mod m
      for (int i = 1; i < k; ++i) {
        growth = modular_sum(growth, unit, m);
        x = modular_sum(x, y, m);
        y = modular_sum(y, growth, m);
        out[static_cast<std::size_t>(i) * digests.size + j] = x;
      }
    }
  }
};

}  // namespace bloomlab
