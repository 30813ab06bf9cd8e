// The counters of a counting filter: how likely one overflows.
//
// Domain: m >= 1 counters, N hashes (N = k times the keys inserted), j in 1..65536 (a counter of w
// bits overflows when it should reach j = 2^w), else DomainError.
#pragma once

#include <cstdint>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// Largest counter value that is computed.
inline constexpr std::uint64_t most_count = 65536;

/// P(the largest of m counters is at least j) after N hashes, exact for ideal hashing:
/// 1 - N!/m^N [x^N] (sum_{i<j} x^i/i!)^m.
/// @return probability in [0, 1], relative error below 1e-9, however small (no term cancels).
/// Source: the multinomial maximum; how: detail/poisson_kernel.hpp.
[[nodiscard]] double counter_reaches(std::uint64_t m, std::uint64_t N, std::uint64_t j);

/// The union bound min(1, m P(Binomial(N, 1/m) >= j)) of the same.
[[nodiscard]] double counter_reaches_union_bound(std::uint64_t m, std::uint64_t N, std::uint64_t j);

/// The bound m (e N / (j m))^j; not clipped to 1.
/// Source: Fan, Cao, Almeida, Broder 2000, "Summary cache".
[[nodiscard]] double counter_reaches_fan_bound(std::uint64_t m, std::uint64_t N, std::uint64_t j);

}  // namespace bloomlab::theory
