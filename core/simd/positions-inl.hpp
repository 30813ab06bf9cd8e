// A position of every word, and the words of the next probes: the loop of
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

#include "core/bits/wide_product.hpp"
#include "core/simd/wide_math-inl.hpp"
#include "core/simd/word_step.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
/// step.next() of all lanes.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V next_words(D d, const WordStep& step, V words) {
  const V folded = hn::And(hn::ShiftRight<32>(words), hn::Set(d, step.folded));
  const V mixed = hn::Xor(words, folded);
  return hn::Add(multiply_low(d, mixed, hn::Set(d, step.multiplier)), hn::Set(d, step.increment));
}

using PositionLanes = hn::ScalableTag<std::uint64_t>;

/// Whether vectors give these positions, and in less time than the processor's own products of 64
/// bits, which those of two lanes do not.
HWY_INLINE bool in_vectors(std::uint64_t m) {
  return m >> 32 == 0 && hn::Lanes(PositionLanes()) > 2;
}
#endif

/// When words become those of the next probe. Before the positions only those steps are made that
/// somebody needs; after them neither has to wait for the other, which pays where no key drops out.
enum class Steps { never, before, after };

/// The positions of all words. Unless Steps::never, writes the words of the next probe to `next`,
/// which may be where `words` are.
template <Steps When>
HWY_INLINE void derive_positions(std::span<const std::uint64_t> words, const WordStep& step,
                                 std::uint64_t m, std::uint64_t* next, std::uint64_t* positions) {
  std::size_t j = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const PositionLanes d;
  if (in_vectors(m)) {
    for (; j + hn::Lanes(d) <= words.size(); j += hn::Lanes(d)) {
      auto word = hn::LoadU(d, words.data() + j);
      if constexpr (When == Steps::before) word = next_words(d, step, word);
      hn::StoreU(multiply_high_by_32(d, word, hn::Set(d, m)), d, positions + j);
      if constexpr (When == Steps::after) word = next_words(d, step, word);
      if constexpr (When != Steps::never) hn::StoreU(word, d, next + j);
    }
  }
#endif
  for (; j < words.size(); ++j) {
    std::uint64_t word = words[j];
    if constexpr (When == Steps::before) word = step.next(word);
    positions[j] = multiply_high(word, m);
    if constexpr (When == Steps::after) word = step.next(word);
    if constexpr (When != Steps::never) next[j] = word;
  }
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
