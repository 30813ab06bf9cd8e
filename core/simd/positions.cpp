#include "core/simd/positions.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/positions.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <type_traits>

#include "core/probe/remix.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/simd/remix_words-inl.hpp"
#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
using PositionLanes = hn::ScalableTag<std::uint64_t>;

/// Whether vectors give these positions, and in less time than the processor's own products of 64
/// bits, which those of two lanes do not.
bool in_vectors(std::uint64_t m) { return m >> 32 == 0 && hn::Lanes(PositionLanes()) > 2; }
#endif

/// The positions of all words, which become those of the next probe unless they are constant.
template <class Word>
HWY_INLINE void derive(std::span<Word> words, std::uint64_t m, std::uint64_t* positions) {
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

void reduce_each(std::span<const std::uint64_t> words, std::uint64_t m, std::uint64_t* positions) {
  derive(words, m, positions);
}

void step_each(std::span<std::uint64_t> words, std::uint64_t m, std::uint64_t* positions) {
  derive(words, m, positions);
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(reduce_each);
HWY_EXPORT(step_each);

void reduce_words(std::span<const std::uint64_t> words, std::uint64_t m, std::uint64_t* positions) {
  HWY_DYNAMIC_DISPATCH(reduce_each)(words, m, positions);
}

void step_remixed(std::span<std::uint64_t> words, std::uint64_t m, std::uint64_t* positions) {
  HWY_DYNAMIC_DISPATCH(step_each)(words, m, positions);
}

}  // namespace bloomlab::simd
#endif
