// BitStream (core/filters/block_layouts.hpp) in lanes: the streams of several digests at once. All
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

#include "core/simd/block_kernels.hpp"
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

/// The first words of the blocks that multiply-shift gives `group_keys` digests, for fewer than
/// 2^32 blocks of `words` words.
HWY_INLINE void locate_narrow(const std::uint64_t* digests, std::uint64_t blocks,
                              std::uint64_t words, std::uint64_t* begins) {
  const hn::CappedTag<std::uint64_t, group_keys> d;
  for (std::size_t i = 0; i < group_keys; i += hn::Lanes(d)) {
    const auto block = multiply_high_by_32(d, hn::LoadU(d, digests + i), hn::Set(d, blocks));
    hn::StoreU(multiply_low_halves(d, block, hn::Set(d, words)), d, begins + i);
  }
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif  // per target
