#include "statistics/ensemble.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "statistics/distributions.hpp"
#include "statistics/require.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::statistics {
namespace {

double rarer(double hits, double draws) { return std::min(hits, draws - hits); }

// Variance of the values around their mean, with T - 1 below.
double sample_variance(const Eigen::ArrayXd& values) {
  return (values - values.mean()).square().sum() / static_cast<double>(values.size() - 1);
}

Interval mirrored(const Interval& misses) { return {1.0 - misses.high, 1.0 - misses.low}; }

// Index of dispersion of the counts in place of a known variance: (p - f)^2 <= t^2 D f (1-f) / N.
Interval score_observed(const Eigen::ArrayXd& hits, double queries, double variance, double level) {
  const auto trials = static_cast<double>(hits.size());
  const double p = std::min(1.0, hits.mean() / queries);
  const double observed = variance / (queries * p * (1.0 - p));
  const double effective_draws = trials * queries / observed;
  const double quantile = detail::student_quantile_above((1.0 - level) / 2.0, trials - 1.0);
  return score_interval(p, effective_draws, -1.0 / effective_draws, quantile);
}

Estimate mean_with(std::span<const double> values, double variance_of_mean, double quantile,
                   IntervalMethod method) {
  const Eigen::Map<const Eigen::ArrayXd> data(values.data(),
                                              static_cast<Eigen::Index>(values.size()));
  const double mean = data.mean();
  const double half_width = quantile * std::sqrt(variance_of_mean);
  return {mean, {mean - half_width, mean + half_width}, method};
}

void require_values(std::span<const double> values, std::size_t least, const char* allowed,
                    double level) {
  detail::require(values.size() >= least, "estimate_mean", "number of values",
                  static_cast<double>(values.size()), allowed);
  for (const double value : values) {
    detail::require(std::isfinite(value), "estimate_mean", "a value", value, "be finite");
  }
  detail::require_open_unit("estimate_mean", "level", level);
}

/// Counted events of several trials.
struct Events {
  std::vector<double> rates;  ///< of each trial
  double events = 0.0;        ///< in all
  double exposure = 0.0;      ///< in all
  bool is_share = false;      ///< no trial has more events than exposure
};

Events events_of(std::span<const double> counts, std::span<const double> exposures) {
  const auto number = static_cast<double>(counts.size());
  detail::require(!counts.empty() && counts.size() == exposures.size(), "count_interval",
                  "number of counts", number, "be at least 1 and that of the exposures");
  Events all;
  bool fits = true;
  double largest = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    detail::require(counts[i] >= 0.0, "count_interval", "a count", counts[i], "be >= 0");
    detail::require(exposures[i] > 0.0, "count_interval", "an exposure", exposures[i], "be > 0");
    all.rates.push_back(counts[i] / exposures[i]);
    all.events += counts[i];
    all.exposure += exposures[i];
    fits = fits && counts[i] <= exposures[i];
    largest = std::max(largest, exposures[i]);
  }
  all.is_share = fits && largest > 1.0;
  return all;
}

Interval exact_interval(const Events& all, double level) {
  if (all.is_share) {
    return clopper_pearson(static_cast<std::uint64_t>(all.events),
                           static_cast<std::uint64_t>(all.exposure), level);
  }
  const double tail = (1.0 - level) / 2.0;
  const double low = all.events > 0.0 ? boost::math::gamma_p_inv(all.events, tail) : 0.0;
  return {low / all.exposure, boost::math::gamma_q_inv(all.events + 1.0, tail) / all.exposure};
}

}  // namespace

Estimate estimate_these_filters(std::uint64_t hits, std::uint64_t queries, double level) {
  detail::require_hits("estimate_these_filters", hits, queries);
  const auto draws = static_cast<double>(queries);
  const auto count = static_cast<double>(hits);
  const bool few = rarer(count, draws) < thresholds::few_hits;
  return {count / draws, few ? clopper_pearson(hits, queries, level) : wilson(hits, queries, level),
          few ? IntervalMethod::clopper_pearson : IntervalMethod::wilson};
}

