// The kernel of the blocked filter with blocks of up to a cache line. The words from which a key's
// positions come are made for eight keys at once; where there are vectors of 32 bytes, all
// positions of a word are worked on at once.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/line_blocks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>
#include <type_traits>

#include "core/parameters.hpp"
#include "core/reduction/multiply_shift.hpp"
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
    auto* const lanes = reinterpret_cast<std::uint32_t*>(block);
    for (std::size_t i = 0; i < count; ++i, positions >>= Width) {
      lanes[(positions >> 5) % parts] |= 1U << (positions & 31);
    }
  }

 private:
  std::uint64_t blocks_;
  std::uint64_t block_words_;
};

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
    const auto* const lanes = reinterpret_cast<const std::uint32_t*>(block);
    auto at = hn::TableLookupLanes(hn::LoadU(d, lanes), index);
    if constexpr (Width == 9) {
      const auto upper = hn::TableLookupLanes(hn::LoadU(d, lanes + 8), index);
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

#if HWY_TARGET == HWY_AVX3_DL
/// Blocks of 512 bits as the 64 bytes of a register: the positions of a key in `Words` words of its
/// stream are a word of the block (3 bits), a byte of that (3) and a bit of that (3), which are
/// taken out for eight keys at once, eight bytes a key.
template <std::size_t Words>
class ByteLineKernelBase : public LineKernelBase {
 public:
  explicit ByteLineKernelBase(const PlainBlocks& layout) : LineKernelBase(layout) {
    const auto k = static_cast<std::size_t>(layout.k);
    constexpr std::size_t a_word = 7;
    for (std::size_t word = 0; word < Words; ++word) {
      const std::size_t count = std::min(a_word, k - word * a_word);
      own_[word] = ((std::uint64_t{1} << count) - 1) * 0x0101010101010101U;
      for (std::size_t i = 0; i < sizeof(Bytes); ++i) {
        starts_[word][i] = static_cast<std::uint8_t>(i % 8 < count ? 9 * (i % 8) : 0);
      }
    }
  }

 protected:
  using Bytes = std::array<std::uint8_t, 64>;
  enum Part : char { bit = 0, byte = 3, word_of_block = 6 };

  /// Calls use(word, positions) with the words of the streams of eight keys.
  template <class Use>
  HWY_INLINE static void for_each_word(const std::uint64_t* digests, Use use) {
    const hn::FixedTag<std::uint64_t, group_keys> d;
    BitStreams streams(d, hn::LoadU(d, digests));
    for (std::size_t word = 0; word < Words; ++word) use(word, streams.next_word().raw);
  }
  /// A part of every position, with what stands above it. Bytes that have no position of their own
  /// repeat the word's first.
  HWY_INLINE __m512i part(Part first, std::size_t word, __m512i positions) const {
    const __m512i starts = _mm512_load_si512(starts_[word].data());
    return _mm512_multishift_epi64_epi8(_mm512_add_epi8(starts, _mm512_set1_epi8(first)),
                                        positions);
  }
  /// The bytes that have a position of their own.
  HWY_INLINE __mmask64 own(std::size_t word) const { return own_[word]; }
  /// Byte i of every eight has bit i.
  HWY_INLINE static __m512i one_bits() { return eight_times(0x8040201008040201U); }
  HWY_INLINE static __m512i eight_times(std::uint64_t word) {
    return _mm512_set1_epi64(static_cast<std::int64_t>(word));
  }

 private:
  std::array<std::uint64_t, Words> own_;
  HWY_ALIGN std::array<Bytes, Words> starts_;  // first bit of a position in its word
};

/// Lookups: the bytes that a key's positions are in come from its block by one permutation.
template <std::size_t Words>
class ByteLineKernel : public ByteLineKernelBase<Words> {
  using Base = ByteLineKernelBase<Words>;

 public:
  explicit ByteLineKernel(const PlainBlocks& layout) : Base(layout) {}

  HWY_INLINE void prepare(const std::uint64_t* digests) {
    Base::for_each_word(
        digests, [this](std::size_t word, __m512i positions) HWY_ATTR
        __attribute__((always_inline)) {
          const __m512i bit =
              _mm512_and_si512(this->part(Base::bit, word, positions), _mm512_set1_epi8(7));
          _mm512_store_si512(bits_[word].data(), _mm512_shuffle_epi8(Base::one_bits(), bit));
          // The permutation looks at six bits.
          _mm512_store_si512(bytes_[word].data(), this->part(Base::byte, word, positions));
        });
  }

  HWY_INLINE bool test(const std::uint64_t* block, std::size_t lane) const {
    const __m512i bytes = _mm512_loadu_si512(block);
    __m128i missing = _mm_setzero_si128();
    for (std::size_t word = 0; word < Words; ++word) {
      const __m512i index = _mm512_castsi128_si512(eight_of(bytes_[word], lane));
      const __m128i at = _mm512_castsi512_si128(_mm512_permutexvar_epi8(index, bytes));
      missing = _mm_or_si128(missing, _mm_andnot_si128(at, eight_of(bits_[word], lane)));
    }
    return _mm_testz_si128(missing, missing) != 0;
  }

  /// Eight blocks give eight bytes each to one register, which is looked at once.
  template <class Hint>
  HWY_INLINE unsigned test_group(const std::uint64_t* filter, const std::uint64_t* begins,
                                 Hint hint) const {
    __m512i missing = _mm512_setzero_si512();
    for (std::size_t word = 0; word < Words; ++word) {
      const __m512i index = _mm512_load_si512(bytes_[word].data());
      __m512i at = _mm512_setzero_si512();
      for_each_lane(
          std::integral_constant<std::size_t, group_keys>(), [&](std::size_t lane) HWY_ATTR
          __attribute__((always_inline)) {
            if (word == 0) hint(lane);
            at = _mm512_mask_permutexvar_epi8(at, std::uint64_t{0xff} << (8 * lane), index,
                                              _mm512_loadu_si512(filter + begins[lane]));
          });
      const __m512i bits = _mm512_load_si512(bits_[word].data());
      missing = _mm512_or_si512(missing, _mm512_andnot_si512(at, bits));
    }
    return _mm512_testn_epi64_mask(missing, missing);
  }

 private:
  using Bytes = typename Base::Bytes;

  HWY_INLINE static __m128i eight_of(const Bytes& bytes, std::size_t lane) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes.data() + 8 * lane));
  }

  HWY_ALIGN std::array<Bytes, Words> bytes_;  // of a block, by position
  HWY_ALIGN std::array<Bytes, Words> bits_;   // one in each of these bytes
};

