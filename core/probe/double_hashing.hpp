// Double hashing: k positions from two words.
// Sources: Dillinger, Manolios 2004, "Bloom filters in probabilistic verification", FMCAD; Kirsch,
// Mitzenmacher 2006, "Less hashing, same performance: building a better Bloom filter", ESA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/digests.hpp"
#include "core/probe/planes.hpp"

namespace bloomlab {

/// Position i is (a + i b) mod m with a and b the reductions of words 0 and 1; b may be any stride,
/// 0 included. Above the ideal rate by about C/m (see the theory `double_hashing_exact`).
struct DoubleHashing {
  static constexpr std::string_view name = "double_hashing";
  static constexpr std::string_view summary = "(a + i b) mod m from two words, any stride b";
  static constexpr std::string_view source =
      "Dillinger, Manolios 2004, Bloom filters in probabilistic verification; Kirsch, Mitzenmacher "
      "2006, Less hashing, same performance";
  static constexpr bool prefix_stable = true;
  static constexpr bool needs_identity = false;
  static constexpr int only_k = 0;
  template <class Reduction>
  static constexpr bool allows = true;

  [[nodiscard]] static DigestNeed need(int /*k*/) noexcept { return {.words = 2}; }

  template <class Reduction>
  static void positions(const DigestBatch& digests, std::uint64_t m, int k,
                        std::uint64_t* out) noexcept {
    reduce_words<Reduction>(digests.word(0), m, out);
    if (k == 1) return;
    // The stride waits in the last plane until that one is due.
    std::uint64_t* const stride = out + static_cast<std::size_t>(k - 1) * digests.size;
    reduce_words<Reduction>(digests.word(1), m, stride);
    for (int i = 1; i < k; ++i) {
      const std::uint64_t* before = out + static_cast<std::size_t>(i - 1) * digests.size;
      std::uint64_t* plane = out + static_cast<std::size_t>(i) * digests.size;
      for (std::size_t j = 0; j < digests.size; ++j) {
        plane[j] = modular_sum(before[j], stride[j], m);
      }
    }
  }
};

}  // namespace bloomlab
