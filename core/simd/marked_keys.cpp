#include "core/simd/marked_keys.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/marked_keys.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <type_traits>

#include "core/simd/lanes-inl.hpp"
#include "core/simd/packing-inl.hpp"
#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
/// The keys of whole vectors, each of which meets `Met` marks; how many they are.
template <std::size_t Met, bool Hint>
HWY_INLINE std::size_t keep_vectors(const std::uint8_t* marks, const MarkPositions& positions,
                                    const MarkedKeys& from, std::uint8_t least, const KeptKeys& to,
                                    MarkedCount& count) {
  const hn::ScalableTag<std::uint64_t> d;
  const hn::RebindToSigned<decltype(d)> ds;
  const hn::Repartition<std::uint8_t, decltype(d)> bytes;
  using Counts = hn::Vec<decltype(ds)>;
  constexpr std::size_t lanes = HWY_MAX_BYTES / sizeof(std::uint64_t);
  constexpr std::integral_constant<std::size_t, Met> every_mark;
  const std::uint64_t* const place = positions.positions;
  const std::size_t keys = positions.keys;
  const MarkedKeys in = from;
  const KeptKeys out = to;
  // Not std::array: its constructor is compiled for any processor.
  Counts below_least[Met];
  Counts at_least[Met];
  for_each_lane(every_mark, [&](std::size_t i) HWY_ATTR {
    below_least[i] = hn::Set(ds, static_cast<std::int64_t>(least - i) - 1);
    at_least[i] = hn::Zero(ds);
  });
  std::size_t left = 0;
  std::size_t j = 0;
  for (; j + lanes <= keys; j += lanes) {
    auto smallest = hn::BitCast(bytes, hn::LoadU(d, in.smallest + j));
    for_each_lane(every_mark, [&](std::size_t i) HWY_ATTR {
      const std::uint64_t* const here = place + i * keys + j;
      if constexpr (Hint) {
        // Not by a function: GCC takes one that does nothing but hint for one that does nothing.
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          __builtin_prefetch(marks + here[mark_lookahead + lane]);
        }
      }
      // Of the eight bytes that are loaded only the mark meets one that is not 0.
      smallest = hn::Min(smallest, hn::BitCast(bytes, load_eight_bytes(d, marks, here)));
      const auto reached = hn::Gt(hn::BitCast(ds, smallest), below_least[i]);
      at_least[i] = hn::Sub(at_least[i], hn::VecFromMask(ds, reached));
    });
    const auto kept = hn::Not(hn::Eq(hn::BitCast(d, smallest), hn::Zero(d)));
    static_cast<void>(store_packed(d, hn::BitCast(d, smallest), kept, out.smallest + left));
    left += store_packed(d, hn::LoadU(d, in.keys + j), kept, out.keys + left);
  }
  count.left = left;
  for_each_lane(every_mark, [&](std::size_t i) HWY_ATTR {
    count.at_least[i] = static_cast<std::size_t>(hn::GetLane(hn::SumOfLanes(ds, at_least[i])));
  });
  return j;
}
#else
template <std::size_t Met, bool Hint>
HWY_INLINE std::size_t keep_vectors(const std::uint8_t* /*marks*/,
                                    const MarkPositions& /*positions*/, const MarkedKeys& /*from*/,
                                    std::uint8_t /*least*/, const KeptKeys& /*to*/,
                                    MarkedCount& /*count*/) {
  return 0;
}
#endif

template <std::size_t Met, bool Hint>
HWY_INLINE MarkedCount keep_those(const std::uint8_t* marks, const MarkPositions& positions,
                                  const MarkedKeys& from, std::uint8_t least, const KeptKeys& to) {
  MarkedCount count;
  std::size_t j = keep_vectors<Met, Hint>(marks, positions, from, least, to, count);
  for (; j < positions.keys; ++j) {
    std::uint64_t smallest = from.smallest[j];
    for (std::size_t i = 0; i < Met; ++i) {
      const std::uint64_t* const here = positions.positions + i * positions.keys + j;
      if constexpr (Hint) __builtin_prefetch(marks + here[mark_lookahead]);
      smallest = std::min<std::uint64_t>(smallest, marks[*here]);
      count.at_least[i] += smallest >= least - i ? 1 : 0;
    }
    // Written always and counted only where it holds: no branch that nobody can predict.
    to.keys[count.left] = from.keys[j];
    to.smallest[count.left] = smallest;
    count.left += smallest != 0 ? 1 : 0;
  }
  return count;
}

template <bool Hint>
HWY_INLINE MarkedCount keep_some(const std::uint8_t* marks, const MarkPositions& positions,
                                 const MarkedKeys& from, std::uint8_t least, const KeptKeys& to) {
  switch (positions.marks_met) {
    case 1:
      return keep_those<1, Hint>(marks, positions, from, least, to);
    case 2:
      return keep_those<2, Hint>(marks, positions, from, least, to);
    default:
      return keep_those<4, Hint>(marks, positions, from, least, to);
  }
}

