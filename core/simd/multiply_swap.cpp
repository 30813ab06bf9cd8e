// The multiply-swap hash of many integer keys: three instructions a round for as many keys as a
// vector holds.

#include "core/simd/multiply_swap.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/multiply_swap.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstddef>

#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

void swap_keys(std::span<const std::uint64_t> keys, const MultiplySwap& of_keys,
               std::uint64_t* out) {
  const MultiplySwap hash = of_keys;
  std::size_t j = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const hn::ScalableTag<std::uint64_t> d;
  const hn::Repartition<std::uint32_t, decltype(d)> halves;
  const auto round = [&](auto word, auto factor) HWY_ATTR __attribute__((always_inline)) {
    const auto product = multiply_low_halves(d, word, factor);
    return hn::BitCast(d, hn::Shuffle2301(hn::BitCast(halves, hn::Xor(word, product))));
  };
  const auto flip = hn::Set(d, hash.flip);
  // Each in a register of its own: an array of them would be read from memory in a loop.
  static_assert(MultiplySwap::factors.size() == 5);
  const auto factor_0 = hn::Set(d, MultiplySwap::factors[0]);
  const auto factor_1 = hn::Set(d, MultiplySwap::factors[1]);
  const auto factor_2 = hn::Set(d, MultiplySwap::factors[2]);
  const auto factor_3 = hn::Set(d, MultiplySwap::factors[3]);
  const auto factor_4 = hn::Set(d, MultiplySwap::factors[4]);
  for (; j + hn::Lanes(d) <= keys.size(); j += hn::Lanes(d)) {
    auto word = hn::Xor(hn::LoadU(d, keys.data() + j), flip);
    word = round(word, factor_0);
    word = round(word, factor_1);
    word = round(word, factor_2);
    word = round(word, factor_3);
    word = round(word, factor_4);
    hn::StoreU(word, d, out + j);
  }
#endif
  for (; j < keys.size(); ++j) out[j] = hash(keys[j]);
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(swap_keys);

void multiply_swap(std::span<const std::uint64_t> keys, const MultiplySwap& of_keys,
                   std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(swap_keys)(keys, of_keys, out);
}

}  // namespace bloomlab::simd
#endif
