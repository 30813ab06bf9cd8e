// A position of every word, and the words of the probe `remix` that follow: the loop of
// core/simd/positions.hpp. For kernels only: compiled once for every target.

#if defined(BLOOMLAB_SIMD_POSITIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BLOOMLAB_SIMD_POSITIONS_INL
#undef BLOOMLAB_SIMD_POSITIONS_INL
#else
#define BLOOMLAB_SIMD_POSITIONS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/probe/remix.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
/// Remix::next() of all lanes.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V next_words(D d, V words) {
  const V mixed = hn::Xor(words, hn::ShiftRight<32>(words));
  return hn::Add(multiply_low(d, mixed, hn::Set(d, Remix::multiplier)),
                 hn::Set(d, Remix::increment));
}

using PositionLanes = hn::ScalableTag<std::uint64_t>;

/// Whether vectors give these positions, and in less time than the processor's own products of 64
/// bits, which those of two lanes do not.
HWY_INLINE bool in_vectors(std::uint64_t m) {
  return m >> 32 == 0 && hn::Lanes(PositionLanes()) > 2;
}
#endif

/// The positions of all words, which become those of the next probe unless they are constant.
template <class Word>
HWY_INLINE void derive_positions(std::span<Word> words, std::uint64_t m, std::uint64_t* positions) {
  constexpr bool steps = !std::is_const_v<Word>;
  std::size_t j = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const PositionLanes d;
  if (in_vectors(m)) {
    for (; j + hn::Lanes(d) <= words.size(); j += hn::Lanes(d)) {
      const auto word = hn::LoadU(d, words.data() + j);
      hn::StoreU(multiply_high_by_32(d, word, hn::Set(d, m)), d, positions + j);
      if constexpr (steps) hn::StoreU(next_words(d, word), d, words.data() + j);
    }
  }
#endif
  for (; j < words.size(); ++j) {
    positions[j] = multiply_high(words[j], m);
    if constexpr (steps) words[j] = Remix::next(words[j]);
  }
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
