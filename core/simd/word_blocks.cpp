// The kernel of the filters whose keys have their bits in few words: register-blocked,
// cache-sectorized and multiblock filters, and blocks of 64 bits. The words of eight keys are made
// at once, lane by lane.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/word_blocks.cpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "core/bits/wide_product.hpp"
#include "core/simd/bit_stream-inl.hpp"
#include "core/simd/block_kernels.hpp"
#include "core/simd/block_pipeline-inl.hpp"
#include "core/simd/packing-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
/// A key sets `bits_per_group` bits in one sector of each group of its block.
/// @tparam WholeWords sectors are words of 64 bits    @tparam OneWord they are the blocks
template <bool WholeWords, bool OneWord>
class WordKernel {
 public:
  explicit WordKernel(const SectorBlocks& layout)
      : blocks_(layout.blocks),
        block_bits_(layout.block_bits()),
        width_(static_cast<unsigned>(std::countr_zero(layout.sector_bits))),
        choice_width_(static_cast<unsigned>(std::countr_zero(layout.sectors / layout.groups))),
        groups_(layout.groups),
        bits_per_group_(layout.bits_per_group) {
    for (std::size_t group = 0; group < groups_; ++group) words_[group].fill(group);
  }

  HWY_INLINE void locate(const std::uint64_t* digests, std::size_t groups,
                         std::uint64_t* begins) const {
    if (blocks_ >> 32 == 0 && block_bits_ >= 64) {
      return locate_narrow(digests, groups, blocks_, block_bits_ / 64, begins);
    }
    for (std::size_t i = 0; i < groups * group_keys; ++i) {
      begins[i] = multiply_high(digests[i], blocks_) * block_bits_ / 64;
    }
  }

  HWY_INLINE void prepare(const std::uint64_t* digests) {
    const hn::CappedTag<std::uint64_t, group_keys> d;
    for (std::size_t i = 0; i < group_keys; i += hn::Lanes(d)) {
      BitStreams streams(d, hn::LoadU(d, digests + i));
      for (std::size_t group = 0; group < groups_; ++group) {
        if constexpr (WholeWords) {
          prepare_word(d, streams, group, i);
        } else {
          prepare_sector(d, streams, group, i, digests + i);
        }
      }
    }
  }

  HWY_INLINE bool test(const std::uint64_t* block, std::size_t lane) const {
    if constexpr (OneWord) return (masks_[0][lane] & ~*block) == 0;
    std::uint64_t missing = masks_[0][lane] & ~block[words_[0][lane]];
    for (std::size_t group = 1; group < groups_; ++group) {
      missing |= masks_[group][lane] & ~block[words_[group][lane]];
    }
    return missing == 0;
  }
  HWY_INLINE void set(std::uint64_t* block, std::size_t lane) const {
    if constexpr (OneWord) {
      *block |= masks_[0][lane];
      return;
    }
    for (std::size_t group = 0; group < groups_; ++group) {
      block[words_[group][lane]] |= masks_[group][lane];
    }
  }

 private:
  using Row = std::array<std::uint64_t, group_keys>;

  template <class D>
  HWY_INLINE void prepare_word(D d, BitStreams<D>& streams, std::size_t group, std::size_t first) {
    if (choice_width_ != 0) {
      const auto word = hn::Add(hn::Set(d, group << choice_width_), streams.take(choice_width_));
      hn::StoreU(word, d, words_[group].data() + first);
    }
    auto mask = hn::Zero(d);
    for (std::uint64_t i = 0; i < bits_per_group_; ++i) {
      mask = hn::Or(mask, hn::Shl(hn::Set(d, 1U), streams.template take<6>()));
    }
    hn::StoreU(mask, d, masks_[group].data() + first);
  }

