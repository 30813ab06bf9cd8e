// The kernel of the blocked filter with blocks of up to a cache line. The words from which a key's
// positions come are made for eight keys at once; where there are vectors of 32 bytes, all
// positions of a word are worked on at once.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/line_blocks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "core/parameters.hpp"
#include "core/simd/block_kernels.hpp"
#include "core/simd/block_pipeline-inl.hpp"
#include "core/simd/line_base-inl.hpp"
#include "core/simd/line_bytes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
/// Any blocks and any k; tests and sets one position after the other.
class LineKernel : public LineKernelBase {
 public:
  explicit LineKernel(const PlainBlocks& layout)
      : LineKernelBase(layout),
        k_(static_cast<std::size_t>(layout.k)),
        width_(static_cast<unsigned>(std::countr_zero(layout.block_bits))),
        word_mask_(layout.words() - 1) {}

  HWY_INLINE void prepare(const std::uint64_t* digests) {
    const std::size_t a_word = 64 / width_;
    write_streams(digests, (k_ + a_word - 1) / a_word, streams_.data());
  }
  HWY_INLINE bool test(const std::uint64_t* block, std::size_t lane) const {
    std::uint64_t all = 1;
    for_each_position(lane, [&](std::uint64_t position) HWY_ATTR {
      all &= block[(position >> 6) & word_mask_] >> (position & 63);
    });
    return (all & 1) != 0;
  }
  HWY_INLINE void set(std::uint64_t* block, std::size_t lane) const {
    for_each_position(lane, [&](std::uint64_t position) HWY_ATTR {
      block[(position >> 6) & word_mask_] |= std::uint64_t{1} << (position & 63);
    });
  }

 private:
  /// Calls `use` with words whose low bits are the key's positions.
  template <class Use>
  HWY_INLINE void for_each_position(std::size_t lane, Use use) const {
    const std::size_t a_word = 64 / width_;
    for (std::size_t first = 0, word = 0; first < k_; first += a_word, ++word) {
      std::uint64_t bits = streams_[word][lane];
      const std::size_t count = std::min(a_word, k_ - first);
      for (std::size_t i = 0; i < count; ++i, bits >>= width_) use(bits);
    }
  }

  std::size_t k_;
  unsigned width_;
  std::uint64_t word_mask_;
  std::array<Row, (max_probes + 6) / 7> streams_;  // a word has at least 7 positions
};
#endif

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
/// Blocks of 2^Width = 256 or 512 bits with the positions of a key in `Words` words of its stream;
/// all positions of a word are worked on at once, in eight lanes of 32 bits.
template <unsigned Width, std::size_t Words>
class FastLineKernel : public LineKernelBase {
 public:
  static constexpr std::size_t positions_a_word = 64 / Width;

  explicit FastLineKernel(const PlainBlocks& layout)
      : LineKernelBase(layout), k_(static_cast<std::size_t>(layout.k)) {
    for (std::size_t word = 0; word < Words; ++word) {
      for (std::size_t lane = 0; lane < 8; ++lane) {
        // Lanes without a position of their own repeat the word's first.
        const bool own = lane < positions_a_word && word * positions_a_word + lane < k_;
        const std::size_t bit = own ? lane * Width : 0;
        shifts_[word][lane] = static_cast<std::uint32_t>(bit % 8);
        for (std::size_t byte = 0; byte < 4; ++byte) {
          // Two bytes hold the position; what stands above them is not looked at.
          bytes_[word][4 * lane + byte] =
              static_cast<std::uint8_t>(std::min<std::size_t>(bit / 8 + byte, 7));
        }
      }
    }
  }

  HWY_INLINE void prepare(const std::uint64_t* digests) {
    write_streams(digests, Words, streams_.data());
  }

  HWY_INLINE bool test(const std::uint64_t* block, std::size_t lane) const {
    const SignedLanes d;
    auto all = hn::BitCast(d, bits_at(block, positions(0, lane)));
    if constexpr (Words == 2) {
      const std::size_t rest = k_ - positions_a_word;
      if (rest <= 2) {
        // Two lanes are not worth a vector; no branch, as it would depend on the bits.
        bool set = all_set<Width>(block, streams_[1][lane], rest);
        set &= all_negative(all);
        return set;
      }
      all = hn::And(all, hn::BitCast(d, bits_at(block, positions(1, lane))));
    }
    return all_negative(all);
  }

  HWY_INLINE void set(std::uint64_t* block, std::size_t lane) const {
    for (std::size_t word = 0; word < Words; ++word) {
      const std::size_t left = k_ - word * positions_a_word;
      set_positions<Width>(block, streams_[word][lane], std::min(positions_a_word, left));
    }
  }

 private:
  using Lanes = hn::FixedTag<std::uint32_t, 8>;
  using SignedLanes = hn::FixedTag<std::int32_t, 8>;
  HWY_INLINE static bool all_negative(hn::Vec<SignedLanes> lanes) {
    const SignedLanes d;
    return hn::AllTrue(d, hn::Lt(lanes, hn::Zero(d)));
  }

 protected:
  /// The positions of one word, in the low bits of the lanes.
  HWY_INLINE hn::Vec<hn::FixedTag<std::uint32_t, 8>> positions(std::size_t word,
                                                               std::size_t lane) const {
    const hn::FixedTag<std::uint64_t, 4> d64;
    const hn::FixedTag<std::uint8_t, 32> d8;
    const Lanes d;
    const auto spread = hn::TableLookupBytes(hn::BitCast(d8, hn::Set(d64, streams_[word][lane])),
                                             hn::LoadU(d8, bytes_[word].data()));
    return hn::Shr(hn::BitCast(d, spread), hn::LoadU(d, shifts_[word].data()));
  }

