// Lanes from many places, and lanes packed together: what AVX-512 has instructions for. On AVX2
// single loads are faster than its gather on the processors of AMD, and a permutation from a table
// packs. Neither by Highway: GCC copies its tables to the stack on every use, and the form of
// AVX-512's instruction that packs into memory is microcode on the processors of AMD. For kernels
// only: compiled once for every target.

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

/// The vector of at(0), at(1), at(2), at(3), vectors of one lane.
template <class At>
HWY_INLINE hn::Vec<hn::FixedTag<std::uint64_t, 4>> combine_each(hn::FixedTag<std::uint64_t, 4> d,
                                                                const At& at) {
  const hn::FixedTag<std::uint64_t, 2> two;
  return hn::Combine(d, hn::Combine(two, at(3), at(2)), hn::Combine(two, at(1), at(0)));
}

/// Words base[places[0]], base[places[1]], ...
HWY_INLINE hn::Vec<hn::FixedTag<std::uint64_t, 4>> load_each(hn::FixedTag<std::uint64_t, 4> d,
                                                             const std::uint64_t* base,
                                                             const std::uint64_t* places) {
  const hn::FixedTag<std::uint64_t, 1> one;
  return combine_each(
      d, [&](std::size_t lane) HWY_ATTR { return hn::LoadU(one, base + places[lane]); });
}

/// The words of `bits` that hold bit positions[0], bit positions[1], ...
HWY_INLINE hn::Vec<hn::FixedTag<std::uint64_t, 4>> load_words(hn::FixedTag<std::uint64_t, 4> d,
                                                              const std::uint64_t* bits,
                                                              const std::uint64_t* positions) {
  const hn::FixedTag<std::uint64_t, 1> one;
  return combine_each(
      d, [&](std::size_t lane) HWY_ATTR { return hn::LoadU(one, bits + positions[lane] / 64); });
}

/// The eight bytes from bytes[places[0]], from bytes[places[1]], ...
HWY_INLINE hn::Vec<hn::FixedTag<std::uint64_t, 4>> load_eight_bytes(
    hn::FixedTag<std::uint64_t, 4> d, const std::uint8_t* bytes, const std::uint64_t* places) {
  const hn::FixedTag<std::uint64_t, 1> one;
  const hn::FixedTag<std::uint8_t, 8> eight;
  return combine_each(d, [&](std::size_t lane) HWY_ATTR {
    return hn::BitCast(one, hn::LoadU(eight, bytes + places[lane]));
  });
}

/// Writes the lanes of the mask one after the other; what follows them in the memory of a whole
/// vector becomes anything. @return how many they are
template <class Mask>
HWY_INLINE std::size_t store_packed(hn::FixedTag<std::uint64_t, 4> d,
                                    hn::Vec<hn::FixedTag<std::uint64_t, 4>> lanes, Mask mask,
                                    std::uint64_t* out) {
  const hn::FixedTag<std::uint32_t, 8> halves;
  std::array<std::uint8_t, 8> choice;
  hn::StoreMaskBits(d, mask, choice.data());
  const auto order = hn::SetTableIndices(halves, packings.lanes[choice[0]].data());
  hn::StoreU(hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(halves, lanes), order)), d, out);
  return static_cast<std::size_t>(std::popcount(choice[0]));
}
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
template <class D>
HWY_INLINE hn::Vec<D> load_each(D d, const std::uint64_t* base, const std::uint64_t* places) {
  const hn::RebindToSigned<D> indices;
  return hn::GatherIndex(d, base, hn::BitCast(indices, hn::LoadU(d, places)));
}

template <class D>
HWY_INLINE hn::Vec<D> load_words(D d, const std::uint64_t* bits, const std::uint64_t* positions) {
  const hn::RebindToSigned<D> indices;
  const auto words = hn::ShiftRight<6>(hn::LoadU(d, positions));
  return hn::GatherIndex(d, bits, hn::BitCast(indices, words));
}

template <class D>
HWY_INLINE hn::Vec<D> load_eight_bytes(D d, const std::uint8_t* bytes,
                                       const std::uint64_t* places) {
  const hn::RebindToSigned<D> offsets;
  return hn::GatherOffset(d, reinterpret_cast<const std::uint64_t*>(bytes),
                          hn::BitCast(offsets, hn::LoadU(d, places)));
}

template <class D, class Mask>
HWY_INLINE std::size_t store_packed(D d, hn::Vec<D> lanes, Mask mask, std::uint64_t* out) {
  hn::StoreU(hn::Vec<D>{_mm512_maskz_compress_epi64(mask.raw, lanes.raw)}, d, out);
  return hn::CountTrue(d, mask);
}
#endif

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
