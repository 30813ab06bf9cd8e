// Some positions of one key at once (core/probe/products.hpp), with the vectors for which the
// calling unit is compiled, where it is compiled for a processor of AMD: a Zen 4 multiplies eight
// pairs of numbers in vectors while it multiplies two or three of them one by one. A Cascade Lake
// takes 1.5 times as long by the vectors, so that units for others multiply one by one.
//
// As of core/simd/one_lane_block.hpp: what differs from unit to unit stands in a namespace that is
// named after the vectors, has no symbol, and is always inlined.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bits/wide_product.hpp"

#if defined(__AVX2__) && (defined(__znver1__) || defined(__znver2__) || defined(__znver3__) || \
                          defined(__znver4__) || defined(__znver5__))
#define BLOOMLAB_ONE_KEY_PRODUCTS 1
#endif

#if defined(BLOOMLAB_ONE_KEY_PRODUCTS)
#include <immintrin.h>
#endif

namespace bloomlab::simd {

inline constexpr std::size_t products_at_once = 8;

#if defined(BLOOMLAB_ONE_KEY_PRODUCTS)
inline namespace one_key_products_avx2 {

inline constexpr bool has_products_at_once = true;

/// The positions floor((word * factors[i] mod 2^64) m / 2^64) of eight factors.
struct ProductsAtOnce {
  alignas(32) std::array<std::uint64_t, products_at_once> positions;

  [[gnu::always_inline]] ProductsAtOnce(std::uint64_t word, const std::uint64_t* factors,
                                        std::uint64_t m) noexcept {
    const __m256i words = _mm256_set1_epi64x(static_cast<long long>(word));
    const __m256i cells = _mm256_set1_epi64x(static_cast<long long>(m));
    for (std::size_t i = 0; i < products_at_once; i += 4) {
      const auto* const from = reinterpret_cast<const __m256i*>(factors + i);
      const __m256i product = low_product(words, _mm256_loadu_si256(from));
      const __m256i middle =
          _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(product, 32), cells),
                           _mm256_srli_epi64(_mm256_mul_epu32(product, cells), 32));
      __m256i high = _mm256_srli_epi64(middle, 32);
      if (m >> 32 != 0) high = _mm256_add_epi64(high, above(product, middle, m >> 32));
      _mm256_store_si256(reinterpret_cast<__m256i*>(positions.data() + i), high);
    }
  }

 private:
  // What the upper half of m adds to the high half of a product.
  [[gnu::always_inline]] static __m256i above(__m256i product, __m256i middle,
                                              std::uint64_t upper) noexcept {
    const __m256i cells = _mm256_set1_epi64x(static_cast<long long>(upper));
    const __m256i low_half = _mm256_set1_epi64x(0xffffffff);
    const __m256i carried =
        _mm256_add_epi64(_mm256_mul_epu32(product, cells), _mm256_and_si256(middle, low_half));
    return _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(product, 32), cells),
                            _mm256_srli_epi64(carried, 32));
  }
  // The low 64 bits of a b.
  [[gnu::always_inline]] static __m256i low_product(__m256i a, __m256i b) noexcept {
    const __m256i crossed = _mm256_mullo_epi32(a, _mm256_shuffle_epi32(b, _MM_SHUFFLE(2, 3, 0, 1)));
    const __m256i upper =
        _mm256_add_epi32(_mm256_slli_epi64(crossed, 32),
                         _mm256_and_si256(crossed, _mm256_set1_epi64x(-0x100000000)));
    return _mm256_add_epi64(_mm256_mul_epu32(a, b), upper);
  }
};

}  // namespace one_key_products_avx2
#else
inline namespace one_key_products_portable {

inline constexpr bool has_products_at_once = false;

struct ProductsAtOnce {
  std::array<std::uint64_t, products_at_once> positions;

  [[gnu::always_inline]] ProductsAtOnce(std::uint64_t word, const std::uint64_t* factors,
                                        std::uint64_t m) noexcept {
    for (std::size_t i = 0; i < products_at_once; ++i) {
      positions[i] = multiply_high(word * factors[i], m);
    }
  }
};

}  // namespace one_key_products_portable
#endif

}  // namespace bloomlab::simd
