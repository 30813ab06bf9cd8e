// The kernel of the split-block filter: a key's eight bits are made, tested and set at once.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/lane_blocks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>

#include "core/simd/block_kernels.hpp"
#include "core/simd/block_pipeline-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
using LaneKernel = ReferenceKernel<LaneBlocks>;
#else
class LaneKernel {
 public:
  static constexpr bool few_go_nearest = true;

  explicit LaneKernel(const LaneBlocks& layout) : blocks_(layout.blocks) {}

  HWY_INLINE void locate(const std::uint64_t* digests, std::size_t groups,
                         std::uint64_t* begins) const {
    locate_halves<2>(digests, groups, blocks_, begins);
  }
  HWY_INLINE void prepare(const std::uint64_t* digests) { digests_ = digests; }

  HWY_INLINE bool test(const std::uint64_t* block, std::size_t lane) const {
    const Lanes d;
    bool all = true;
    for (std::size_t i = 0; i < LaneBlocks::lanes; i += hn::Lanes(d)) {
      all &= has_all(load_halves(d, block + i / 2), mask(lane, i));
    }
    return all;
  }
  HWY_INLINE void set(std::uint64_t* block, std::size_t lane) const {
    const Lanes d;
    for (std::size_t i = 0; i < LaneBlocks::lanes; i += hn::Lanes(d)) {
      store_halves(d, hn::Or(load_halves(d, block + i / 2), mask(lane, i)), block + i / 2);
    }
  }

 private:
  using Lanes = hn::CappedTag<std::uint32_t, LaneBlocks::lanes>;

  /// Whether all of the bits are set in these lanes of a block.
  static HWY_INLINE bool has_all(hn::Vec<Lanes> lanes, hn::Vec<Lanes> bits) {
#if HWY_TARGET == HWY_AVX2
    return _mm256_testc_si256(lanes.raw, bits.raw) != 0;  // one instruction in place of three
#else
    const Lanes d;
    return hn::AllTrue(d, hn::Eq(hn::AndNot(lanes, bits), hn::Zero(d)));
#endif
  }
  /// The bits of the key in lanes `first` and following.
  HWY_INLINE hn::Vec<Lanes> mask(std::size_t lane, std::size_t first) const {
    const Lanes d;
    const auto low = hn::Set(d, static_cast<std::uint32_t>(digests_[lane]));
    const auto salts = hn::LoadU(d, LaneBlocks::salts.data() + first);
    return hn::Shl(hn::Set(d, 1U), hn::ShiftRight<27>(hn::Mul(low, salts)));
  }

  std::uint64_t blocks_;
  const std::uint64_t* digests_ = nullptr;
};
#endif

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
/// Twice the salts, for two keys, and for each of four pairs where the low halves of its digests
/// stand among those of eight keys.
using LanePair = std::array<std::uint32_t, 2 * LaneBlocks::lanes>;
constexpr LanePair lane_pair(std::uint32_t pair) {
  LanePair row{};
  for (std::size_t lane = 0; lane < row.size(); ++lane) {
    row[lane] = 4 * pair + (lane < LaneBlocks::lanes ? 0 : 2);
  }
  return row;
}
constexpr LanePair twice_the_salts() {
  LanePair row{};
  for (std::size_t lane = 0; lane < row.size(); ++lane) {
    row[lane] = LaneBlocks::salts[lane % LaneBlocks::lanes];
  }
  return row;
}
alignas(64) inline constexpr LanePair pair_salts = twice_the_salts();
alignas(64) inline constexpr std::array<LanePair, 4> pair_lows = {lane_pair(0), lane_pair(1),
                                                                  lane_pair(2), lane_pair(3)};

/// Two keys in a vector: their bits are made and tested together.
class LanePairKernel : public LaneKernel {
 public:
  explicit LanePairKernel(const LaneBlocks& layout) : LaneKernel(layout) {}

