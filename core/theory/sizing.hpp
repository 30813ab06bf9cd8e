// Choosing k for a given m, and m for a given rate.
//
// Domain everywhere: n >= 1, m >= 1, 0 < p < 1, else DomainError. Only k <= max_exact_probes are
// considered. Beyond m about 10^13 neighbouring m differ by less than double resolves.
#pragma once

#include <cstdint>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// The k that minimises the approximate rate among real numbers, (m/n) ln 2 (Bloom 1970).
[[nodiscard]] double optimal_k_real(std::uint64_t m, std::uint64_t n);

/// The k that minimises the classic rate among real numbers, -ln 2 / (n ln(1 - 1/m)); 0 for m = 1.
[[nodiscard]] double optimal_k_real_classic(std::uint64_t m, std::uint64_t n);

/// The best integer k.
struct OptimalProbes {
  std::uint64_t k = 1;  ///< the k with the lowest exact rate; the smallest of equals
  double rate = 1.0;    ///< its exact rate
};

/// The integer k with the lowest exact rate: at or next to (m/n) ln 2, for few keys well below it.
[[nodiscard]] OptimalProbes optimal_k(std::uint64_t m, std::uint64_t n);

/// A smallest filter for a rate.
struct FilterSize {
  std::uint64_t m = 0;  ///< the smallest m for which some k has a rate <= p [bits]
  std::uint64_t k = 0;  ///< the k with the lowest rate at that m
  double rate = 0.0;    ///< that rate
  /// The smallest k that meets p at that m: the cheapest lookups. 0 where none does.
  std::uint64_t fewest_probes = 0;
};

/// The smallest filter whose exact rate is at most p: at m - 1 every k misses p.
[[nodiscard]] FilterSize smallest_filter_exact(std::uint64_t n, double p);
/// The same by the approximate rate.
[[nodiscard]] FilterSize smallest_filter_approx(std::uint64_t n, double p);
/// The same by the classic rate.
[[nodiscard]] FilterSize smallest_filter_classic(std::uint64_t n, double p);

/// What the popular calculator hur.st/bloomfilter gives: m = ceil(n ln p / ln(1 / 2^(ln 2))),
/// k = round((m/n) ln 2), at least 1; rate = the approximate one at that m and k, often above p.
[[nodiscard]] FilterSize popular_calculator(std::uint64_t n, double p);

}  // namespace bloomlab::theory
