#include "statistics/hit_law.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/distributions.hpp"
#include "statistics/require.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::statistics {
namespace {

double step(bool reached) { return reached ? 1.0 : 0.0; }

double rarer(double rate) { return std::min(rate, 1.0 - rate); }

double checked_dispersion(const char* where, const RateLaw& law, const Sampling& sampling) {
  require_valid(where, law);
  require_valid(where, sampling);
  const double rare_rate = rarer(law.rate);
  if (!(rare_rate > 0.0)) return -1.0 / sampling.total();
  const double relative_variance = law.variance / rare_rate / rare_rate;
  return (relative_variance * static_cast<double>(sampling.queries - 1) - 1.0) / sampling.total();
}

// Smallest whole number in [low, high] at which a monotone condition holds; `high` if none below.
template <class Condition>
double first_that(double low, double high, Condition holds) {
  while (low < high) {
    const double middle = std::floor(low + (high - low) / 2.0);
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1.0;
    }
  }
  return high;
}

}  // namespace

void require_valid(const char* where, const RateLaw& law) {
  detail::require_probability(where, "rate", law.rate);
  // A relative slack: the largest variance, f (1 - f), may come from a formula that rounds.
  const double largest = law.rate * (1.0 - law.rate) * (1.0 + 1e-12);
  detail::require(law.variance >= 0.0 && law.variance <= largest, where, "rate variance",
                  law.variance, "lie in [0, rate (1 - rate)]");
}

void require_valid(const char* where, const Sampling& sampling) {
  detail::require_positive_count(where, "trials", sampling.trials);
  detail::require_positive_count(where, "queries", sampling.queries);
  detail::require(sampling.total() <= static_cast<double>(detail::largest_count), where,
                  "trials * queries", sampling.total(), "not exceed 2^53");
}

double design_effect(const RateLaw& law, std::uint64_t queries) {
  require_valid("design_effect", law);
  detail::require_positive_count("design_effect", "queries", queries);
  const double binomial = law.rate * (1.0 - law.rate);
  return binomial > 0.0 ? 1.0 + static_cast<double>(queries - 1) * law.variance / binomial : 1.0;
}

double dispersion(const RateLaw& law, const Sampling& sampling) {
  return checked_dispersion("dispersion", law, sampling);
}

HitLaw::HitLaw(HitLawKind kind, double draws, double rate, double dispersion, bool counts_misses)
    : kind_(kind),
      draws_(draws),
      rare_rate_(counts_misses ? 1.0 - rate : rate),
      dispersion_(dispersion),
      counts_misses_(counts_misses) {}

HitLaw::HitLaw(const RateLaw& law, const Sampling& sampling)
    : HitLaw(HitLawKind::certain, sampling.total(), law.rate,
             checked_dispersion("HitLaw", law, sampling), law.rate > 0.5) {
  if (!(rare_rate_ > 0.0)) return;
  if (skewness_bound() <= thresholds::normal_skewness) {
    kind_ = HitLawKind::normal;
  } else if (design_effect(law, sampling.queries) <= thresholds::binomial_design_effect) {
    kind_ = HitLawKind::binomial;
  } else {
    kind_ = HitLawKind::gamma_poisson;
  }
}

HitLaw HitLaw::binomial(double draws, double rate) {
  return {HitLawKind::binomial, draws, rate, -1.0 / draws, rate > 0.5};
}

HitLaw HitLaw::gamma_poisson(double draws, double rate, double dispersion) {
  return {HitLawKind::gamma_poisson, draws, rate, dispersion, false};
}

double HitLaw::mean() const noexcept { return counts_misses_ ? draws_ - rare_mean() : rare_mean(); }

double HitLaw::standard_deviation() const noexcept {
  return std::sqrt(rare_mean() * std::max(0.0, 1.0 + dispersion_ * rare_mean()));
}

double HitLaw::skewness_bound() const noexcept {
  return (1.0 + 2.0 * std::max(0.0, dispersion_) * rare_mean()) / standard_deviation();
}

double HitLaw::rare_at_most(double count) const {
  switch (kind_) {
    case HitLawKind::certain:
      return step(count >= rare_mean());
    case HitLawKind::binomial:
      return detail::binomial_at_most(count, draws_, rare_rate_);
    case HitLawKind::gamma_poisson:
      return detail::gamma_poisson_at_most(count, rare_mean(), std::max(0.0, dispersion_));
    case HitLawKind::normal:
      break;
  }
  const double deviation = standard_deviation();
  if (!(deviation > 0.0)) return step(count >= rare_mean());
  return detail::normal_at_most((count - rare_mean()) / deviation);
}

double HitLaw::rare_at_least(double count) const {
  switch (kind_) {
    case HitLawKind::certain:
      return step(count <= rare_mean());
    case HitLawKind::binomial:
      return detail::binomial_at_least(count, draws_, rare_rate_);
    case HitLawKind::gamma_poisson:
      return detail::gamma_poisson_at_least(count, rare_mean(), std::max(0.0, dispersion_));
    case HitLawKind::normal:
      break;
  }
  const double deviation = standard_deviation();
  if (!(deviation > 0.0)) return step(count <= rare_mean());
  return detail::normal_at_most((rare_mean() - count) / deviation);
}

double HitLaw::at_most(double hits) const {
  return counts_misses_ ? rare_at_least(draws_ - hits) : rare_at_most(hits);
}

double HitLaw::at_least(double hits) const {
  return counts_misses_ ? rare_at_most(draws_ - hits) : rare_at_least(hits);
}

HitLaw HitLaw::with_rate(double rate) const {
  const HitLawKind kind = kind_ == HitLawKind::certain ? HitLawKind::binomial : kind_;
  return {kind, draws_, rate, dispersion_, counts_misses_};
}

double HitLaw::critical_high(double tail) const {
  if (kind_ == HitLawKind::normal) {
    return mean() + detail::normal_quantile_above(tail) * standard_deviation();
  }
  return first_that(0.0, draws_ + 1.0, [&](double hits) { return at_least(hits) <= tail; });
}

double HitLaw::critical_low(double tail) const {
  if (kind_ == HitLawKind::normal) {
    return mean() - detail::normal_quantile_above(tail) * standard_deviation();
  }
  return first_that(0.0, draws_ + 1.0, [&](double hits) { return at_most(hits) > tail; }) - 1.0;
}

}  // namespace bloomlab::statistics
