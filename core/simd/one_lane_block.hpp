// One key against its split block, with the vectors for which the calling unit is compiled. Batches
// go by the kernels of core/simd/lane_blocks.cpp, which choose at run time.
//
// Units of one program may be compiled for different processors. So that the linker never takes one
// unit's code for another's, the functions stand in a namespace that is named after the vectors,
// have no symbol, and are always inlined; so is every function between them and the program.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bits/block_layouts.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bloomlab::simd {

#if defined(__AVX2__)
inline namespace one_key_avx2 {

/// Whether the program's vectors hold a split block.
inline constexpr bool one_vector_is_a_block = true;

/// Four words. In contrast to __m256i they are known to be words, so that the compiler keeps what
/// is none (the filter's address, the number of keys) in registers from key to key.
using Words [[gnu::vector_size(32), gnu::aligned(8)]] = std::uint64_t;

/// The bits of a key in its block.
struct LaneMask {
  __m256i bits;

  [[gnu::always_inline]] explicit LaneMask(std::uint64_t digest) noexcept {
    const __m256i salts = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&LaneBlocks::salts));
    const __m256i low = _mm256_set1_epi32(static_cast<int>(digest));
    bits = _mm256_sllv_epi32(_mm256_set1_epi32(1),
                             _mm256_srli_epi32(_mm256_mullo_epi32(low, salts), 27));
  }
  /// Whether all of them are set in the block that begins at `block`.
  [[gnu::always_inline]] bool in(const std::uint64_t* block) const noexcept {
    return _mm256_testc_si256(load(block), bits) != 0;
  }
  /// Sets them; whether one was not set before.
  [[gnu::always_inline]] bool set(std::uint64_t* block) const noexcept {
    const __m256i before = load(block);
    *reinterpret_cast<Words*>(block) = reinterpret_cast<Words>(_mm256_or_si256(before, bits));
    return _mm256_testc_si256(before, bits) == 0;
  }

 private:
  [[gnu::always_inline]] static __m256i load(const std::uint64_t* block) noexcept {
    return reinterpret_cast<__m256i>(*reinterpret_cast<const Words*>(block));
  }
};

}  // namespace one_key_avx2
#elif defined(__SSE2__)
inline namespace one_key_sse2 {

inline constexpr bool one_vector_is_a_block = false;

/// Two words, known to be such (see above).
using Words [[gnu::vector_size(16), gnu::aligned(8)]] = std::uint64_t;

struct LaneMask {
  __m128i low;
  __m128i high;

  [[gnu::always_inline]] explicit LaneMask(std::uint64_t digest) noexcept {
    const __m128i word = _mm_set1_epi32(static_cast<int>(digest));
    low = bits_of<0>(word);
    high = bits_of<4>(word);
  }
  [[gnu::always_inline]] bool in(const std::uint64_t* block) const noexcept {
    const __m128i missing =
        _mm_or_si128(_mm_andnot_si128(load(block), low), _mm_andnot_si128(load(block + 2), high));
    return is_zero(missing);
  }
  [[gnu::always_inline]] bool set(std::uint64_t* block) const noexcept {
    const __m128i before_low = load(block);
    const __m128i before_high = load(block + 2);
    store(_mm_or_si128(before_low, low), block);
    store(_mm_or_si128(before_high, high), block + 2);
    return !is_zero(
        _mm_or_si128(_mm_andnot_si128(before_low, low), _mm_andnot_si128(before_high, high)));
  }

 private:
  [[gnu::always_inline]] static __m128i load(const std::uint64_t* words) noexcept {
    return reinterpret_cast<__m128i>(*reinterpret_cast<const Words*>(words));
  }
  [[gnu::always_inline]] static void store(__m128i bits, std::uint64_t* words) noexcept {
    *reinterpret_cast<Words*>(words) = reinterpret_cast<Words>(bits);
  }
  [[gnu::always_inline]] static bool is_zero(__m128i bits) noexcept {
    return _mm_movemask_epi8(_mm_cmpeq_epi32(bits, _mm_setzero_si128())) == 0xffff;
  }
  /// The bits of lanes First .. First + 3: of the low half of a product the five upper bits. A
  /// power of two is a float of nothing but an exponent (2^31 is beyond an int, and what the
  /// conversion gives for that is the very bit).
  template <std::size_t First>
  [[gnu::always_inline]] static __m128i bits_of(__m128i word) noexcept {
    constexpr auto salt = [](std::size_t i) {
      return static_cast<int>(LaneBlocks::salts[First + i]);
    };
    const __m128i one = _mm_mul_epu32(word, _mm_set_epi32(0, salt(1), 0, salt(0)));
    const __m128i other = _mm_mul_epu32(word, _mm_set_epi32(0, salt(3), 0, salt(2)));
    const __m128i products = _mm_castps_si128(
        _mm_shuffle_ps(_mm_castsi128_ps(one), _mm_castsi128_ps(other), _MM_SHUFFLE(2, 0, 2, 0)));
    const __m128i exponents = _mm_slli_epi32(_mm_srli_epi32(products, 27), 23);
    return _mm_cvttps_epi32(_mm_castsi128_ps(_mm_add_epi32(exponents, _mm_set1_epi32(0x3f800000))));
  }
};

}  // namespace one_key_sse2
#else
inline namespace one_key_portable {

inline constexpr bool one_vector_is_a_block = false;

struct LaneMask {
  BlockTarget target;

  [[gnu::always_inline]] explicit LaneMask(std::uint64_t digest) noexcept
      : target(LaneBlocks{.blocks = 1}.target(digest)) {}
  [[gnu::always_inline]] bool in(const std::uint64_t* block) const noexcept {
    std::uint64_t missing = 0;
    for (std::size_t i = 0; i < LaneBlocks::block_bits / 64; ++i) {
      missing |= target.mask[i] & ~block[i];
    }
    return missing == 0;
  }
  [[gnu::always_inline]] bool set(std::uint64_t* block) const noexcept {
    const bool before = in(block);
    for (std::size_t i = 0; i < LaneBlocks::block_bits / 64; ++i) block[i] |= target.mask[i];
    return !before;
  }
};

}  // namespace one_key_portable
#endif

}  // namespace bloomlab::simd
