// How many keys a filter holds, from its set bits.
#pragma once

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

}  // namespace bloomlab::theory