/// Inserts: all bits of a key are made in a register and written at once, as writes to one place
/// wait for each other. They are a product of matrices of bits: which positions are in a byte of
/// the block, and which bit each has.
template <std::size_t Words>
class MatrixLineKernel : public ByteLineKernelBase<Words> {
  using Base = ByteLineKernelBase<Words>;

 public:
  explicit MatrixLineKernel(const PlainBlocks& layout) : Base(layout) {}

  /// Whether the processor has GFNI, as all have that are known to have the target's instructions.
  [[nodiscard]] static bool is_supported() {
    static const bool has_gfni = __builtin_cpu_supports("gfni") != 0;
    return has_gfni;
  }

  HWY_INLINE void prepare(const std::uint64_t* digests) {
    Base::for_each_word(
        digests, [this](std::size_t word, __m512i positions) HWY_ATTR
        __attribute__((always_inline)) { make_matrices(word, positions); });
  }
  HWY_INLINE bool test(const std::uint64_t* block, std::size_t lane) const {
    const __m512i missing = _mm512_andnot_si512(_mm512_loadu_si512(block), bits_of(lane));
    return _mm512_test_epi64_mask(missing, missing) == 0;
  }
  HWY_INLINE void set(std::uint64_t* block, std::size_t lane) const {
    _mm512_storeu_si512(block, _mm512_or_si512(_mm512_loadu_si512(block), bits_of(lane)));
  }

 private:
  using Row = typename Base::Row;