  template <class D>
  HWY_INLINE void prepare_sector(D d, BitStreams<D>& streams, std::size_t group, std::size_t first,
                                 const std::uint64_t* digests) {
    const auto sector = hn::Add(hn::Set(d, group << choice_width_), streams.take(choice_width_));
    auto begin = hn::ShiftLeftSame(sector, static_cast<int>(width_));
    if (block_bits_ < 64) begin = hn::Add(begin, begin_in_word(d, digests));
    const auto shift = hn::And(begin, hn::Set(d, 63U));
    auto mask = hn::Zero(d);
    for (std::uint64_t i = 0; i < bits_per_group_; ++i) {
      mask = hn::Or(mask, hn::Shl(hn::Set(d, 1U), hn::Add(shift, streams.take(width_))));
    }
    hn::StoreU(mask, d, masks_[group].data() + first);
    hn::StoreU(hn::ShiftRight<6>(begin), d, words_[group].data() + first);
  }

  /// Where in its word a block of 32 bits begins.
  template <class D>
  HWY_INLINE hn::Vec<D> begin_in_word(D d, const std::uint64_t* digests) const {
    Row begins;
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
      begins[i] = multiply_high(digests[i], blocks_) * block_bits_ % 64;
    }
    return hn::LoadU(d, begins.data());
  }

  std::uint64_t blocks_;
  std::uint64_t block_bits_;
  unsigned width_;         // bits of a position in a sector
  unsigned choice_width_;  // bits of a sector's number in its group
  std::size_t groups_;
  std::uint64_t bits_per_group_;
  std::array<Row, max_block_bits / 8> masks_;  // of the groups, for each of the keys prepared
  std::array<Row, max_block_bits / 8> words_;  // where they stand in the block
};
#endif

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
/// Blocks of words with one bit in each (multiblock filters): where the blocks begin, and the
/// positions of eight keys, which are the lowest bits of a word of their streams.
class EveryWord {
 public:
  explicit EveryWord(const SectorBlocks& layout) : blocks_(layout.blocks), words_(layout.sectors) {}

  HWY_INLINE void locate(const std::uint64_t* digests, std::size_t groups,
                         std::uint64_t* begins) const {
    if (blocks_ >> 32 == 0) return locate_narrow(digests, groups, blocks_, words_, begins);
    for (std::size_t i = 0; i < groups * group_keys; ++i) {
      begins[i] = multiply_high(digests[i], blocks_) * words_;
    }
  }
  HWY_INLINE void prepare(const std::uint64_t* digests) {
    const hn::CappedTag<std::uint64_t, group_keys> d;
    for (std::size_t i = 0; i < group_keys; i += hn::Lanes(d)) {
      BitStreams streams(d, hn::LoadU(d, digests + i));
      hn::StoreU(streams.next_word(), d, positions_.data() + i);
    }
  }

 protected:
  /// Where the positions of a key stand in its word, of six bits each.
  HWY_ALIGN static constexpr std::array<std::uint64_t, group_keys> shifts = {0,  6,  12, 18,
                                                                             24, 30, 36, 42};

  [[nodiscard]] static bool fits(const SectorBlocks& layout) {
    return layout.sector_bits == 64 && layout.groups == layout.sectors &&
           layout.bits_per_group == 1 && layout.sectors <= group_keys;
  }

  std::uint64_t blocks_;
  std::uint64_t words_;
  std::array<std::uint64_t, group_keys> positions_;
};

#if HWY_TARGET == HWY_AVX2
/// All bits of a key at once, in two vectors of four words. For blocks of fewer than eight they
/// share words, which get the same bits from both.
class EveryWordKernel : public EveryWord {
 public:
  [[nodiscard]] static bool fits(const SectorBlocks& layout) {
    return EveryWord::fits(layout) && layout.sectors >= lanes;
  }
  explicit EveryWordKernel(const SectorBlocks& layout)
      : EveryWord(layout), second_(layout.sectors - lanes) {}

  HWY_INLINE bool test(const std::uint64_t* block, std::size_t lane) const {
    const Lanes d;
    const auto missing = hn::Or(hn::AndNot(hn::LoadU(d, block), mask(lane, 0)),
                                hn::AndNot(hn::LoadU(d, block + second_), mask(lane, second_)));
    return _mm256_testz_si256(missing.raw, missing.raw) != 0;
  }
  HWY_INLINE void set(std::uint64_t* block, std::size_t lane) const {
    const Lanes d;
    const auto first = hn::Or(hn::LoadU(d, block), mask(lane, 0));
    const auto second = hn::Or(hn::LoadU(d, block + second_), mask(lane, second_));
    hn::StoreU(first, d, block);
    hn::StoreU(second, d, block + second_);
  }

