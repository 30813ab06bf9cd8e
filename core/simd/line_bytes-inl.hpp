// The kernels of blocks of 512 bits, taken as bytes of one register, for the later AVX-512. For
// kernels only: compiled once for every target.

#if defined(BLOOMLAB_SIMD_LINE_BYTES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BLOOMLAB_SIMD_LINE_BYTES_INL
#undef BLOOMLAB_SIMD_LINE_BYTES_INL
#else
#define BLOOMLAB_SIMD_LINE_BYTES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/simd/lanes-inl.hpp"
#include "core/simd/line_base-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3_DL
/// Blocks of 512 bits as the 64 bytes of a register: the positions of a key in `Words` words of its
/// stream are a word of the block (3 bits), a byte of that (3) and a bit of that (3), which are
/// taken out for eight keys at once, eight bytes per key.
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
  static constexpr std::size_t nearest_ahead = 2;

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
  static constexpr std::size_t nearest_ahead = 1;

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
  // which are a bit of their byte (the last bit first): eight bytes per key.
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

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
