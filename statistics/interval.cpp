#include "statistics/interval.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/distributions.hpp"
#include "statistics/require.hpp"

namespace bloomlab::statistics {
namespace {

// Where an increasing function of a rate crosses 0; 1 where it is still below 0 there. Boost's own
// inverse of the incomplete beta gives up at 1e12 hits of 1e13, hence doubling and a root.
template <class Function>
double crossing(const Function& f, double start) {
  double low = std::min(1.0, start);
  double high = low;
  while (f(high) < 0.0) {
    if (high >= 1.0) return 1.0;
    low = high;
    high = std::min(1.0, 2.0 * high);
  }
  while (f(low) > 0.0) {
    high = low;
    low /= 2.0;
  }
  return detail::solve(f, low, high);
}

// The rate at which P(H >= hits) is `tail`; hits >= 1.
double lower_end(const HitLaw& law, double hits, double tail) {
  return crossing([&](double rate) { return law.with_rate(rate).at_least(hits) - tail; },
                  hits / law.draws());
}

// The rate at which P(H <= hits) is `tail`; 1 where even that rate leaves more.
double upper_end(const HitLaw& law, double hits, double tail) {
  return crossing([&](double rate) { return tail - law.with_rate(rate).at_most(hits); },
                  (hits + 1.0) / law.draws());
}

}  // namespace

Interval clopper_pearson(std::uint64_t hits, std::uint64_t queries, double level) {
  detail::require_hits("clopper_pearson", hits, queries);
  detail::require_open_unit("clopper_pearson", "level", level);
  // The rarer side's rate is resolved finer: near 1 a double can only step by 1e-16.
  const auto draws = static_cast<double>(queries);
  const HitLaw law = HitLaw::binomial(draws, 0.5);
  if (hits <= queries / 2) return equal_tailed_interval(law, static_cast<double>(hits), level);
  const Interval misses = equal_tailed_interval(law, static_cast<double>(queries - hits), level);
  return {1.0 - misses.high, 1.0 - misses.low};
}

Interval wilson(std::uint64_t hits, std::uint64_t queries, double level) {
  detail::require_hits("wilson", hits, queries);
  detail::require_open_unit("wilson", "level", level);
  const auto draws = static_cast<double>(queries);
  const double p = static_cast<double>(hits) / draws;
  return score_interval(p, draws, -1.0 / draws, detail::normal_quantile_above((1.0 - level) / 2.0));
}

Interval score_interval(double p, double draws, double dispersion, double quantile) {
  detail::require_probability("score_interval", "share of hits", p);
  detail::require(draws > 0.0, "score_interval", "draws", draws, "be above 0");
  detail::require(quantile > 0.0, "score_interval", "quantile", quantile, "be above 0");
  detail::require(dispersion * draws >= -1.0 - 1e-12, "score_interval", "dispersion", dispersion,
                  "be at least -1/draws");
  // (1 - a) f^2 - (2 p + b) f + p^2 <= 0, solved without cancellation at either end.
  const double a = quantile * quantile * dispersion;
  const double b = quantile * quantile / draws;
  const double root = std::sqrt(std::max(0.0, 4.0 * p * b + b * b + 4.0 * a * p * p));
  const double twice_middle = 2.0 * p + b;
  const double low = 2.0 * p * p / (twice_middle + root);
  const double high = a < 1.0 && p < 1.0 ? (twice_middle + root) / (2.0 * (1.0 - a)) : 1.0;
  return {low, std::min(1.0, high)};
}

Interval equal_tailed_interval(const HitLaw& law, double hits, double level) {
  detail::require_open_unit("equal_tailed_interval", "level", level);
  detail::require(hits >= 0.0 && hits <= law.draws(), "equal_tailed_interval", "hits", hits,
                  "lie in 0 .. draws");
  const double tail = (1.0 - level) / 2.0;
  return {hits > 0.0 ? lower_end(law, hits, tail) : 0.0,
          hits < law.draws() ? upper_end(law, hits, tail) : 1.0};
}

}  // namespace bloomlab::statistics
