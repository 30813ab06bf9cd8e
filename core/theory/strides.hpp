// Positions a + i b as machines compute them: words that wrap, signs that fold back, and a stride
// that is made from the first position.
//
// Textbook double hashing takes a + i b modulo m and adds C/m to the rate of independent positions
// (double_hashing.hpp has it exactly). A program adds words of W bits, which wrap 2^W mod m away
// from the progression, and folds negative ones: its excess is another, often smaller. A stride
// that is a rotation of the first position adds what does not vanish with m: 2^W mod (2^W - 1) is
// 1, so that the rotation is a product modulo every divisor of 2^W - 1, and where such a divisor
// divides m the positions crowd into some of its residue classes.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "core/theory/domain_error.hpp"
#include "core/theory/stride_arithmetic.hpp"

namespace bloomlab::theory {

/// The rate of a filter of m bits with such positions: that of independent ones, with what keys add
/// that meet a query in two positions or more (to the second order in their number), what positions
/// of one key that coincide change (to the first), and for a rotated stride the fill and the query
/// in each residue class of gcd(m, 2^32 - 1), and equal hashes. Means over fixed samples. Of a
/// small filter of up to 64 keys, or where a query meets a key in two positions more often than not
/// (n k^2 (k - 1)^2 > 2 m^2), the mean over filters that are filled (double_hashing_fpr where a + i
/// b is textbook): to some per cent, where words wrap to a third from 30 probes on and to a factor
/// of two from 64 on. A filter is small up to m + 2 n k of 4 * 10^4, and where keys are met so
/// often of 1.7 * 10^5.
/// @param m bits, >= 1   @param n distinct keys, 0 gives 0   @param k probes, 1..256
/// @param error relative standard error at which the samples end, if not before at 2^18/k of them
/// @return in [0, 1]. Of a larger filter where keys meet so often, an estimate that may be far too
/// low: coinciding positions of one key and equal words modulo m alone.
/// Of the others, 23 of 4335 to 65 280 bits and 11 to 30 probes were right to 16 per cent, those
/// without a rotation to 7.
/// Milliseconds, tens of them for a rotation or where strides add much, a tenth of a second or two
/// for filters that are filled. Throws DomainError.
/// Sources: derived here; the schemes are Kirsch and Mitzenmacher 2006, "Less hashing, same
/// performance", and, for the rotation, LevelDB's util/bloom.cc.
[[nodiscard]] double strided_fpr(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t n,
                                 std::uint64_t k, double error = 0.003);

/// strided_fpr of one filter at several errors: a finer one goes on from the samples of a rougher
/// one. Copies share the samples; not for several threads at once.
class StridedRate {
 public:
  /// As strided_fpr, which says what throws at a call.
  StridedRate(const StrideArithmetic& strides, std::uint64_t m, std::uint64_t n, std::uint64_t k);

  [[nodiscard]] double operator()(double error) const;
  /// The rate of such a filter with other keys. What depends on no key is shared. Throws as a call.
  [[nodiscard]] StridedRate for_keys(std::uint64_t n) const;
  /// Whether the rate at this error is above a limit: at once where equal hashes alone are.
  [[nodiscard]] bool above(double error, double limit) const;

 private:
  class Samples;
  explicit StridedRate(std::shared_ptr<Samples> samples) : samples_(std::move(samples)) {}
  std::shared_ptr<Samples> samples_;
};

}  // namespace bloomlab::theory
