// What the kernels of blocks of 128 to 512 bits have in common. For kernels only: compiled once for
// every target.

#if defined(BLOOMLAB_SIMD_LINE_BASE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BLOOMLAB_SIMD_LINE_BASE_INL
#undef BLOOMLAB_SIMD_LINE_BASE_INL
#else
#define BLOOMLAB_SIMD_LINE_BASE_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bits/block_layouts.hpp"
#include "core/bits/wide_product.hpp"
#include "core/simd/bit_stream-inl.hpp"
#include "core/simd/block_kernels.hpp"
#include "core/simd/block_pipeline-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
/// What the kernels of blocks of 128 to 512 bits have in common: a key's positions of `width` bits
/// stand one after the other in the words of its stream, 64 / width in each.
class LineKernelBase {
 public:
  HWY_INLINE void locate(const std::uint64_t* digests, std::size_t groups,
                         std::uint64_t* begins) const {
    if (blocks_ >> 32 == 0) return locate_narrow(digests, groups, blocks_, block_words_, begins);
    for (std::size_t i = 0; i < groups * group_keys; ++i) {
      begins[i] = multiply_high(digests[i], blocks_) * block_words_;
    }
  }

 protected:
  using Row = std::array<std::uint64_t, group_keys>;

  explicit LineKernelBase(const PlainBlocks& layout)
      : blocks_(layout.blocks), block_words_(layout.words()) {}

  /// The first `words` words of the streams of a group.
  HWY_INLINE static void write_streams(const std::uint64_t* digests, std::size_t words, Row* out) {
    const hn::CappedTag<std::uint64_t, group_keys> d;
    for (std::size_t i = 0; i < group_keys; i += hn::Lanes(d)) {
      BitStreams streams(d, hn::LoadU(d, digests + i));
      for (std::size_t word = 0; word < words; ++word) {
        hn::StoreU(streams.next_word(), d, out[word].data() + i);
      }
    }
  }

  /// Whether the bits are set at `count` positions from the low bits of `positions` on.
  template <unsigned Width>
  HWY_INLINE static bool all_set(const std::uint64_t* block, std::uint64_t positions,
                                 std::size_t count) {
    constexpr std::uint64_t words = (std::uint64_t{1} << Width) / 64;
    std::uint64_t all = 1;
    for (std::size_t i = 0; i < count; ++i, positions >>= Width) {
      all &= block[(positions >> 6) % words] >> (positions & 63);
    }
    return (all & 1) != 0;
  }

  /// Sets bits in the block, at `count` positions from the low bits of `positions` on. Parts of 32
  /// bits, as writes to one place wait for each other: fewer positions meet than in whole words.
  template <unsigned Width>
  HWY_INLINE static void set_positions(std::uint64_t* block, std::uint64_t positions,
                                       std::size_t count) {
    constexpr std::uint64_t parts = (std::uint64_t{1} << Width) / 32;
    // Tests of the next key may read the same memory as words of 64 bits.
    using Part __attribute__((may_alias)) = std::uint32_t;
    auto* const lanes = reinterpret_cast<Part*>(block);
    for (std::size_t i = 0; i < count; ++i, positions >>= Width) {
      lanes[(positions >> 5) % parts] |= 1U << (positions & 31);
    }
  }

 private:
  std::uint64_t blocks_;
  std::uint64_t block_words_;
};
#endif

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
