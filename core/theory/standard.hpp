// The standard Bloom filter: its false-positive rate by the formulas of the literature, the law of
// its set bits, and how far one filter strays from the mean.
//
// Everywhere: m filter bits, n distinct keys inserted, k probes per key. Domain: m >= 1 and
// k >= 1, else DomainError; n = 0 gives 0. Sizes above 2^53 are rounded to the nearest double.
// Ideal hashing is assumed: the k n positions of the inserts and the k of a query are independent
// and uniform.
#pragma once

#include <cstdint>
#include <optional>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory {

/// Largest k for which the exact rates are tested, and for which they answer.
inline constexpr std::uint64_t max_exact_probes = 256;

/// The textbook rate (1 - e^(-kn/m))^k.
/// @return probability in [0, 1], to about k roundings. Always below the exact rate for k >= 2; by
/// about 1/m, relatively, at 10 bits per key.
/// Source: Bloom 1970, "Space/time trade-offs in hash coding with allowable errors", in the form of
/// Broder and Mitzenmacher 2004, "Network applications of Bloom filters: a survey".
[[nodiscard]] double approx_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k);

/// The rate (1 - (1 - 1/m)^(kn))^k: the mean fill to the power k.
/// @return probability in [0, 1], to about k roundings; between approx_fpr and exact_fpr.
/// Source: Broder and Mitzenmacher 2004, ibid.
[[nodiscard]] double classic_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k);

/// The exact rate E[(X/m)^k], X the number of set bits, positions drawn with replacement.
/// @return probability in [0, 1], relative error below 1e-13 (tested for k <= 256, m from 1 to 2^48
/// and any n); a rate below 1e-308 loses digits, then is 0. At most a few hundred microseconds.
/// Throws DomainError also for k > max_exact_probes.
/// Sources: Bose, Guo, Kranakis, Maheshwari, Morin, Morrison, Smid, Tang 2008, "On the
/// false-positive rate of Bloom filters"; Christensen, Roginsky, Jimeno 2010, "A new analysis of
/// the false positive rate of a Bloom filter". How: detail/occupancy_contour.hpp.
[[nodiscard]] double exact_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k);

/// The rate of a query for several different absent keys at once, where all of them must be
/// reported (a conjunction): E[(X/m)^(k keys)]. A little above the rate of one key to the power
/// `keys`, since all are looked up in the same filter.
/// @param keys of a query, >= 1
/// @return probability in [0, 1], as exact as exact_fpr. Throws DomainError also for more than
/// max_exact_probes probes of all keys together.
[[nodiscard]] double conjunction_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                                     std::uint64_t keys);

/// log2 of exact_fpr, also where the rate is below the smallest double; -infinity for n = 0.
[[nodiscard]] double log2_exact_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k);

/// The exact rate when a key takes k different positions, in inserts and in queries:
/// sum_i (-1)^i C(k,i) [C(m-i,k) / C(m,k)]^n, computed from positive terms.
/// @return probability in [0, 1], relative error below 1e-12; nothing for k > m, where there are no
/// k different positions. Throws DomainError also for k > max_exact_probes.
/// Source: the committee problem; Burns 2019, "On occupancy moments and Bloom filter efficiency".
[[nodiscard]] std::optional<double> exact_fpr_without_replacement(std::uint64_t m, std::uint64_t n,
                                                                  std::uint64_t k);

/// Expected number of set bits, m (1 - (1 - 1/m)^(kn)) [bits].
[[nodiscard]] double mean_set_bits(std::uint64_t m, std::uint64_t n, std::uint64_t k);

/// Variance of the number of set bits [bits^2]; below the binomial m f (1 - f) of fill f, since
/// bits compete for the same kn positions. In 50-digit arithmetic, since its terms cancel.
[[nodiscard]] double var_set_bits(std::uint64_t m, std::uint64_t n, std::uint64_t k);

/// Standard deviation, over filters, of the conditional rate (X/m)^k: what separates one filter's
/// own rate from the mean over filters.
/// @return in [0, 1/2], relative error below 1e-9. Takes microseconds where the digits of `long
/// double` suffice for E[(X/m)^2k] - f^2, which they do on x86 for most filters, and else
/// milliseconds, by 50-digit arithmetic. Throws DomainError also for k > max_exact_probes.
[[nodiscard]] double sd_conditional_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k);

}  // namespace bloomlab::theory
