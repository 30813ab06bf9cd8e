// Arithmetic on lanes of 64 bits that instruction sets lack: products of 64-bit numbers from
// products of 32-bit ones; and 64-bit words as lanes of 32 bits. For kernels only: compiled once
// for every target.

#if defined(BLOOMLAB_SIMD_WIDE_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BLOOMLAB_SIMD_WIDE_MATH_INL
#undef BLOOMLAB_SIMD_WIDE_MATH_INL
#else
#define BLOOMLAB_SIMD_WIDE_MATH_INL
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The target has vectors; where not, kernels use the scalar reference.
inline constexpr bool has_vectors = HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128;

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

/// The halves of 64-bit words in memory as lanes, the lower half first. They are read as the words
/// that stand there: by a pointer to 32-bit words the compiler may take them for other memory.
template <class D>
HWY_INLINE hn::Vec<D> load_halves(D d, const std::uint64_t* words) {
  return hn::BitCast(d, hn::LoadU(hn::Repartition<std::uint64_t, D>(), words));
}
/// Lanes as the halves of 64-bit words, into memory.
template <class D>
HWY_INLINE void store_halves(D /*d*/, hn::Vec<D> lanes, std::uint64_t* words) {
  const hn::Repartition<std::uint64_t, D> whole;
  hn::StoreU(hn::BitCast(whole, lanes), whole, words);
}

/// Products of the low halves of the lanes.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V multiply_low_halves(D d, V a, V b) {
  const hn::Repartition<std::uint32_t, D> halves;
  return hn::BitCast(d, hn::MulEven(hn::BitCast(halves, a), hn::BitCast(halves, b)));
}

/// The low 64 bits of a b.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V multiply_low(D d, V a, V b) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  static_cast<void>(d);
  return hn::Mul(a, b);
#else
  const V cross = hn::Add(multiply_low_halves(d, hn::ShiftRight<32>(a), b),
                          multiply_low_halves(d, a, hn::ShiftRight<32>(b)));
  return hn::Add(multiply_low_halves(d, a, b), hn::ShiftLeft<32>(cross));
#endif
}

/// floor(a b / 2^64) for b below 2^32: exact, as the cut-off parts cannot carry.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V multiply_high_by_32(D d, V a, V b) {
  const V low = hn::ShiftRight<32>(multiply_low_halves(d, a, b));
  return hn::ShiftRight<32>(hn::Add(multiply_low_halves(d, hn::ShiftRight<32>(a), b), low));
}

/// The high half of a b, xored with the low one.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V multiply_fold(D d, V a, V b) {
  const V a_high = hn::ShiftRight<32>(a);
  const V b_high = hn::ShiftRight<32>(b);
  const V low_half = hn::Set(d, 0xffffffffU);
  const V low_low = multiply_low_halves(d, a, b);
  // Neither sum overflows: (2^32 - 1)^2 + 2^32 - 1 < 2^64.
  const V middle = hn::Add(multiply_low_halves(d, a_high, b), hn::ShiftRight<32>(low_low));
  const V carry = hn::Add(multiply_low_halves(d, a, b_high), hn::And(middle, low_half));
  const V high =
      hn::Add(hn::Add(multiply_low_halves(d, a_high, b_high), hn::ShiftRight<32>(middle)),
              hn::ShiftRight<32>(carry));
  return hn::Xor(high, hn::Or(hn::ShiftLeft<32>(carry), hn::And(low_low, low_half)));
}

/// The output function of splitmix64 (core/bits/block_layouts.hpp, BitStream).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V splitmix(D d, V state) {
  V mixed =
      multiply_low(d, hn::Xor(state, hn::ShiftRight<30>(state)), hn::Set(d, 0xbf58476d1ce4e5b9U));
  mixed =
      multiply_low(d, hn::Xor(mixed, hn::ShiftRight<27>(mixed)), hn::Set(d, 0x94d049bb133111ebU));
  return hn::Xor(mixed, hn::ShiftRight<31>(mixed));
}

#endif

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
