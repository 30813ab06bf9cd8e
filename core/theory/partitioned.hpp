// The partitioned filter: one slice of the bits for each probe.
#pragma once

#include <cstdint>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// The exact rate prod_i (1 - (1 - 1/s_i)^n) of a filter of k slices: s_i = floor(m/k) bits, the
/// first m mod k slices one bit more. Slices are independent, so nothing is approximated (ideal
/// hashing). A little above the standard filter of the same m and k.
/// @param m filter bits, >= k   @param n distinct keys, 0 gives 0   @param k slices, >= 1
/// Throws DomainError. Sources: Mullin 1983, "A second look at Bloom filters"; Broder and
/// Mitzenmacher 2004, "Network applications of Bloom filters: a survey".
[[nodiscard]] double partitioned_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k);

/// Standard deviation, over filters, of the conditional rate prod_i X_i / s_i; exact, since the set
/// bits X_i of the slices are independent. Arguments and errors as partitioned_fpr.
[[nodiscard]] double sd_partitioned_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k);

}  // namespace bloomlab::theory