MarkedCount keep_each(const std::uint8_t* marks, const MarkPositions& positions,
                      const MarkedKeys& from, std::uint8_t least, const KeptKeys& to) {
  return positions.in_memory ? keep_some<true>(marks, positions, from, least, to)
                             : keep_some<false>(marks, positions, from, least, to);
}

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
/// Adds to at_least[i] how many of whole vectors of marks are `most` - i or more, for `Numbers` of
/// them; how many marks the vectors are.
template <std::size_t Numbers>
HWY_INLINE std::size_t count_vectors(std::span<const std::uint8_t> marks, std::uint8_t most,
                                     std::uint64_t* at_least) {
  const hn::ScalableTag<std::uint8_t> d;
  const hn::Repartition<std::uint64_t, decltype(d)> sums;
  using Bytes = hn::Vec<decltype(d)>;
  constexpr std::integral_constant<std::size_t, Numbers> every_number;
  constexpr std::size_t most_in_a_byte = 255;
  const auto one = hn::Set(d, 1);
  Bytes below[Numbers];
  for_each_lane(every_number, [&](std::size_t i) HWY_ATTR {
    below[i] = hn::Set(d, static_cast<std::uint8_t>(most - i - 1));
  });
  const std::size_t vectors = marks.size() / hn::Lanes(d);
  for (std::size_t first = 0; first < vectors; first += most_in_a_byte) {
    const std::size_t end = std::min(vectors, first + most_in_a_byte);
    Bytes counts[Numbers];
    for_each_lane(every_number, [&](std::size_t i) HWY_ATTR { counts[i] = hn::Zero(d); });
    for (std::size_t v = first; v < end; ++v) {
      const auto mark = hn::LoadU(d, marks.data() + v * hn::Lanes(d));
      for_each_lane(
          every_number, [&](std::size_t i) HWY_ATTR __attribute__((always_inline)) {
            counts[i] = hn::Add(counts[i], hn::Min(hn::SaturatedSub(mark, below[i]), one));
          });
    }
    for_each_lane(every_number, [&](std::size_t i) HWY_ATTR {
      at_least[i] += hn::GetLane(hn::SumOfLanes(sums, hn::SumsOf8(counts[i])));
    });
  }
  return vectors * hn::Lanes(d);
}
#else
template <std::size_t Numbers>
HWY_INLINE std::size_t count_vectors(std::span<const std::uint8_t> /*marks*/, std::uint8_t /*most*/,
                                     std::uint64_t* /*at_least*/) {
  return 0;
}
#endif

template <std::size_t Numbers>
HWY_INLINE void count_some(std::span<const std::uint8_t> marks, std::uint8_t most,
                           std::uint64_t* at_least) {
  std::size_t j = count_vectors<Numbers>(marks, most, at_least);
  for (; j < marks.size(); ++j) {
    for (std::size_t i = 0; i < Numbers; ++i) at_least[i] += marks[j] >= most - i ? 1 : 0;
  }
}

void count_each(std::span<const std::uint8_t> marks, std::uint8_t most,
                std::span<std::uint64_t> at_least) {
  // In passes over parts that stay in the nearest cache, for some numbers each.
  constexpr std::size_t part = 8192;
  constexpr std::size_t at_once = 5;
  std::ranges::fill(at_least, 0);
  for (std::size_t first = 0; first < marks.size(); first += part) {
    const auto these = marks.subspan(first, std::min(part, marks.size() - first));
    std::size_t i = 0;
    for (; i + at_once <= at_least.size(); i += at_once) {
      count_some<at_once>(these, static_cast<std::uint8_t>(most - i), at_least.data() + i);
    }
    for (; i < at_least.size(); ++i) {
      count_some<1>(these, static_cast<std::uint8_t>(most - i), at_least.data() + i);
    }
  }
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(keep_each);
HWY_EXPORT(count_each);

MarkedCount keep_marked(const std::uint8_t* marks, const MarkPositions& positions,
                        const MarkedKeys& from, std::uint8_t least, const KeptKeys& to) {
  assert(std::has_single_bit(positions.marks_met) && positions.marks_met <= max_marks_met);
  assert(least >= positions.marks_met);
  return HWY_DYNAMIC_DISPATCH(keep_each)(marks, positions, from, least, to);
}

void count_marks(std::span<const std::uint8_t> marks, std::uint8_t most,
                 std::span<std::uint64_t> at_least) {
  assert(at_least.size() <= most);
  HWY_DYNAMIC_DISPATCH(count_each)(marks, most, at_least);
}

}  // namespace bloomlab::simd
#endif
