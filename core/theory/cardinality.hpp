// How many keys a filter holds, from its set bits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// The number of keys at which X set bits of m are expected: ln(1 - X/m) / (k ln(1 - 1/m)).
/// @param m bits, >= 1   @param k probes, >= 1   @param set_bits X <= m
/// @return keys, >= 0; nothing for X = m > 0, where any large number fits. Throws DomainError.
/// Source: the inverse of the mean of set bits; compare swamidass_baldi_keys.
[[nodiscard]] std::optional<double> estimated_keys(std::uint64_t m, std::uint64_t k,
                                                   std::uint64_t set_bits);

/// The same for large m: -(m/k) ln(1 - X/m); relative difference 1/(2m).
/// Source: Swamidass, Baldi 2007, "Mathematical correction for fingerprint similarity measures".
[[nodiscard]] std::optional<double> swamidass_baldi_keys(std::uint64_t m, std::uint64_t k,
                                                         std::uint64_t set_bits);

/// Standard deviation of estimated_keys for a filter that holds n keys [keys], by the first-order
/// propagation of the spread of X.
[[nodiscard]] double sd_estimated_keys(std::uint64_t m, std::uint64_t k, std::uint64_t n);

/// A size that the fill of a filter asks for.
struct SmallerFilter {
  double keys = 0.0;       ///< swamidass_baldi_keys of the fill
  std::uint64_t bits = 1;  ///< ceil(-keys ln(fpr) / (ln 2)^2), at least 1; more than m where too
                           ///< many keys came
  double rate = 0.0;       ///< of the filter as it is: (X/m)^k
};

/// The bits in which a filter of m bits, of which X are set, would be built anew for the rate
/// `fpr`, for the keys that are in it.
/// @param m bits, >= 1   @param k probes, >= 1   @param set_bits X < m   @param fpr in (0, 1)
/// Throws DomainError. Source: the sizing rule of Bloom filters, for the keys by Swamidass, Baldi
/// 2007.
[[nodiscard]] SmallerFilter smaller_filter(std::uint64_t m, std::uint64_t k, std::uint64_t set_bits,
                                           double fpr);

/// Blocks of a filter, of `groups` groups of `choices` sectors each: in every group a key sets
/// `bits_per_group` positions, with replacement, in one sector. Without groups and choices, that is
/// a block with its probes.
struct BlockShape {
  std::uint64_t blocks = 1;
  std::uint64_t groups = 1;
  std::uint64_t choices = 1;
  std::uint64_t sector_bits = 1;
  std::uint64_t bits_per_group = 1;

  [[nodiscard]] std::uint64_t bits() const noexcept {
    return blocks * groups * choices * sector_bits;
  }
};

/// The number of keys at which X set bits are expected in a filter of blocks: ln(1 - X/m) /
/// ln(1 - c/B), for c the share of a block's keys that set one given bit of it, and B blocks.
/// @return keys, >= 0; nothing for X = m. Throws DomainError for X > m and a shape with a 0.
/// Source: own; every key leaves a given bit as it is with probability 1 - c/B, independently.
[[nodiscard]] std::optional<double> estimated_keys(const BlockShape& shape, std::uint64_t set_bits);

/// Standard deviation of it for a filter that holds n keys [keys], by the first-order propagation
/// of the spread of X. That spread is exact: it sums, over the pairs of bits, the probability that
/// no key sets either; blocks that got more keys than others make it wider than that of a standard
/// filter.
[[nodiscard]] double sd_estimated_keys(const BlockShape& shape, double n);

/// Bits of two kinds, which keys set with different probabilities: slices of two lengths, or
/// positions that more or fewer of the positions before folding stand for.
struct UnevenBits {
  std::array<double, 2> bits = {};      ///< of each kind
  std::array<double, 2> log_kept = {};  ///< ln P(a key leaves a given bit of the kind as it is)
  /// Ordered pairs of different bits that are not independent, both of kind 0, both of kind 1, or
  /// one of each; and ln P(a key leaves both as they are).
  std::array<double, 3> pairs = {};
  std::array<double, 3> log_both_kept = {};
};
/// Of k slices: floor(m/k) bits each, the first m mod k one more. @param k >= 1, at most m
[[nodiscard]] UnevenBits sliced_bits(std::uint64_t m, std::uint64_t k);
/// Of m positions folded to m2 bits by the remainder, under k probes. @param m2 >= 1, at most m
[[nodiscard]] UnevenBits folded_bits(std::uint64_t m, std::uint64_t m2, std::uint64_t k);

/// The number of keys at which X set bits are expected, by bisection.
/// @return keys, >= 0; nothing where all bits are set. Throws DomainError for more set bits.
/// Source: own; every key leaves a given bit as it is independently of other keys.
[[nodiscard]] std::optional<double> estimated_keys(const UnevenBits& shape, std::uint64_t set_bits);

/// Standard deviation of it for a filter that holds n keys [keys], by the first-order propagation
/// of the spread of X, which is exact.
[[nodiscard]] double sd_estimated_keys(const UnevenBits& shape, double n);

}  // namespace bloomlab::theory
