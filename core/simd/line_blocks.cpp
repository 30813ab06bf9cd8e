// The kernel of the blocked filter with blocks of up to a cache line. The words from which a key's
// positions come are made for eight keys at once; with vectors of 32 bytes or more all positions of
// a word are tested at once.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/line_blocks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "core/parameters.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/simd/bit_stream-inl.hpp"
#include "core/simd/block_kernels.hpp"
#include "core/simd/block_pipeline-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

/// Positions of `width` bits that stand one after the other in a word, from its lowest bit on.
/// Tests them one by one.
class PositionsOneByOne {
 public:
  PositionsOneByOne(unsigned width, std::size_t count) : width_(width), count_(count) {}

  HWY_INLINE bool all_set(const std::uint64_t* block, std::uint64_t word) const {
    const std::uint64_t words = (std::uint64_t{1} << (width_ - 6)) - 1;
    std::uint64_t all = 1;
    for (std::size_t i = 0; i < count_; ++i, word >>= width_) {
      all &= block[(word >> 6) & words] >> (word & 63);
    }
    return (all & 1) != 0;
  }
  HWY_INLINE void set(std::uint64_t* block, std::uint64_t word) const {
    const std::uint64_t words = (std::uint64_t{1} << (width_ - 6)) - 1;
    for (std::size_t i = 0; i < count_; ++i, word >>= width_) {
      block[(word >> 6) & words] |= std::uint64_t{1} << (word & 63);
    }
  }

 private:
  unsigned width_;
  std::size_t count_;
};

#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
/// As PositionsOneByOne, for blocks of 256 or 512 bits, tested at once in eight lanes of 32 bits.
class PositionsAtOnce {
 public:
  PositionsAtOnce(unsigned width, std::size_t count) : line_(width == 9) {
    for (std::size_t lane = 0; lane < 8; ++lane) {
      // Lanes without a position repeat the first one.
      const std::size_t bit = lane < count ? lane * width : 0;
      shifts_[lane] = static_cast<std::uint32_t>(bit % 8);
      for (std::size_t byte = 0; byte < 4; ++byte) {
        // Of the last two bytes only bits are left that nobody reads.
        bytes_[4 * lane + byte] =
            static_cast<std::uint8_t>(std::min<std::size_t>(bit / 8 + byte, 7));
      }
    }
  }

  HWY_INLINE bool all_set(const std::uint64_t* block, std::uint64_t word) const {
    const hn::FixedTag<std::uint32_t, 8> d;
    const hn::FixedTag<std::uint64_t, 4> d64;
    const hn::FixedTag<std::uint8_t, 32> d8;
    const hn::RebindToSigned<decltype(d)> di;
    const auto spread =
        hn::TableLookupBytes(hn::BitCast(d8, hn::Set(d64, word)), hn::LoadU(d8, bytes_.data()));
    const auto position = hn::Shr(hn::BitCast(d, spread), hn::LoadU(d, shifts_.data()));
    const auto index = hn::IndicesFromVec(d, hn::And(hn::ShiftRight<5>(position), hn::Set(d, 7U)));
    const auto* const lanes = reinterpret_cast<const std::uint32_t*>(block);
    auto at = hn::TableLookupLanes(hn::LoadU(d, lanes), index);
    if (line_) {
      const auto upper = hn::TableLookupLanes(hn::LoadU(d, lanes + 8), index);
      const auto in_upper = hn::BitCast(di, hn::ShiftLeft<23>(position));
      at = hn::BitCast(
          d, hn::IfNegativeThenElse(in_upper, hn::BitCast(di, upper), hn::BitCast(di, at)));
    }
    // The bit of every lane, moved to its sign.
    const auto up = hn::AndNot(position, hn::Set(d, 31U));
    return hn::AllTrue(
        d, hn::MaskFromVec(hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(di, hn::Shl(at, up))))));
  }

 private:
  bool line_;
  HWY_ALIGN std::array<std::uint32_t, 8> shifts_;
  HWY_ALIGN std::array<std::uint8_t, 32> bytes_;
};
#endif

