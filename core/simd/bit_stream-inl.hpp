// BitStream (core/bits/block_layouts.hpp) in lanes: the streams of several digests at once. All
// lanes take equally many bits, so they need a new word at the same time. For kernels only.

#if defined(BLOOMLAB_SIMD_BIT_STREAM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BLOOMLAB_SIMD_BIT_STREAM_INL
#undef BLOOMLAB_SIMD_BIT_STREAM_INL
#else
#define BLOOMLAB_SIMD_BIT_STREAM_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "core/simd/wide_math-inl.hpp"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

/// The streams that are seeded with the lanes of a vector.
template <class D>
class BitStreams {
 public:
  using V = hn::Vec<D>;

  HWY_INLINE BitStreams(D d, V seeds) : d_(d), state_(seeds), word_(hn::Zero(d)) {}

  /// The next word of every lane.
  HWY_INLINE V next_word() {
    state_ = hn::Add(state_, hn::Set(d_, 0x9e3779b97f4a7c15U));
    return splitmix(d_, state_);
  }
  /// The next number of `bits` bits of every lane, 0 .. 63.
  HWY_INLINE V take(unsigned bits) {
    refill(bits);
    const V number = hn::And(word_, hn::Set(d_, (std::uint64_t{1} << bits) - 1));
    word_ = hn::ShiftRightSame(word_, static_cast<int>(bits));
    return number;
  }
  /// take(bits) for a constant.
  template <int Bits>
  HWY_INLINE V take() {
    refill(Bits);
    const V number = hn::And(word_, hn::Set(d_, (std::uint64_t{1} << Bits) - 1));
    word_ = hn::ShiftRight<Bits>(word_);
    return number;
  }

 private:
  HWY_INLINE void refill(unsigned bits) {
    if (left_ < bits) {
      word_ = next_word();
      left_ = 64;
    }
    left_ -= bits;
  }

  D d_;
  V state_;
  V word_;
  unsigned left_ = 0;
};

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif  // per target
