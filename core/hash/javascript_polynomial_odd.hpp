// The hash of an article's Bloom filter in JavaScript (2011): a polynomial of the characters, with
// odd multipliers that hardly ever coincide.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash/hash_base.hpp"

namespace bloomlab {
/// h = 0; for every byte c of the key (as its characters, for ASCII): h = (multiplier h + c) modulo
/// 2^32. Word 0 is h, widened (widened_32): the reduction `signed_modulo` reads it as the article's
/// program does, as a signed number, `modulo_32` as the program with the slip corrected.
/// The multiplier is one of the 2^20 odd numbers below 2^21, the largest range whose products stay
/// below 2^53, where JavaScript computes exactly: ten functions of a family coincide with
/// probability 4e-5, where ten drawn from 32 numbers do with 0.79; and no odd multiplier forgets
/// characters.
struct JavascriptPolynomialOdd : HashBase<JavascriptPolynomialOdd, 1, 32> {
  static constexpr std::string_view name = "javascript_polynomial_odd";
  static constexpr std::string_view source =
      "an article of 2011 on a Bloom filter in JavaScript; multipliers odd and from a larger range";

  /// The multiplier that a seed stands for: drawn by the KeyedPermutation of the seed, all alike.
  [[nodiscard]] static std::uint32_t multiplier(std::uint64_t seed);

  struct Function;
};

}  // namespace bloomlab
