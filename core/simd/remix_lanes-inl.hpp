// What lookups and inserts of core/simd/remix_rounds.hpp share. For kernels only: compiled once for
// every target.

#if defined(BLOOMLAB_SIMD_REMIX_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BLOOMLAB_SIMD_REMIX_LANES_INL
#undef BLOOMLAB_SIMD_REMIX_LANES_INL
#else
#define BLOOMLAB_SIMD_REMIX_LANES_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "core/simd/wide_math-inl.hpp"
#include "core/simd/word_step.hpp"

// Whether the target has vectors that are worth it.
#undef BLOOMLAB_REMIX_VECTORS
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define BLOOMLAB_REMIX_VECTORS 1
#else
#define BLOOMLAB_REMIX_VECTORS 0
#endif

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

using RemixLanes = hn::ScalableTag<std::uint64_t>;
inline constexpr std::size_t remix_lanes = HWY_MAX_BYTES / sizeof(std::uint64_t);

/// Asks for the memory of the bit at a position.
HWY_INLINE void ask_for_bit(const std::uint64_t* filter, std::uint64_t position) {
  __builtin_prefetch(filter + position / 64, 0, 2);
}

/// Calls `use` with the step from a key's word to its next one: a single product where it is no
/// more.
template <class Use>
HWY_INLINE decltype(auto) use_step(const WordStep& step, const Use& use) {
  if (step.folded == 0 && step.increment == 0) {
    return use([multiplier = step.multiplier](std::uint64_t word) { return word * multiplier; });
  }
  return use([step](std::uint64_t word) { return step.next(word); });
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