/// @tparam Positions how the positions of one word are tested
template <class Positions>
class LineKernel {
 public:
  explicit LineKernel(const PlainBlocks& layout)
      : blocks_(layout.blocks),
        block_words_(layout.words()),
        full_words_(static_cast<std::size_t>(layout.k) / per_word(layout)),
        rest_(static_cast<std::size_t>(layout.k) % per_word(layout)),
        test_full_(width(layout), per_word(layout)),
        test_rest_(width(layout), rest_),
        set_full_(width(layout), per_word(layout)),
        set_rest_(width(layout), rest_) {}

  HWY_INLINE void locate(const std::uint64_t* digests, std::uint64_t* begins) const {
    if (blocks_ >> 32 == 0) {
      locate_narrow(digests, blocks_, block_words_, begins);
      return;
    }
    for (std::size_t lane = 0; lane < group_keys; ++lane) {
      begins[lane] = multiply_high(digests[lane], blocks_) * block_words_;
    }
  }

  HWY_INLINE void prepare(const std::uint64_t* digests) {
    const hn::CappedTag<std::uint64_t, group_keys> d;
    const std::size_t words = full_words_ + (rest_ != 0 ? 1 : 0);
    for (std::size_t i = 0; i < group_keys; i += hn::Lanes(d)) {
      BitStreams streams(d, hn::LoadU(d, digests + i));
      for (std::size_t word = 0; word < words; ++word) {
        hn::StoreU(streams.next_word(), d, words_[word].data() + i);
      }
    }
  }

  HWY_INLINE bool test(const std::uint64_t* block, std::size_t lane) const {
    bool all = true;
    for (std::size_t i = 0; i < full_words_; ++i) all &= test_full_.all_set(block, words_[i][lane]);
    if (rest_ != 0) all &= test_rest_.all_set(block, words_[full_words_][lane]);
    return all;
  }
  HWY_INLINE void set(std::uint64_t* block, std::size_t lane) const {
    for (std::size_t i = 0; i < full_words_; ++i) set_full_.set(block, words_[i][lane]);
    if (rest_ != 0) set_rest_.set(block, words_[full_words_][lane]);
  }

 private:
  using Row = std::array<std::uint64_t, group_keys>;
  /// A word of 64 bits has at least 7 positions.
  static constexpr std::size_t max_words = (max_probes + 6) / 7;

  static unsigned width(const PlainBlocks& layout) {
    return static_cast<unsigned>(std::countr_zero(layout.block_bits));
  }
  static std::size_t per_word(const PlainBlocks& layout) { return 64 / width(layout); }

  std::uint64_t blocks_;
  std::uint64_t block_words_;
  std::size_t full_words_;  // words of a key's stream of which all positions are used
  std::size_t rest_;        // positions of the last word, where it has fewer
  Positions test_full_;
  Positions test_rest_;
  PositionsOneByOne set_full_;
  PositionsOneByOne set_rest_;
  std::array<Row, max_words> words_;
};
#endif

/// Calls `use` with the kernel for the layout.
template <class Use>
auto with_line_kernel(const PlainBlocks& layout, Use use) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  return use(ReferenceKernel<PlainBlocks>(layout));
#else
#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
  if (layout.block_bits >= 256) return use(LineKernel<PositionsAtOnce>(layout));
#endif
  return use(LineKernel<PositionsOneByOne>(layout));
#endif
}

std::uint64_t find_plain(const PlainBlocks& layout, const BlockBatch& batch,
                         std::span<const std::uint64_t> filter, std::span<Answer> out) {
  return with_line_kernel(
      layout, [&](auto kernel) HWY_ATTR { return find_blocks(kernel, batch, filter, out); });
}

void insert_plain(const PlainBlocks& layout, const BlockBatch& batch,
                  std::span<std::uint64_t> filter, std::span<Answer> before) {
  with_line_kernel(layout,
                   [&](auto kernel) HWY_ATTR { insert_blocks(kernel, batch, filter, before); });
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
