// Lanes from many places, and lanes packed together. Single loads are faster than the gathers of
// AVX2 and AVX-512 on the processors of AMD. What packs is a permutation from a table, or the
// instruction of AVX-512. Neither by Highway: GCC copies its tables to the stack on every use, and
// the form of that instruction that packs into memory is microcode on the processors of AMD. For
// kernels only: compiled once for every target.

#if defined(BLOOMLAB_SIMD_PACKING_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BLOOMLAB_SIMD_PACKING_INL
#undef BLOOMLAB_SIMD_PACKING_INL
#else
#define BLOOMLAB_SIMD_PACKING_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2
/// For every choice of four lanes of 64 bits the lanes of 32 bits that pack them to the front.
struct PackingTable {
  alignas(32) std::array<std::array<std::uint32_t, 8>, 16> lanes;
};
constexpr PackingTable packing_table() {
  PackingTable table{};
  for (std::uint32_t choice = 0; choice < 16; ++choice) {
    std::size_t packed = 0;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      if ((choice >> lane & 1U) == 0) continue;
      table.lanes[choice][packed++] = 2 * lane;
      table.lanes[choice][packed++] = 2 * lane + 1;
    }
  }
  return table;
}
inline constexpr PackingTable packings = packing_table();

using PackedLanes = hn::FixedTag<std::uint64_t, 4>;

/// The lanes of the mask one after the other, and behind them anything.
HWY_INLINE hn::Vec<PackedLanes> packed(PackedLanes d, hn::Vec<PackedLanes> lanes,
                                       hn::Mask<PackedLanes> mask) {
  const hn::FixedTag<std::uint32_t, 8> halves;
  std::array<std::uint8_t, 8> choice;
  hn::StoreMaskBits(d, mask, choice.data());
  const auto order = hn::SetTableIndices(halves, packings.lanes[choice[0]].data());
  return hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(halves, lanes), order));
}
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
using PackedLanes = hn::FixedTag<std::uint64_t, 8>;

HWY_INLINE hn::Vec<PackedLanes> packed(PackedLanes /*d*/, hn::Vec<PackedLanes> lanes,
                                       hn::Mask<PackedLanes> mask) {
  return {_mm512_maskz_compress_epi64(mask.raw, lanes.raw)};
}
#endif

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
/// Writes the lanes of the mask one after the other; what follows them in the memory of a whole
/// vector becomes anything. @return how many they are
HWY_INLINE std::size_t store_packed(PackedLanes d, hn::Vec<PackedLanes> lanes,
                                    hn::Mask<PackedLanes> mask, std::uint64_t* out) {
  hn::StoreU(packed(d, lanes, mask), d, out);
  return hn::CountTrue(d, mask);
}

/// The vector of at(0), at(1), ..., vectors of one lane.
template <class D, class At>
HWY_INLINE hn::Vec<D> combine_each(D d, const At& at) {
  constexpr std::size_t lanes = HWY_MAX_BYTES / sizeof(std::uint64_t);
  const hn::FixedTag<std::uint64_t, 2> two;
  const hn::FixedTag<std::uint64_t, 4> four;
  const auto half = [&](std::size_t first) HWY_ATTR __attribute__((always_inline)) {
    return hn::Combine(four, hn::Combine(two, at(first + 3), at(first + 2)),
                       hn::Combine(two, at(first + 1), at(first)));
  };
  if constexpr (lanes == 4) {
    static_cast<void>(d);
    return half(0);
  } else {
    return hn::Combine(d, half(4), half(0));
  }
}

/// Words base[places[0]], base[places[1]], ...
template <class D>
HWY_INLINE hn::Vec<D> load_each(D d, const std::uint64_t* base, const std::uint64_t* places) {
  const hn::FixedTag<std::uint64_t, 1> one;
  return combine_each(
      d, [&](std::size_t lane) HWY_ATTR { return hn::LoadU(one, base + places[lane]); });
}

/// The eight bytes from bytes[places[0]], from bytes[places[1]], ...
template <class D>
HWY_INLINE hn::Vec<D> load_eight_bytes(D d, const std::uint8_t* bytes,
                                       const std::uint64_t* places) {
  const hn::FixedTag<std::uint64_t, 1> one;
  const hn::FixedTag<std::uint8_t, 8> eight;
  return combine_each(d, [&](std::size_t lane) HWY_ATTR {
    return hn::BitCast(one, hn::LoadU(eight, bytes + places[lane]));
  });
}
#endif

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
