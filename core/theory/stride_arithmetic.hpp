// How the positions of a key come from two words, as machines compute them
// (core/theory/strides.hpp).
#pragma once

namespace bloomlab::theory {

/// What becomes of a negative word before or after its reduction.
enum class SignFold {
  unsigned_word,  ///< words are not signed
  absolute,       ///< |word % m|
  complement      ///< ~word % m
};

/// How the i-th position of a key comes from two words a and b of W bits: a + i b, modulo 2^W, its
/// sign folded, modulo m.
struct StrideArithmetic {
  unsigned word_bits = 64;  ///< W; 0: words that never wrap
  SignFold fold = SignFold::unsigned_word;
  unsigned first = 0;         ///< i of the first probe
  bool squares = false;       ///< a + i b + i^2
  bool stride_alone = false;  ///< the probe i = 1 is b, without a
  unsigned rotation = 0;      ///< b is a turned left by so many bits, W = 32; 0: b is a hash itself
};

}  // namespace bloomlab::theory
