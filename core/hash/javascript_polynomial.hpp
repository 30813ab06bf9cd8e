// The hash of an article's Bloom filter in JavaScript (2011): a polynomial of the characters.
// Not a good hash: kept as it was, so that the article's measurements can be reproduced.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash/hash_base.hpp"

namespace bloomlab {
/// h = 0; for every byte c of the key (as its characters, for ASCII): h = (multiplier h + c) modulo
/// 2^32. Word 0 is h, widened (widened_32): the reduction `signed_modulo` reads it as the article's
/// program does, as a signed number, `modulo_32` as the program with the slip corrected.
/// The multiplier is one of 32 .. 63, so functions of a family may coincide; an even one forgets
/// all but the last characters, as its powers vanish modulo 2^32.
struct JavascriptPolynomial : HashBase<JavascriptPolynomial, 1, 32> {
  static constexpr std::string_view name = "javascript_polynomial";
  static constexpr std::string_view source = "an article of 2011 on a Bloom filter in JavaScript";

  /// The multiplier that a seed stands for: drawn by the KeyedPermutation of the seed, all alike.
  [[nodiscard]] static std::uint32_t multiplier(std::uint64_t seed);

  struct Function;
};

}  // namespace bloomlab
