// The words of the probe `remix` in vectors. For kernels only: compiled once for every target.

#if defined(BLOOMLAB_SIMD_REMIX_WORDS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BLOOMLAB_SIMD_REMIX_WORDS_INL
#undef BLOOMLAB_SIMD_REMIX_WORDS_INL
#else
#define BLOOMLAB_SIMD_REMIX_WORDS_INL
#endif

#include <hwy/highway.h>

#include "core/probe/remix.hpp"
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
#endif

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