  HWY_INLINE void prepare(const std::uint64_t* digests) {
    const Lanes d;
    const auto all = hn::BitCast(d, hn::LoadU(hn::Repartition<std::uint64_t, Lanes>(), digests));
    for_each_lane(std::integral_constant<std::size_t, pairs>(), [&](std::size_t pair) HWY_ATTR {
      const auto low = hn::TableLookupLanes(all, hn::SetTableIndices(d, pair_lows[pair].data()));
      const auto bit = hn::ShiftRight<27>(hn::Mul(low, hn::Load(d, pair_salts.data())));
      hn::Store(hn::Shl(hn::Set(d, 1U), bit), d, masks_[pair].data());
    });
  }

  template <class Hint>
  HWY_INLINE std::uint64_t answer_group(const std::uint64_t* filter, const std::uint64_t* begins,
                                        Hint hint) const {
    const auto of_pair = [&](std::size_t pair) HWY_ATTR __attribute__((always_inline)) {
      const Lanes d;
      const hn::Half<Lanes> half;
      hint(2 * pair);
      hint(2 * pair + 1);
      const auto one = load_halves(half, filter + begins[2 * pair]);
      const auto other = load_halves(half, filter + begins[2 * pair + 1]);
      const auto blocks = hn::Combine(d, other, one);
      return hn::TestBit(blocks, hn::Load(d, masks_[pair].data())).raw;
    };
    // A byte per key, a bit for each of its lanes: of the bytes whose bits are all set, one is
    // left.
    std::uint64_t lanes = _cvtmask64_u64(_mm512_kunpackd(_mm512_kunpackw(of_pair(3), of_pair(2)),
                                                         _mm512_kunpackw(of_pair(1), of_pair(0))));
    lanes &= lanes >> 4;
    lanes &= lanes >> 2;
    lanes &= lanes >> 1;
    return lanes & one_in_each_byte;
  }
  HWY_INLINE bool test(const std::uint64_t* block, std::size_t lane) const {
    const hn::Half<Lanes> d;
    return hn::AllTrue(d, hn::TestBit(load_halves(d, block), mask(lane)));
  }
  HWY_INLINE void set(std::uint64_t* block, std::size_t lane) const {
    const hn::Half<Lanes> d;
    store_halves(d, hn::Or(load_halves(d, block), mask(lane)), block);
  }

 private:
  using Lanes = hn::FixedTag<std::uint32_t, 2 * LaneBlocks::lanes>;
  static constexpr std::size_t pairs = group_keys / 2;

  HWY_INLINE hn::Vec<hn::Half<Lanes>> mask(std::size_t lane) const {
    return hn::Load(hn::Half<Lanes>(), masks_[lane / 2].data() + lane % 2 * LaneBlocks::lanes);
  }

  HWY_ALIGN std::array<LanePair, pairs> masks_;  // the bits of the keys that were prepared
};
using BestLaneKernel = LanePairKernel;
#else
using BestLaneKernel = LaneKernel;
#endif

std::uint64_t find_lanes(const LaneBlocks& layout, const BlockBatch& batch,
                         std::span<const std::uint64_t> filter, std::span<Answer> out) {
  BestLaneKernel kernel(layout);
  return find_blocks(kernel, batch, filter, out);
}

void insert_lanes(const LaneBlocks& layout, const BlockBatch& batch,
                  std::span<std::uint64_t> filter, std::span<Answer> before) {
  BestLaneKernel kernel(layout);
  insert_blocks(kernel, batch, filter, before);
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(find_lanes);
HWY_EXPORT(insert_lanes);

std::uint64_t find(const LaneBlocks& layout, const BlockBatch& batch,
                   std::span<const std::uint64_t> filter, std::span<Answer> out) {
  return HWY_DYNAMIC_DISPATCH(find_lanes)(layout, batch, filter, out);
}

void insert(const LaneBlocks& layout, const BlockBatch& batch, std::span<std::uint64_t> filter,
            std::span<Answer> before) {
  HWY_DYNAMIC_DISPATCH(insert_lanes)(layout, batch, filter, before);
}

}  // namespace bloomlab::simd
#endif