 private:
  static constexpr std::size_t lanes = 4;
  using Lanes = hn::FixedTag<std::uint64_t, lanes>;

  /// The bits of the key in words `first` and following.
  HWY_INLINE hn::Vec<Lanes> mask(std::size_t lane, std::size_t first) const {
    const Lanes d;
    const auto positions =
        hn::Shr(hn::Set(d, positions_[lane]), hn::LoadU(d, shifts.data() + first));
    return hn::Shl(hn::Set(d, 1U), hn::And(positions, hn::Set(d, 63U)));
  }

  std::size_t second_;  // first word of the second vector
};
#else
/// All bits of a key at once, in one vector. Words beyond the block are neither read nor written.
class EveryWordKernel : public EveryWord {
 public:
  using EveryWord::fits;
  explicit EveryWordKernel(const SectorBlocks& layout)
      : EveryWord(layout), used_(static_cast<__mmask8>((1U << layout.sectors) - 1U)) {}

  HWY_INLINE bool test(const std::uint64_t* block, std::size_t lane) const {
    return missing(block, lane) == 0;
  }
  template <class Hint>
  HWY_INLINE std::uint64_t answer_group(const std::uint64_t* filter, const std::uint64_t* begins,
                                        Hint hint) const {
    const auto of_pair = [&](std::size_t lane) HWY_ATTR __attribute__((always_inline)) {
      hint(lane);
      hint(lane + 1);
      return _mm512_kunpackb(missing(filter + begins[lane + 1], lane + 1),
                             missing(filter + begins[lane], lane));
    };
    // A byte per key, a bit for each word that lacks the key's bit.
    const std::uint64_t words = _cvtmask64_u64(_mm512_kunpackd(
        _mm512_kunpackw(of_pair(6), of_pair(4)), _mm512_kunpackw(of_pair(2), of_pair(0))));
    constexpr std::uint64_t low = 0x7f * one_in_each_byte;
    return (~(((words & low) + low) | words) >> 7) & one_in_each_byte;
  }
  HWY_INLINE void set(std::uint64_t* block, std::size_t lane) const {
    const __m512i words = _mm512_maskz_loadu_epi64(used_, block);
    _mm512_mask_storeu_epi64(block, used_, _mm512_or_si512(words, mask(lane)));
  }

 private:
  /// The words of the block that lack the key's bit.
  HWY_INLINE __mmask8 missing(const std::uint64_t* block, std::size_t lane) const {
    const __m512i words = _mm512_maskz_loadu_epi64(used_, block);
    return _mm512_mask_testn_epi64_mask(used_, words, mask(lane));
  }
  HWY_INLINE __m512i mask(std::size_t lane) const {
    const __m512i positions =
        _mm512_srlv_epi64(_mm512_set1_epi64(static_cast<long long>(positions_[lane])),
                          _mm512_load_si512(shifts.data()));
    return _mm512_rolv_epi64(_mm512_set1_epi64(1), positions);  // by the lowest six bits
  }

  __mmask8 used_;  // bit i is set where a block has a word i
};
#endif

/// Blocks of one word in which a key has `Bits` bits, all from one word of its stream; the words of
/// several keys are tested at once.
template <int Bits>
class OneWordKernel {
 public:
  explicit OneWordKernel(const SectorBlocks& layout) : blocks_(layout.blocks) {}

  HWY_INLINE void locate(const std::uint64_t* digests, std::size_t groups,
                         std::uint64_t* begins) const {
    if (blocks_ >> 32 == 0) return locate_narrow(digests, groups, blocks_, 1, begins);
    for (std::size_t i = 0; i < groups * group_keys; ++i) {
      begins[i] = multiply_high(digests[i], blocks_);
    }
  }
  HWY_INLINE void prepare(const std::uint64_t* digests) {
    const Lanes d;
    for (std::size_t i = 0; i < group_keys; i += hn::Lanes(d)) {
      BitStreams streams(d, hn::LoadU(d, digests + i));
      auto positions = streams.next_word();
      auto mask = hn::Zero(d);
      for (int bit = 0; bit < Bits; ++bit, positions = hn::ShiftRight<6>(positions)) {
        mask = hn::Or(mask, hn::Shl(hn::Set(d, 1U), hn::And(positions, hn::Set(d, 63U))));
      }
      hn::StoreU(mask, d, masks_.data() + i);
    }
  }

