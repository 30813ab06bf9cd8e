// Enhanced double hashing: the stride grows, which removes most defects of double hashing.
// Source: Dillinger, Manolios 2004, "Bloom filters in probabilistic verification", FMCAD.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/digests.hpp"
#include "core/probe/planes.hpp"
#include "core/reduction/reduce_words.hpp"

namespace bloomlab {

/// The walk (core/probe/walk.hpp) of enhanced double hashing.
template <class Reduction>
class EnhancedWalk : public HeldPosition {
 public:
  struct State {
    std::uint64_t position;
    std::uint64_t stride;
  };

  EnhancedWalk(const DigestBatch& digests, std::uint64_t m) noexcept
      : offsets_(digests.word(0).data()), strides_(digests.word(1).data()), m_(m), reduce_(m) {}

  [[nodiscard]] State first(std::size_t key) const noexcept {
    return {reduce_(offsets_[key]), reduce_(strides_[key])};
  }
  void advance(State& state, std::size_t /*key*/, int i) const noexcept {
    const auto probe = static_cast<std::uint64_t>(i);
    const std::uint64_t growth = probe < m_ ? probe : probe % m_;
    state.position = modular_sum(state.position, state.stride, m_);
    state.stride = modular_sum(state.stride, growth, m_);
  }

 private:
  const std::uint64_t* offsets_;
  const std::uint64_t* strides_;
  std::uint64_t m_;
  Reduction reduce_;
};

/// Position i is (a + i b + (i^3 - i) / 6) mod m with a and b the reductions of words 0 and 1:
/// x <- x + y, then y <- y + i.
struct EnhancedDoubleHashing : SchemeBase {
  static constexpr std::string_view name = "enhanced_double_hashing";
  static constexpr std::string_view summary = "(a + i b + (i^3 - i)/6) mod m from two words";
  static constexpr std::string_view source =
      "Dillinger, Manolios 2004, Bloom filters in probabilistic verification";
  template <class Reduction>
  static constexpr bool allows = Reduction::uniform;

  [[nodiscard]] static constexpr DigestNeed need(int /*k*/) noexcept { return {.words = 2}; }
  [[nodiscard]] static int fingerprint_words(int k) noexcept { return std::min(k, 2); }

  template <class Reduction>
  [[nodiscard]] static EnhancedWalk<Reduction> walk(const DigestBatch& digests,
                                                    std::uint64_t m) noexcept {
    return {digests, m};
  }

  template <class Reduction>
  static void positions(const DigestBatch& digests, std::uint64_t m, int k,
                        std::uint64_t* out) noexcept {
    reduce_words(Reduction(m), digests.word(0), out);
    if (k == 1) return;
    // y waits and grows in the last plane until that one is due.
    std::uint64_t* const y = out + static_cast<std::size_t>(k - 1) * digests.size;
    reduce_words(Reduction(m), digests.word(1), y);
    for (int i = 1; i < k; ++i) {
      const std::uint64_t growth = static_cast<std::uint64_t>(i) % m;
      const std::uint64_t* before = out + static_cast<std::size_t>(i - 1) * digests.size;
      std::uint64_t* x = out + static_cast<std::size_t>(i) * digests.size;
      for (std::size_t j = 0; j < digests.size; ++j) {
        const std::uint64_t stride = y[j];
        y[j] = modular_sum(stride, growth, m);
        x[j] = modular_sum(before[j], stride, m);  // last, as x may be y
      }
    }
  }
};

}  // namespace bloomlab
