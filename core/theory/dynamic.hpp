// The dynamic filter: equal filters, a new one when the last is full.
#pragma once

#include <cstdint>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// The compound rate of filters of m bits and k probes that take c keys each:
/// 1 - (1 - f(c))^floor(n/c) (1 - f(n mod c)), f the exact rate. Exact for ideal hashing.
/// @param c keys per filter, >= 1   @param n distinct keys, 0 gives 0
/// Throws DomainError as exact_fpr does. Source: Guo, Wu, Chen, Luo 2006, "Theory and network
/// applications of dynamic Bloom filters".
[[nodiscard]] double dynamic_fpr(std::uint64_t m, std::uint64_t k, std::uint64_t c,
                                 std::uint64_t n);

/// The same with the approximate rate.
[[nodiscard]] double dynamic_approx_fpr(std::uint64_t m, std::uint64_t k, std::uint64_t c,
                                        std::uint64_t n);

}  // namespace bloomlab::theory
