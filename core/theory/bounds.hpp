// What any filter must pay: the information-theoretic lower bound.
// Source: Carter, Floyd, Gill, Markowsky, Wegman 1978, "Exact and approximate membership testers".
#pragma once

#include <cstdint>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// Fewest bits of any filter for n keys of an unbounded universe at rate eps: n log2(1/eps) [bits].
/// @param eps in (0, 1]. A Bloom filter with the real-valued best k pays log2 e = 1.4427 times it.
[[nodiscard]] double lower_bound_bits(std::uint64_t n, double eps);

/// Fewest bits in a universe of u keys: log2 C(u, n) / C(n + eps (u - n), n) [bits]: 2^bits filters
/// that accept n + eps (u - n) keys each must serve all C(u, n) sets.
/// @param u keys of the universe, >= n   @param eps in [0, 1]; at 0 the bits of the set itself
/// @return to 12 digits, in 50-digit arithmetic; binomials of real arguments by the gamma function.
[[nodiscard]] double lower_bound_finite_bits(std::uint64_t u, std::uint64_t n, double eps);

}  // namespace bloomlab::theory
