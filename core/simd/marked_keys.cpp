#include "core/simd/marked_keys.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/marked_keys.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

#include "core/simd/lanes-inl.hpp"
#include "core/simd/packing-inl.hpp"
#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
/// The keys of whole vectors; how many they are.
HWY_INLINE std::size_t keep_vectors(const std::uint8_t* marks,
                                    std::span<const std::uint64_t> positions,
                                    const MarkedKeys& from, std::uint8_t least,
                                    const MarkedKeys& to, MarkedCount& count) {
  const hn::ScalableTag<std::uint64_t> d;
  const hn::RebindToSigned<decltype(d)> ds;
  const hn::Repartition<std::uint8_t, decltype(d)> bytes;
  constexpr std::size_t lanes = HWY_MAX_BYTES / sizeof(std::uint64_t);
  const std::uint64_t* const place = positions.data();
  const MarkedKeys in = from;
  const MarkedKeys out = to;
  const auto below_least = hn::Set(ds, static_cast<std::int64_t>(least) - 1);
  auto at_least = hn::Zero(ds);
  std::size_t left = 0;
  std::size_t j = 0;
  for (; j + lanes <= positions.size(); j += lanes) {
    for_each_lane(std::integral_constant<std::size_t, lanes>(), [&](std::size_t lane) HWY_ATTR {
      __builtin_prefetch(marks + place[j + mark_lookahead + lane]);
    });
    // Of the eight bytes that are loaded only the mark meets one that is not 0.
    const auto met = hn::BitCast(bytes, load_eight_bytes(d, marks, place + j));
    const auto before = hn::BitCast(bytes, hn::LoadU(d, in.smallest + j));
    const auto smallest = hn::BitCast(d, hn::Min(met, before));
    const auto dropped = hn::Eq(smallest, hn::Zero(d));
    at_least =
        hn::Sub(at_least, hn::VecFromMask(ds, hn::Gt(hn::BitCast(ds, smallest), below_least)));
    const auto kept = hn::Not(dropped);
    static_cast<void>(store_packed(d, smallest, kept, out.smallest + left));
    left += store_packed(d, hn::LoadU(d, in.keys + j), kept, out.keys + left);
  }
  count = {.left = left,
           .at_least = static_cast<std::size_t>(hn::GetLane(hn::SumOfLanes(ds, at_least)))};
  return j;
}
#else
HWY_INLINE std::size_t keep_vectors(const std::uint8_t* /*marks*/,
                                    std::span<const std::uint64_t> /*positions*/,
                                    const MarkedKeys& /*from*/, std::uint8_t /*least*/,
                                    const MarkedKeys& /*to*/, MarkedCount& /*count*/) {
  return 0;
}
#endif

MarkedCount keep_each(const std::uint8_t* marks, std::span<const std::uint64_t> positions,
                      const MarkedKeys& from, std::uint8_t least, const MarkedKeys& to) {
  MarkedCount count;
  std::size_t j = keep_vectors(marks, positions, from, least, to, count);
  for (; j < positions.size(); ++j) {
    __builtin_prefetch(marks + positions.data()[j + mark_lookahead]);
    const std::uint64_t smallest = std::min<std::uint64_t>(from.smallest[j], marks[positions[j]]);
    // Written always and counted only where it holds: no branch that nobody can predict.
    to.keys[count.left] = from.keys[j];
    to.smallest[count.left] = smallest;
    count.left += smallest != 0 ? 1 : 0;
    count.at_least += smallest >= least ? 1 : 0;
  }
  return count;
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(keep_each);

MarkedCount keep_marked(const std::uint8_t* marks, std::span<const std::uint64_t> positions,
                        const MarkedKeys& from, std::uint8_t least, const MarkedKeys& to) {
  return HWY_DYNAMIC_DISPATCH(keep_each)(marks, positions, from, least, to);
}

}  // namespace bloomlab::simd
#endif