Estimate estimate_ensemble(std::span<const std::uint64_t> hits, std::uint64_t queries,
                           std::optional<RateLaw> law, double level) {
  const Sampling sampling{hits.size(), queries};
  require_valid("estimate_ensemble", sampling);
  for (const std::uint64_t count : hits) detail::require_hits("estimate_ensemble", count, queries);
  detail::require_open_unit("estimate_ensemble", "level", level);

  const std::uint64_t total = std::accumulate(hits.begin(), hits.end(), std::uint64_t{0});
  const auto trials = static_cast<double>(sampling.trials);
  if (trials >= thresholds::minimum_trials &&
      rarer(static_cast<double>(total), sampling.total()) >= thresholds::few_hits) {
    Eigen::ArrayXd counts(static_cast<Eigen::Index>(hits.size()));
    std::transform(hits.begin(), hits.end(), counts.begin(),
                   [](std::uint64_t count) { return static_cast<double>(count); });
    if (const double variance = sample_variance(counts); variance > 0.0) {
      return {static_cast<double>(total) / sampling.total(),
              score_observed(counts, static_cast<double>(queries), variance, level),
              IntervalMethod::score_observed};
    }
  }
  if (law) return estimate_with_law(total, sampling, *law, level);
  return estimate_these_filters(total, sampling.trials * queries, level);
}

Estimate estimate_with_law(std::uint64_t hits, const Sampling& sampling, const RateLaw& law,
                           double level) {
  require_valid("estimate_with_law", sampling);
  require_valid("estimate_with_law", law);
  const std::uint64_t queries = sampling.trials * sampling.queries;
  detail::require_hits("estimate_with_law", hits, queries);
  detail::require_open_unit("estimate_with_law", "level", level);

  const double draws = sampling.total();
  const double value = static_cast<double>(hits) / draws;
  // Theory's spread belongs to the outcome that is rarer in theory, even if observed otherwise.
  const bool count_misses = law.rate > 0.5;
  const double count = static_cast<double>(count_misses ? queries - hits : hits);
  const double spread = dispersion(law, sampling);
  const auto estimate = [&](const Interval& interval, IntervalMethod method) -> Estimate {
    return {value, count_misses ? mirrored(interval) : interval, method};
  };

  if (rarer(static_cast<double>(hits), draws) >= thresholds::few_hits) {
    const double quantile = detail::normal_quantile_above((1.0 - level) / 2.0);
    return estimate(score_interval(count / draws, draws, spread, quantile),
                    IntervalMethod::score_theory);
  }
  if (design_effect(law, sampling.queries) <= thresholds::binomial_design_effect) {
    return {value, clopper_pearson(hits, queries, level), IntervalMethod::clopper_pearson};
  }
  const HitLaw mixture = HitLaw::gamma_poisson(draws, 0.0, std::max(0.0, spread));
  return estimate(equal_tailed_interval(mixture, count, level), IntervalMethod::gamma_poisson);
}

Estimate estimate_mean(std::span<const double> values, double level) {
  require_values(values, 2, "be at least 2, or give the variance", level);
  const auto trials = static_cast<double>(values.size());
  const Eigen::Map<const Eigen::ArrayXd> data(values.data(),
                                              static_cast<Eigen::Index>(values.size()));
  return mean_with(values, sample_variance(data) / trials,
                   detail::student_quantile_above((1.0 - level) / 2.0, trials - 1.0),
                   IntervalMethod::student);
}

Interval count_interval(std::span<const double> counts, std::span<const double> exposures,
                        double level) {
  const Events all = events_of(counts, exposures);
  detail::require_open_unit("count_interval", "level", level);
  const Interval exact = exact_interval(all, level);
  if (all.rates.size() < 2) return exact;
  Interval student = estimate_mean(all.rates, level).interval;
  student.low = std::max(0.0, student.low);
  if (all.is_share) student.high = std::min(1.0, student.high);
  const double rare = all.is_share ? rarer(all.events, all.exposure) : all.events;
  if (rare >= thresholds::few_hits && student.low < student.high) return student;
  return {std::min(exact.low, student.low), std::max(exact.high, student.high)};
}

Estimate estimate_mean(std::span<const double> values, double variance, double level) {
  require_values(values, 1, "be at least 1", level);
  detail::require_variance("estimate_mean", "variance", variance);
  return mean_with(values, variance / static_cast<double>(values.size()),
                   detail::normal_quantile_above((1.0 - level) / 2.0),
                   IntervalMethod::known_variance);
}

}  // namespace bloomlab::statistics
