// The floor that a short hash puts under the rate.
#pragma once

#include <cstdint>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// The rate of a filter all of whose positions derive from one hash of H bits.
struct HashWidthRate {
  double collision = 0.0;  ///< c = 1 - (1 - 2^-H)^n: an absent key has an inserted key's hash
  double distinct_fingerprints = 0.0;  ///< expected different hashes of the n inserted keys, 2^H c
  double rate = 0.0;                   ///< c + (1 - c) (1 - e^(-k 2^H c / m))^k
};

/// @param hash_bits H, in 1..512   @param n distinct keys, 0 gives 0   @param m bits, >= 1
/// @param k probes, >= 1
/// Throws DomainError. Source: derived here; 32-bit hashes in billion-key filters are the known
/// case. Inner rate: the approximate one.
[[nodiscard]] HashWidthRate hash_width_rate(std::uint64_t hash_bits, std::uint64_t n,
                                            std::uint64_t m, std::uint64_t k);

/// How many different hashes of H bits n keys are expected to have, 2^H c, as a whole number: the
/// keys of which a filter takes notice.
/// @param hash_bits H, in 1..512   @return in 1..n; 0 for n = 0. Throws DomainError.
[[nodiscard]] std::uint64_t different_hashes(std::uint64_t hash_bits, std::uint64_t n);

}  // namespace bloomlab::theory