  /// The bits of a key, in its block.
  HWY_INLINE __m512i bits_of(std::size_t lane) const {
    // In every byte, which of the 64 bytes of words_ is that of the key and of the byte's word.
    const __m512i index =
        _mm512_add_epi8(_mm512_set_epi64(0x0707070707070707, 0x0606060606060606, 0x0505050505050505,
                                         0x0404040404040404, 0x0303030303030303, 0x0202020202020202,
                                         0x0101010101010101, 0),
                        _mm512_set1_epi8(static_cast<char>(8 * lane)));
    __m512i bits = _mm512_setzero_si512();
    for (std::size_t word = 0; word < Words; ++word) {
      const __m512i in_word =
          _mm512_permutexvar_epi8(index, _mm512_load_si512(words_[word].data()));
      const __m512i in_byte = _mm512_and_si512(in_word, Base::eight_times(bytes_[word][lane]));
      bits = _mm512_or_si512(bits, product(in_byte, Base::eight_times(bits_[word][lane])));
    }
    return bits;
  }

  /// Bit i of every byte: whether the byte and byte 7 - i of the matrix have an odd number of bits
  /// in common. The instruction itself, as no target of Highway's has GFNI.
  HWY_INLINE static __m512i product(__m512i bytes, __m512i matrices) {
    __m512i out;
    asm("vgf2p8affineqb $0, %2, %1, %0" : "=v"(out) : "v"(bytes), "v"(matrices));
    return out;
  }
  /// Byte c of every eight: bit c of each of them, that of the first one highest.
  HWY_INLINE static __m512i transposed(__m512i matrices) {
    return product(Base::one_bits(), matrices);
  }

  HWY_INLINE void make_matrices(std::size_t word, __m512i positions) {
    const auto index = [&](typename Base::Part part) HWY_ATTR __attribute__((always_inline)) {
      // Tables have 16 bytes, of which every other key's are the upper eight: bits & 7 | upper.
      const __m512i upper = _mm512_set4_epi64(0x0808080808080808, 0, 0x0808080808080808, 0);
      return _mm512_ternarylogic_epi64(this->part(part, word, positions), _mm512_set1_epi8(7),
                                       upper, 0xea);
    };
    const __m512i word_index = index(Base::word_of_block);
    const __m512i byte_index = index(Base::byte);
    const __m512i bit_index = index(Base::bit);
    const __m512i bit = _mm512_maskz_shuffle_epi8(this->own(word), Base::one_bits(), bit_index);
    const __m512i words = transposed(_mm512_shuffle_epi8(Base::one_bits(), word_index));
    const __m512i bytes = transposed(_mm512_shuffle_epi8(Base::one_bits(), byte_index));
    const __m512i bits = transposed(bit);
    // A bit that two positions share would vanish from the product: the first of them keeps it.
    const __m512i same = _mm512_ternarylogic_epi64(_mm512_shuffle_epi8(words, word_index),
                                                   _mm512_shuffle_epi8(bytes, byte_index),
                                                   _mm512_shuffle_epi8(bits, bit_index), 0x80);
    const __m512i before = Base::eight_times(0xfefcf8f0e0c08000U);  // the positions before each
    const __m512i first = _mm512_maskz_mov_epi8(_mm512_testn_epi8_mask(same, before), bit);
    _mm512_store_si512(words_[word].data(), words);
    _mm512_store_si512(bytes_[word].data(), bytes);
    _mm512_store_si512(bits_[word].data(), product(Base::eight_times(0x0102040810204080U), first));
  }

  // Which positions of a key, a bit each, are in a word of the block, in a byte of their word, and
  // which are a bit of their byte (the last bit first): eight bytes a key.
  HWY_ALIGN std::array<Row, Words> words_;
  HWY_ALIGN std::array<Row, Words> bytes_;
  HWY_ALIGN std::array<Row, Words> bits_;
};

/// Calls `use` with Kernel<1> or Kernel<2>; false where the layout has other blocks or more words.
template <template <std::size_t> class Kernel, class Use>
HWY_INLINE bool with_bytes_kernel(const PlainBlocks& layout, Use& use) {
  if (layout.block_bits != 512 || layout.k > 14) return false;
  if (layout.k <= 7) {
    Kernel<1> kernel(layout);
    use(kernel);
  } else {
    Kernel<2> kernel(layout);
    use(kernel);
  }
  return true;
}
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
