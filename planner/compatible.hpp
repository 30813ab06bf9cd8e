// The conventions of the calculators found on the web, hur.st/bloomfilter above all. They round k
// to the nearest integer after choosing m for a real k, and round n up: both can miss the rate.
#pragma once

#include <cstdint>
#include <optional>

#include "planner/request.hpp"

namespace bloomlab::planner {

/// Fills n, m, k, p and rate:
///   m = ceil(n ln p / ln(1 / 2^(ln 2))), with k given ceil(-k n / ln(1 - p^(1/k)));
///   k = round((m/n) ln 2), at least 1;
///   n = ceil(m / (-k / ln(1 - p^(1/k)))), without k ceil(m ln(1 / 2^(ln 2)) / ln p);
///   p = (1 - e^(-kn/m))^k where it is not given.
/// @param size m, from bits or memory, if given. Throws theory::DomainError beyond 2^61 bits.
void solve_compatible(const Request& request, std::optional<std::uint64_t> size, Plan& plan);

}  // namespace bloomlab::planner
