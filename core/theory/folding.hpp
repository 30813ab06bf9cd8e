// Folding a filter of m bits to m2 < m by taking positions modulo m2.
#pragma once

#include <cstdint>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// The rate after folding. Where m2 divides m it is exact_fpr(m2, n, k). Elsewhere m mod m2 of the
/// new bits stand for one old bit more than the others; the rate is then the fill that a query
/// position sees on average, to the power k: an approximation with relative error about k^2/m.
/// @param m bits before, >= m2   @param m2 bits after, >= 1   @param n keys, 0 gives 0
/// Throws DomainError. Source: derived here; the idea of folding is folklore ("compressed" in some
/// notes, which is another thing, see compressed.hpp).
[[nodiscard]] double folded_fpr(std::uint64_t m, std::uint64_t m2, std::uint64_t n,
                                std::uint64_t k);

}  // namespace bloomlab::theory
