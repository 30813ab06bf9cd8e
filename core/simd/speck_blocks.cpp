#include "core/simd/speck_blocks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/speck_blocks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <type_traits>

#include "core/simd/lanes-inl.hpp"
#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
/// Every lane turned right by a byte, which a permutation of bytes does at once where a target
/// cannot rotate.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V turn_right_by_8(D d, V lanes) {
  const hn::Repartition<std::uint8_t, D> bytes;
  alignas(16) static constexpr std::array<std::uint8_t, 16> turned = {1, 2,  3,  0, 5,  6,  7,  4,
                                                                      9, 10, 11, 8, 13, 14, 15, 12};
  const auto order = hn::LoadDup128(bytes, turned.data());
  return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, lanes), order));
}

/// The low halves of `low` in the even lanes, those of `high` in the odd ones; and the other way
/// round with the high halves of both.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V low_halves(D d, V even, V odd) {
  const hn::Repartition<std::uint64_t, D> wide;
  return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(hn::BitCast(wide, odd))), even);
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V high_halves(D d, V even, V odd) {
  const hn::Repartition<std::uint64_t, D> wide;
  return hn::OddEven(odd, hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, even))));
}

std::size_t encrypt_each(std::span<const std::uint32_t> round_keys,
                         std::span<std::uint64_t> blocks) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::Repartition<std::uint64_t, decltype(d)> wide;
  using Halves = hn::Vec<decltype(d)>;
  // So many vectors of either half: an operation waits for the one before it, not for the others'.
  constexpr std::size_t vectors = 4;
  constexpr std::integral_constant<std::size_t, vectors> each;
  const std::size_t lanes = hn::Lanes(wide);
  const std::size_t group = 2 * vectors * lanes;
  std::uint64_t* block = blocks.data();
  std::size_t done = 0;
  for (; done + group <= blocks.size(); done += group, block += group) {
    Halves high[vectors];
    Halves low[vectors];
    for_each_lane(each, [&](std::size_t v) HWY_ATTR {
      const auto even = hn::BitCast(d, hn::LoadU(wide, block + 2 * v * lanes));
      const auto odd = hn::BitCast(d, hn::LoadU(wide, block + (2 * v + 1) * lanes));
      low[v] = low_halves(d, even, odd);
      high[v] = high_halves(d, even, odd);
    });
    for (const std::uint32_t round_key : round_keys) {
      const auto key = hn::Set(d, round_key);
      for_each_lane(each, [&](std::size_t v) HWY_ATTR {
        high[v] = hn::Xor(hn::Add(turn_right_by_8(d, high[v]), low[v]), key);
        low[v] = hn::Xor(hn::RotateRight<29>(low[v]), high[v]);
      });
    }
    for_each_lane(each, [&](std::size_t v) HWY_ATTR {
      const auto even = low_halves(d, low[v], high[v]);
      const auto odd = high_halves(d, low[v], high[v]);
      hn::StoreU(hn::BitCast(wide, even), wide, block + 2 * v * lanes);
      hn::StoreU(hn::BitCast(wide, odd), wide, block + (2 * v + 1) * lanes);
    });
  }
  return done;
}
#else
std::size_t encrypt_each(std::span<const std::uint32_t> /*round_keys*/,
                         std::span<std::uint64_t> /*blocks*/) {
  return 0;
}
#endif

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(encrypt_each);

std::size_t encrypt_groups(std::span<const std::uint32_t> round_keys,
                           std::span<std::uint64_t> blocks) {
  return HWY_DYNAMIC_DISPATCH(encrypt_each)(round_keys, blocks);
}

}  // namespace bloomlab::simd
#endif
