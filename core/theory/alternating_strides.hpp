// Positions to which two words are added in turn: a, a + b, 2a + b, 2a + 2b, 3a + 2b, ...
//
// With s = a + b every second position is a multiple of s alone: s, 2s, 3s, ... So a key that has a
// query's s modulo m, of n keys n/m, sets most of these positions at once, however large the filter
// is; and the multiples by even numbers leave odd positions to the others where m is even.
#pragma once

#include <cstdint>
#include <memory>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// The rate of a filter of m bits whose keys take such positions from two words of 63 bits, which
/// wrap, modulo m. Means over fixed samples of filters that are filled; beyond 2^14 keys smaller
/// ones of the same load and the same residue modulo 128 stand for the filter. Of these, what
/// queries owe to meeting one key in two positions is scaled, since it falls as 1/m.
/// @param m bits, 1..2^62   @param n distinct keys, 0 gives 0   @param k probes, 1..256
/// @param error relative standard error at which the samples end, if not before at 2^23 queries:
/// of 20 probes that leaves about 2 % at a rate of 2 * 10^-5, and 15 % at 10^-6
/// @return in [0, 1]. Hundredths of a second to two. Throws DomainError.
/// Source: derived here; the scheme is that of Redisson's RedissonBloomFilter.java.
[[nodiscard]] double alternating_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                                     double error = 0.005);

/// alternating_fpr of one filter at several errors: a finer one goes on from the samples of a
/// rougher one. Copies share the samples; not for several threads at once.
class AlternatingRate {
 public:
  /// As alternating_fpr, which says what throws at a call.
  AlternatingRate(std::uint64_t m, std::uint64_t n, std::uint64_t k);

  [[nodiscard]] double operator()(double error) const;
  /// Whether the rate at this error is above a limit: soon where it is far above.
  [[nodiscard]] bool above(double error, double limit) const;

 private:
  class Samples;
  std::shared_ptr<Samples> samples_;
};

}  // namespace bloomlab::theory
