// The multiply-mix hash (core/hash/multiply_mix_64.hpp) of many integer keys at once.
#pragma once

#include <cstdint>
#include <span>

namespace bloomlab::simd {

/// The high half of the product x y, xored with the low one.
#if defined(__BMI2__) && defined(__x86_64__)
// GCC 12 moves both halves once more before it uses them. The namespace is named after the
// processor, as in core/simd/one_lane_block.hpp.
inline namespace product_bmi2 {
[[nodiscard, gnu::always_inline]] inline std::uint64_t fold_product(std::uint64_t x,
                                                                    std::uint64_t y) noexcept {
  std::uint64_t low;
  std::uint64_t high;
  asm("mulx %3, %0, %1" : "=r"(low), "=r"(high) : "d"(x), "r"(y));
  return high ^ low;
}
}  // namespace product_bmi2
#else
inline namespace product_portable {
[[nodiscard, gnu::always_inline]] inline std::uint64_t fold_product(std::uint64_t x,
                                                                    std::uint64_t y) noexcept {
  __extension__ using Product = unsigned __int128;
  const Product product = static_cast<Product>(x) * y;
  return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
}
}  // namespace product_portable
#endif

/// How a key's last bytes, as a number, become its digest.
struct MultiplyMixEnd {
  // The first 64 fractional bits of the square roots of 17 and 19.
  static constexpr std::uint64_t c2 = 0x1f83d9abfb41bd6bULL;
  static constexpr std::uint64_t c3 = 0x5be0cd19137e2179ULL;

  std::uint64_t factor = 0;  ///< what the seed and the bytes before made, odd
  std::uint64_t length = 0;  ///< of the key [bytes]

  [[nodiscard, gnu::always_inline]] std::uint64_t operator()(std::uint64_t last) const noexcept {
    return fold_product(fold_product(last ^ c2, factor) ^ length, c3);
  }
};

/// out[j] = end(keys[j]). Precondition: out has room for keys.size() words.
void multiply_mix(std::span<const std::uint64_t> keys, const MultiplyMixEnd& end,
                  std::uint64_t* out);

}  // namespace bloomlab::simd
