// The multiply-mix hash of many integer keys. A processor multiplies 64-bit numbers in one place
// and vectors in another: beside a vector of four keys go six more the other way, beside one of
// eight eight more, which takes about two thirds of the time of either way alone.

#include "core/simd/multiply_mix.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/multiply_mix.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstddef>

#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
template <class D>
HWY_INLINE void mix_lanes(D d, const std::uint64_t* keys, const MultiplyMixEnd& end,
                          std::uint64_t* out) {
  const auto last = hn::Xor(hn::LoadU(d, keys), hn::Set(d, MultiplyMixEnd::c2));
  const auto inner = multiply_fold(d, last, hn::Set(d, end.factor));
  hn::StoreU(
      multiply_fold(d, hn::Xor(inner, hn::Set(d, end.length)), hn::Set(d, MultiplyMixEnd::c3)), d,
      out);
}
#endif

void mix_keys(std::span<const std::uint64_t> keys, const MultiplyMixEnd& end, std::uint64_t* out) {
  const MultiplyMixEnd mix = end;
  std::size_t j = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t singles = HWY_MAX_BYTES < 64 ? 6 : 8;
  if constexpr (HWY_MAX_BYTES >= 32) {
    for (; j + lanes + singles <= keys.size(); j += lanes + singles) {
      mix_lanes(d, keys.data() + j, mix, out + j);
      for (std::size_t i = 0; i < singles; ++i) out[j + lanes + i] = mix(keys[j + lanes + i]);
    }
  }
#endif
  for (; j < keys.size(); ++j) out[j] = mix(keys[j]);
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(mix_keys);

void multiply_mix(std::span<const std::uint64_t> keys, const MultiplyMixEnd& end,
                  std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(mix_keys)(keys, end, out);
}

}  // namespace bloomlab::simd
#endif
