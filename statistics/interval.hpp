// Confidence intervals for the rate of one filter (or of any binomial count), and the two shapes,
// exact and score, from which ensemble.hpp makes those for many filters.
// Sources: Clopper and Pearson 1934, "The use of confidence or fiducial limits illustrated in the
// case of the binomial"; Wilson 1927, "Probable inference, the law of succession, and statistical
// inference"; Brown, Cai and DasGupta 2001, "Interval estimation for a binomial proportion" (why
// never Wald's).
#pragma once

#include <cstdint>

#include "statistics/hit_law.hpp"

namespace bloomlab::statistics {

/// Both ends belong to it.
struct Interval {
  double low = 0.0;
  double high = 0.0;

  [[nodiscard]] bool contains(double value) const noexcept { return low <= value && value <= high; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Exact interval with equal tails: covers with probability >= level whatever the rate. At 0 hits
/// it is [0, 1 - (alpha/2)^(1/queries)], about 3.69 / queries at level 0.95.
/// @param hits 0 .. queries   @param queries 1 .. 2^53   @param level in (0, 1)
/// Throws std::invalid_argument outside.
[[nodiscard]] Interval clopper_pearson(std::uint64_t hits, std::uint64_t queries, double level);

/// Score interval: covers with probability `level` on average over rates. Same domain.
[[nodiscard]] Interval wilson(std::uint64_t hits, std::uint64_t queries, double level);

/// All rates f with (p - f)^2 <= quantile^2 (f / draws + dispersion f^2): the score interval under
/// the variance of hit_law.hpp. Wilson's for dispersion = -1/draws. An end beyond 1 is 1.
/// @param p observed share in [0, 1]   @param draws > 0   @param dispersion >= -1/draws
/// @param quantile of the standardised difference, > 0
[[nodiscard]] Interval score_interval(double p, double draws, double dispersion, double quantile);

/// All rates that neither tail test at (1 - level) / 2 rejects under `law`, whose own rate is not
/// used, only its kind, draws and dispersion: Clopper and Pearson's construction for any law.
/// @param law an exact kind (binomial or gamma_poisson)   @param hits 0 .. draws
[[nodiscard]] Interval equal_tailed_interval(const HitLaw& law, double hits, double level);

}  // namespace bloomlab::statistics
