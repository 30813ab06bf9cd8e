// Loops over a few lanes, without a loop where their number is a constant. For kernels only:
// compiled once for every target.

#if defined(BLOOMLAB_SIMD_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BLOOMLAB_SIMD_LANES_INL
#undef BLOOMLAB_SIMD_LANES_INL
#else
#define BLOOMLAB_SIMD_LANES_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <type_traits>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

/// Calls `use(lane)` with 0 .. count - 1, without a loop where the count is a constant.
template <class Use>
HWY_INLINE void for_each_lane(std::size_t count, Use use) {
  for (std::size_t lane = 0; lane < count; ++lane) use(lane);
}
template <std::size_t Count, class Use>
HWY_INLINE void for_each_lane(std::integral_constant<std::size_t, Count> /*count*/, Use use) {
  [&]<std::size_t... Lane>(std::index_sequence<Lane...>) HWY_ATTR __attribute__((always_inline)) {
    (use(Lane), ...);
  }
  (std::make_index_sequence<Count>());
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