  template <class Hint>
  HWY_INLINE unsigned test_group(const std::uint64_t* filter, const std::uint64_t* begins,
                                 Hint hint) const {
    const Lanes d;
    for_each_lane(std::integral_constant<std::size_t, group_keys>(), hint);
    unsigned found = 0;
    for (std::size_t i = 0; i < group_keys; i += hn::Lanes(d)) {
      const auto missing =
          hn::AndNot(load_each(d, filter, begins + i), hn::LoadU(d, masks_.data() + i));
      std::array<std::uint8_t, 8> bits;
      hn::StoreMaskBits(d, hn::Eq(missing, hn::Zero(d)), bits.data());
      found |= static_cast<unsigned>(bits[0]) << i;
    }
    return found;
  }
  HWY_INLINE bool test(const std::uint64_t* block, std::size_t lane) const {
    return (masks_[lane] & ~*block) == 0;
  }
  HWY_INLINE void set(std::uint64_t* block, std::size_t lane) const { *block |= masks_[lane]; }

 private:
  using Lanes = hn::CappedTag<std::uint64_t, group_keys>;

  std::uint64_t blocks_;
  std::array<std::uint64_t, group_keys> masks_;
};

/// Bits a key of kernels of their own: the best of 8 to 20 bits of memory a key.
inline constexpr int fewest_kernel_bits = 4;
inline constexpr int most_kernel_bits = 7;

/// Calls `use` with the kernel for this many bits or more; false where there is none.
template <int Bits, class Use>
HWY_INLINE bool with_one_word_kernel(const SectorBlocks& layout, Use& use) {
  if constexpr (Bits > most_kernel_bits) {
    return false;
  } else {
    if (layout.bits_per_group != Bits) return with_one_word_kernel<Bits + 1>(layout, use);
    OneWordKernel<Bits> kernel(layout);
    use(kernel);
    return true;
  }
}
#endif

/// Calls `use` with the kernel for the layout.
template <class Use>
HWY_INLINE void with_word_kernel(const SectorBlocks& layout, Use use) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  ReferenceKernel<SectorBlocks> kernel(layout);
#else
  if (layout.block_bits() == 64 && layout.sectors == 1) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    if (with_one_word_kernel<fewest_kernel_bits>(layout, use)) return;
#endif
    WordKernel<true, true> kernel(layout);
    return use(kernel);
  }
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if (EveryWordKernel::fits(layout)) {
    EveryWordKernel kernel(layout);
    return use(kernel);
  }
#endif
  if (layout.sector_bits == 64) {
    WordKernel<true, false> kernel(layout);
    return use(kernel);
  }
  WordKernel<false, false> kernel(layout);
#endif
  use(kernel);
}

std::uint64_t find_sectors(const SectorBlocks& layout, const BlockBatch& batch,
                           std::span<const std::uint64_t> filter, std::span<Answer> out) {
  std::uint64_t found = 0;
  with_word_kernel(layout,
                   [&](auto& kernel) HWY_ATTR { found = find_blocks(kernel, batch, filter, out); });
  return found;
}

void insert_sectors(const SectorBlocks& layout, const BlockBatch& batch,
                    std::span<std::uint64_t> filter, std::span<Answer> before) {
  with_word_kernel(layout,
                   [&](auto& kernel) HWY_ATTR { insert_blocks(kernel, batch, filter, before); });
}

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(find_sectors);
HWY_EXPORT(insert_sectors);

std::uint64_t find(const SectorBlocks& layout, const BlockBatch& batch,
                   std::span<const std::uint64_t> filter, std::span<Answer> out) {
  return HWY_DYNAMIC_DISPATCH(find_sectors)(layout, batch, filter, out);
}

void insert(const SectorBlocks& layout, const BlockBatch& batch, std::span<std::uint64_t> filter,
            std::span<Answer> before) {
  HWY_DYNAMIC_DISPATCH(insert_sectors)(layout, batch, filter, before);
}

}  // namespace bloomlab::simd
#endif
