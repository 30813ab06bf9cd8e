#include "statistics/power.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/distributions.hpp"
#include "statistics/require.hpp"

namespace bloomlab::statistics {
namespace {

void require_plan(const char* where, const TestPlan& plan) {
  detail::require_open_unit(where, "alpha", plan.alpha);
  detail::require_open_unit(where, "power", plan.power);
  detail::require(plan.power > plan.alpha, where, "power", plan.power, "be above alpha");
}

// Smallest rate above f at which counts beyond the critical one have the wanted power.
double detectable_increase(double rate, const HitLaw& law, const TestPlan& plan) {
  const double critical = law.critical_high(plan.alpha / 2.0);
  const auto missing = [&](double other) {
    return plan.power - law.with_rate(other).at_least(critical);
  };
  if (missing(1.0) > 0.0) return std::numeric_limits<double>::infinity();
  double high = rate;
  while (missing(high) > 0.0) high = std::min(1.0, 2.0 * high);
  return detail::solve(missing, rate, high) / rate - 1.0;
}

double detectable_decrease(double rate, const HitLaw& law, const TestPlan& plan) {
  const double critical = law.critical_low(plan.alpha / 2.0);
  const auto missing = [&](double other) {
    return plan.power - law.with_rate(other).at_most(critical);
  };
  if (missing(0.0) > 0.0) return std::numeric_limits<double>::infinity();
  return 1.0 - detail::solve(missing, 0.0, rate) / rate;
}

// Largest Q that Sampling allows.
std::uint64_t most_queries(std::uint64_t trials) { return detail::largest_count / trials; }

double worst_direction(const RateLaw& law, const Sampling& sampling, double effect,
                       const TestPlan& plan) {
  const DetectableEffect found = minimum_detectable_effect(law, sampling, plan);
  return effect > 1.0 ? found.increase : found.either();
}

// Sum of the two quantiles of a plan's normal test.
double quantile_sum(const TestPlan& plan) {
  return detail::normal_quantile_above(plan.alpha / 2.0) +
         detail::normal_quantile_above(1.0 - plan.power);
}

}  // namespace

DetectableEffect minimum_detectable_effect(const RateLaw& law, const Sampling& sampling,
                                           const TestPlan& plan) {
  require_valid("minimum_detectable_effect", law);
  require_valid("minimum_detectable_effect", sampling);
  require_plan("minimum_detectable_effect", plan);
  const HitLaw hit_law(law, sampling);
  DetectableEffect effect;
  if (law.rate > 0.0 && law.rate < 1.0) {
    effect.increase = detectable_increase(law.rate, hit_law, plan);
  }
  if (law.rate > 0.0) effect.decrease = detectable_decrease(law.rate, hit_law, plan);
  return effect;
}

double minimum_detectable_mean_effect(double mean, double deviation, std::uint64_t filters,
                                      const TestPlan& plan) {
  constexpr const char* where = "minimum_detectable_mean_effect";
  require_plan(where, plan);
  detail::require(std::isfinite(mean) && mean > 0.0, where, "mean", mean, "be above 0");
  detail::require_variance(where, "deviation", deviation);
  detail::require_positive_count(where, "filters beyond the first",
                                 filters - (filters > 0 ? 1 : 0));
  const auto count = static_cast<double>(filters);
  const double quantiles = detail::student_quantile_above(plan.alpha / 2.0, count - 1.0) +
                           detail::student_quantile_above(1.0 - plan.power, count - 1.0);
  return quantiles * deviation / std::sqrt(count) / mean;
}

double minimum_detectable_set_bits_effect(double mean, double variance, std::uint64_t trials,
                                          const TestPlan& plan) {
  constexpr const char* where = "minimum_detectable_set_bits_effect";
  require_plan(where, plan);
  detail::require(std::isfinite(mean) && mean > 0.0, where, "mean", mean, "be above 0");
  detail::require_variance(where, "variance", variance);
  detail::require_positive_count(where, "trials", trials);
  return quantile_sum(plan) * std::sqrt(variance / static_cast<double>(trials)) / mean;
}

std::optional<std::uint64_t> queries_to_detect(const RateLaw& law, std::uint64_t trials,
                                               double effect, const TestPlan& plan) {
  constexpr const char* where = "queries_to_detect";
  require_plan(where, plan);
  require_valid(where, law);
  detail::require_positive_count(where, "trials", trials);
  detail::require(effect > 0.0, where, "effect", effect, "be above 0");
  const auto suffices = [&](std::uint64_t queries) {
    return worst_direction(law, {trials, queries}, effect, plan) <= effect;
  };
  const std::uint64_t most = most_queries(trials);
  std::uint64_t high = 1;
  while (!suffices(high)) {
    if (high == most) return std::nullopt;
    high = std::min(most, 2 * high);
  }
  std::uint64_t low = high / 2;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (suffices(middle) ? high : low) = middle;
  }
  return high;
}

std::uint64_t trials_to_detect(const RateLaw& law, double effect, const TestPlan& plan) {
  constexpr const char* where = "trials_to_detect";
  require_plan(where, plan);
  require_valid(where, law);
  detail::require(law.rate > 0.0, where, "rate", law.rate, "be above 0");
  detail::require(effect > 0.0, where, "effect", effect, "be above 0");
  const double ratio = quantile_sum(plan) * std::sqrt(law.variance) / law.rate / effect;
  const double trials = std::max(1.0, std::ceil(ratio * ratio));
  detail::require(trials <= static_cast<double>(detail::largest_count), where, "filters needed",
                  trials, "not exceed 2^53: ask for a larger effect");
  return static_cast<std::uint64_t>(trials);
}

}  // namespace bloomlab::statistics