 private:
  /// The bits of the block at the positions, in the lanes' signs.
  HWY_INLINE hn::Vec<Lanes> bits_at(const std::uint64_t* block, hn::Vec<Lanes> position) const {
    const Lanes d;
    const SignedLanes ds;
    const auto index = hn::IndicesFromVec(d, hn::And(hn::ShiftRight<5>(position), hn::Set(d, 7U)));
    auto at = hn::TableLookupLanes(load_halves(d, block), index);
    if constexpr (Width == 9) {
      const auto upper = hn::TableLookupLanes(load_halves(d, block + 4), index);
      const auto in_upper = hn::BitCast(ds, hn::ShiftLeft<23>(position));
      at = hn::BitCast(
          d, hn::IfNegativeThenElse(in_upper, hn::BitCast(ds, upper), hn::BitCast(ds, at)));
    }
    return hn::Shl(at, hn::AndNot(position, hn::Set(d, 31U)));
  }

  std::size_t k_;
  std::array<std::array<std::uint32_t, 8>, Words> shifts_;
  std::array<std::array<std::uint8_t, 32>, Words> bytes_;
  std::array<Row, Words> streams_;
};

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
/// Blocks of 512 bits, a register each, from which one permutation takes the parts that a word's
/// positions are in.
template <std::size_t Words>
class WideLineKernel : public FastLineKernel<9, Words> {
 public:
  static constexpr std::size_t nearest_ahead = 2;

  explicit WideLineKernel(const PlainBlocks& layout) : FastLineKernel<9, Words>(layout) {}

  HWY_INLINE bool test(const std::uint64_t* block, std::size_t lane) const {
    const __m512i words = _mm512_loadu_si512(block);
    __mmask8 all = test_word(words, this->positions(0, lane));
    if constexpr (Words == 2) {
      all = static_cast<__mmask8>(all & test_word(words, this->positions(1, lane)));
    }
    return all == 0xff;
  }

 private:
  /// Of which of eight positions the bit is set in the block.
  HWY_INLINE static __mmask8 test_word(__m512i block, hn::Vec<hn::FixedTag<std::uint32_t, 8>> at) {
    const __m512i index = _mm512_castsi256_si512(_mm256_srli_epi32(at.raw, 5));
    const __m256i parts = _mm512_castsi512_si256(_mm512_permutexvar_epi32(index, block));
    return _mm256_movepi32_mask(
        _mm256_sllv_epi32(parts, _mm256_andnot_si256(at.raw, _mm256_set1_epi32(31))));
  }
};
#endif

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
template <unsigned Width, std::size_t Words>
using BestLineKernel =
    std::conditional_t<Width == 9, WideLineKernel<Words>, FastLineKernel<Width, Words>>;
#else
template <unsigned Width, std::size_t Words>
using BestLineKernel = FastLineKernel<Width, Words>;
#endif

/// Calls `use` with the fast kernel for blocks of 2^Width bits; false where there is none.
template <unsigned Width, class Use>
HWY_INLINE bool with_fast_kernel(const PlainBlocks& layout, Use& use) {
  if (layout.block_bits != 1U << Width || layout.k > 2 * (64 / Width)) return false;
  if (layout.k <= 64 / Width) {
    BestLineKernel<Width, 1> kernel(layout);
    use(kernel);
  } else {
    BestLineKernel<Width, 2> kernel(layout);
    use(kernel);
  }
  return true;
}
#endif

/// Calls `use` with the kernel for the layout.
template <class Use>
HWY_INLINE void with_line_kernel(const PlainBlocks& layout, Use use) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  ReferenceKernel<PlainBlocks> kernel(layout);
#else
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if (with_fast_kernel<9>(layout, use) || with_fast_kernel<8>(layout, use)) return;
#endif
  LineKernel kernel(layout);
#endif
  use(kernel);
}

std::uint64_t find_plain(const PlainBlocks& layout, const BlockBatch& batch,
                         std::span<const std::uint64_t> filter, std::span<Answer> out) {
  std::uint64_t found = 0;
  const auto use = [&](auto& kernel) HWY_ATTR { found = find_blocks(kernel, batch, filter, out); };
#if HWY_TARGET == HWY_AVX3_DL
  if (with_bytes_kernel<ByteLineKernel>(layout, use)) return found;
#endif
  with_line_kernel(layout, use);
  return found;
}

void insert_plain(const PlainBlocks& layout, const BlockBatch& batch,
                  std::span<std::uint64_t> filter, std::span<Answer> before) {
  const auto use = [&](auto& kernel) HWY_ATTR { insert_blocks(kernel, batch, filter, before); };
#if HWY_TARGET == HWY_AVX3_DL
  if (MatrixLineKernel<1>::is_supported() && with_bytes_kernel<MatrixLineKernel>(layout, use)) {
    return;
  }
#endif
  with_line_kernel(layout, use);
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(find_plain);
HWY_EXPORT(insert_plain);

std::uint64_t find(const PlainBlocks& layout, const BlockBatch& batch,
                   std::span<const std::uint64_t> filter, std::span<Answer> out) {
  if (layout.block_bits <= 64) return find(as_sectors(layout), batch, filter, out);
  return HWY_DYNAMIC_DISPATCH(find_plain)(layout, batch, filter, out);
}

void insert(const PlainBlocks& layout, const BlockBatch& batch, std::span<std::uint64_t> filter,
            std::span<Answer> before) {
  if (layout.block_bits <= 64) {
    insert(as_sectors(layout), batch, filter, before);
  } else {
    HWY_DYNAMIC_DISPATCH(insert_plain)(layout, batch, filter, before);
  }
}

}  // namespace bloomlab::simd
#endif
