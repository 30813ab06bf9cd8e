// What the double hashings share: k positions from an offset and a stride.
// Sources: Dillinger, Manolios 2004, "Bloom filters in probabilistic verification", FMCAD; Kirsch,
// Mitzenmacher 2006, "Less hashing, same performance: building a better Bloom filter", ESA.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/digests.hpp"
#include "core/probe/planes.hpp"
#include "core/reduction/reduce_words.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The strides first, first + step, ..., first + (count - 1) step; count >= 1.
struct StrideSet {
  std::uint64_t first;
  std::uint64_t step;
  std::uint64_t count;
};

/// The walk (core/probe/walk.hpp) of a position that moves by a stride of the set.
template <class Reduction>
class StridedWalk : public HeldPosition {
 public:
  struct State {
    std::uint64_t position;
    std::uint64_t stride;
  };

  StridedWalk(const DigestBatch& digests, std::uint64_t m, const StrideSet& strides) noexcept
      : offsets_(digests.word(0).data()),
        strides_(digests.word(1).data()),
        m_(m),
        set_(strides),
        reduce_(m),
        reduce_stride_(strides.count) {}

  [[nodiscard]] State first(std::size_t key) const noexcept {
    return {reduce_(offsets_[key]), set_.first + set_.step * reduce_stride_(strides_[key])};
  }
  void advance(State& state, std::size_t /*key*/, int /*i*/) const noexcept {
    state.position = modular_sum(state.position, state.stride, m_);
  }

 private:
  const std::uint64_t* offsets_;
  const std::uint64_t* strides_;
  std::uint64_t m_;
  StrideSet set_;
  Reduction reduce_;
  Reduction reduce_stride_;
};

/// Position i is (a + i b) mod m: a is the reduction of word 0 to [0, m), b that of word 1 to the
/// strides of the set `Strides::of(m)`, all of them alike. Above the ideal rate by about C/m (see
/// the theory `double_hashing_exact`). The base of the double hashings of the catalogue, which add
/// name and summary.
template <class Strides>
struct Strided : SchemeBase {
  static constexpr std::string_view source =
      "Dillinger, Manolios 2004, Bloom filters in probabilistic verification; Kirsch, Mitzenmacher "
      "2006, Less hashing, same performance";
  template <class Reduction>
  static constexpr bool allows = Strides::template allows<Reduction>;

  [[nodiscard]] static constexpr DigestNeed need(int /*k*/) noexcept { return {.words = 2}; }
  [[nodiscard]] static int fingerprint_words(int k) noexcept { return std::min(k, 2); }

  /// `double_hashing_exact` where m and k are in its domain.
  [[nodiscard]] static std::optional<theory::Query> prediction(std::uint64_t m, std::uint64_t n,
                                                               std::uint64_t k) {
    if (m < 1 || m > theory::most_double_hashing_bits || !Strides::has_closed_form(m) || k < 1 ||
        k > theory::most_double_hashing_probes) {
      return std::nullopt;
    }
    return theory::Query{
        "double_hashing_exact",
        {{"m", m}, {"n", n}, {"k", k}, {"stride", std::string(Strides::theory_word)}}};
  }

  template <class Reduction>
  [[nodiscard]] static StridedWalk<Reduction> walk(const DigestBatch& digests,
                                                   std::uint64_t m) noexcept {
    return {digests, m, Strides::of(m)};
  }

  template <class Reduction>
  static void positions(const DigestBatch& digests, std::uint64_t m, int k,
                        std::uint64_t* out) noexcept {
    reduce_words(Reduction(m), digests.word(0), out);
    if (k == 1) return;
    // The stride waits in the last plane until that one is due.
    std::uint64_t* const stride = out + static_cast<std::size_t>(k - 1) * digests.size;
    const StrideSet strides = Strides::of(m);
    reduce_words(Reduction(strides.count), digests.word(1), stride);
    for (std::size_t j = 0; j < digests.size; ++j) {
      stride[j] = strides.first + strides.step * stride[j];
    }
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
