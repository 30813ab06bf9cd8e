// Triple hashing: the stride of double hashing has a stride of its own.
// Source: Dillinger, Manolios 2004, "Bloom filters in probabilistic verification", FMCAD.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/digests.hpp"
#include "core/probe/planes.hpp"

namespace bloomlab {

/// The walk (core/probe/walk.hpp) of triple hashing.
template <class Reduction>
class TripleWalk : public HeldPosition {
 public:
  struct State {
    std::uint64_t position;
    std::uint64_t stride;
    std::uint64_t growth;
  };

  TripleWalk(const DigestBatch& digests, std::uint64_t m) noexcept
      : offsets_(digests.word(0).data()),
        strides_(digests.word(1).data()),
        growths_(digests.word(2).data()),
        m_(m),
        reduce_(m) {}

  [[nodiscard]] State first(std::size_t key) const noexcept {
    return {reduce_(offsets_[key]), reduce_(strides_[key]), reduce_(growths_[key])};
  }
  void advance(State& state, std::size_t /*key*/, int /*i*/) const noexcept {
    state.position = modular_sum(state.position, state.stride, m_);
    state.stride = modular_sum(state.stride, state.growth, m_);
  }

 private:
  const std::uint64_t* offsets_;
  const std::uint64_t* strides_;
  const std::uint64_t* growths_;
  std::uint64_t m_;
  Reduction reduce_;
};

/// Position i is (a + i b + i (i - 1) / 2 c) mod m with a, b, c the reductions of words 0, 1, 2:
/// x <- x + y, then y <- y + z.
struct TripleHashing : SchemeBase {
  static constexpr std::string_view name = "triple_hashing";
  static constexpr std::string_view summary = "(a + i b + i(i - 1)/2 c) mod m from three words";
  static constexpr std::string_view source =
      "Dillinger, Manolios 2004, Bloom filters in probabilistic verification";
  template <class Reduction>
  static constexpr bool allows = Reduction::uniform;

  [[nodiscard]] static constexpr DigestNeed need(int /*k*/) noexcept { return {.words = 3}; }
  [[nodiscard]] static int fingerprint_words(int k) noexcept { return std::min(k, 3); }

  template <class Reduction>
  [[nodiscard]] static TripleWalk<Reduction> walk(const DigestBatch& digests,
                                                  std::uint64_t m) noexcept {
    return {digests, m};
  }

  template <class Reduction>
  static void positions(const DigestBatch& digests, std::uint64_t m, int k,
                        std::uint64_t* out) noexcept {
    const Reduction reduce(m);
    std::array<std::uint64_t, block> x;
    std::array<std::uint64_t, block> y;
    std::array<std::uint64_t, block> z;
    for (std::size_t first = 0; first < digests.size; first += block) {
      const std::size_t count = std::min(block, digests.size - first);
      for (std::size_t j = 0; j < count; ++j) x[j] = reduce(digests.word(0)[first + j]);
      for (std::size_t j = 0; j < count; ++j) y[j] = reduce(digests.word(1)[first + j]);
      for (std::size_t j = 0; j < count; ++j) z[j] = reduce(digests.word(2)[first + j]);
      for (int i = 0; i < k; ++i) {
        std::uint64_t* plane = out + static_cast<std::size_t>(i) * digests.size + first;
        for (std::size_t j = 0; j < count; ++j) {
          plane[j] = x[j];
          x[j] = modular_sum(x[j], y[j], m);
          y[j] = modular_sum(y[j], z[j], m);
        }
      }
    }
  }

 private:
  static constexpr std::size_t block = 128;  // keys whose state waits in the L1 cache
};

}  // namespace bloomlab
