// The kernel of the split-block filter: a key's eight bits are made, tested and set at once.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/lane_blocks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/block_kernels.hpp"
#include "core/simd/block_pipeline-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
using LaneKernel = ReferenceKernel<LaneBlocks>;
#else
class LaneKernel {
 public:
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
      const auto missing = hn::AndNot(hn::LoadU(d, lanes_of(block) + i), mask(lane, i));
      all &= hn::AllTrue(d, hn::Eq(missing, hn::Zero(d)));
    }
    return all;
  }
  HWY_INLINE void set(std::uint64_t* block, std::size_t lane) const {
    const Lanes d;
    auto* const lanes = reinterpret_cast<std::uint32_t*>(block);
    for (std::size_t i = 0; i < LaneBlocks::lanes; i += hn::Lanes(d)) {
      hn::StoreU(hn::Or(hn::LoadU(d, lanes + i), mask(lane, i)), d, lanes + i);
    }
  }

 private:
  using Lanes = hn::CappedTag<std::uint32_t, LaneBlocks::lanes>;

  static const std::uint32_t* lanes_of(const std::uint64_t* block) {
    return reinterpret_cast<const std::uint32_t*>(block);
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

std::uint64_t find_lanes(const LaneBlocks& layout, const BlockBatch& batch,
                         std::span<const std::uint64_t> filter, std::span<Answer> out) {
  LaneKernel kernel(layout);
  return find_blocks(kernel, batch, filter, out);
}

void insert_lanes(const LaneBlocks& layout, const BlockBatch& batch,
                  std::span<std::uint64_t> filter, std::span<Answer> before) {
  LaneKernel kernel(layout);
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
