#include "statistics/test.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "statistics/distributions.hpp"
#include "statistics/require.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::statistics {
namespace {

double doubled(double smaller_tail) { return std::min(1.0, 2.0 * smaller_tail); }

// A difference within theory's rounding of `expected` is none.
double standardised(double observed, double expected, double deviation) {
  const double difference = observed - expected;
  if (deviation > 0.0) return difference / deviation;
  if (std::abs(difference) <= 1e-9 * expected) return 0.0;
  return std::copysign(std::numeric_limits<double>::infinity(), difference);
}

TestMethod method_of(HitLawKind kind) {
  switch (kind) {
    case HitLawKind::certain:
      return TestMethod::certain;
    case HitLawKind::binomial:
      return TestMethod::binomial;
    case HitLawKind::gamma_poisson:
      return TestMethod::gamma_poisson;
    case HitLawKind::normal:
      break;
  }
  return TestMethod::normal;
}

TestResult judge(double hits, const HitLaw& law) {
  const double z = standardised(hits, law.mean(), law.standard_deviation());
  const double p_value = law.kind() == HitLawKind::normal
                             ? detail::normal_two_sided(z)
                             : doubled(std::min(law.at_most(hits), law.at_least(hits)));
  return {z, p_value, method_of(law.kind())};
}

// Missing bits, by the binomial law with the mean and the variance given (draws need not be whole).
double missing_bits_p_value(double missing, double mean, double variance) {
  if (missing < 0.0) return 0.0;
  // Nearly empty or nearly full: Poisson, since mean and variance agree as far as theory's
  // rounding lets them, and the small difference of the two would be noise.
  if (mean < 1e-3 || mean - variance < 1e-6 * mean) {
    return doubled(std::min(detail::gamma_poisson_at_most(missing, mean, 0.0),
                            detail::gamma_poisson_at_least(missing, mean, 0.0)));
  }
  const double rate = 1.0 - variance / mean;
  return doubled(std::min(detail::binomial_at_most(missing, mean / rate, rate),
                          detail::binomial_at_least(missing, mean / rate, rate)));
}

// Rounding may put a vanishing variance a little below 0.
double checked_variance(const SetBitsLaw& law) {
  const double variance = std::max(0.0, law.variance);
  detail::require_variance("test_set_bits", "variance",
                           law.variance >= -1e-9 * law.mean ? variance : law.variance);
  return variance;
}

// The smaller tail of the chi-square law at x. Where Chernoff's bound says that it is too small
// for a double it is 0, as Boost's incomplete gamma throws there.
double smaller_tail(double x, double degrees) {
  constexpr double smallest_exponent = -740.0;
  const double ratio = x / degrees;
  if (!(ratio > 0.0)) return 0.0;
  if (0.5 * degrees * (1.0 - ratio + std::log(ratio)) < smallest_exponent) return 0.0;
  return std::min(detail::chi_square_at_most(x, degrees), detail::chi_square_at_least(x, degrees));
}

}  // namespace

TestResult test_ensemble_rate(std::uint64_t hits, const Sampling& sampling, const RateLaw& law) {
  require_valid("test_ensemble_rate", law);
  require_valid("test_ensemble_rate", sampling);
  detail::require_hits("test_ensemble_rate", hits, sampling.trials * sampling.queries);
  return judge(static_cast<double>(hits), HitLaw(law, sampling));
}

TestResult test_own_rates(std::uint64_t hits, std::uint64_t queries,
                          std::span<const double> rates) {
  const Sampling sampling{rates.size(), queries};
  require_valid("test_own_rates", sampling);
  for (const double rate : rates) detail::require_probability("test_own_rates", "a rate", rate);
  const Eigen::Map<const Eigen::ArrayXd> data(rates.data(),
                                              static_cast<Eigen::Index>(rates.size()));
  return test_ensemble_rate(hits, sampling, {std::clamp(data.mean(), 0.0, 1.0), 0.0});
}

TestResult test_mean_rate(std::span<const double> rates, double expected) {
  detail::require_positive_count("test_mean_rate", "number of filters beyond the first",
                                 rates.empty() ? 0 : rates.size() - 1);
  detail::require_probability("test_mean_rate", "expected", expected);
  const auto count = static_cast<double>(rates.size());
  const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / count;
  double squares = 0.0;
  for (const double rate : rates) {
    detail::require_probability("test_mean_rate", "a rate", rate);
    squares += (rate - mean) * (rate - mean);
  }
  const double z = standardised(mean, expected, std::sqrt(squares / (count - 1.0) / count));
  if (!(squares > 0.0)) return {z, z == 0.0 ? 1.0 : 0.0, TestMethod::certain};
  return {z, doubled(detail::student_above(std::abs(z), count - 1.0)), TestMethod::student};
}

TestResult test_mean_rate(std::span<const double> rates, double expected, std::uint64_t hits,
                          std::uint64_t queries) {
  const TestResult by_spread = test_mean_rate(rates, expected);
  const TestResult by_total = test_ensemble_rate(hits, {1, queries}, {expected, 0.0});
  return by_total.p_value > by_spread.p_value ? by_total : by_spread;
}

TestResult test_set_bits(std::uint64_t set_bits, std::uint64_t trials, const SetBitsLaw& law) {
  detail::require_positive_count("test_set_bits", "trials", trials);
  detail::require(
      std::isfinite(law.mean) && law.mean >= 0.0 && law.mean <= law.limit * (1.0 + 1e-9),
      "test_set_bits", "mean", law.mean, "lie in [0, limit]");
  const auto filters = static_cast<double>(trials);
  const auto observed = static_cast<double>(set_bits);
  const double variance = filters * checked_variance(law);
  const double deviation = std::sqrt(variance);
  const double z = standardised(observed, filters * law.mean, deviation);
  const TestResult by_normal{z, detail::normal_two_sided(z), TestMethod::normal};
  if (std::isinf(law.limit) || deviation * thresholds::normal_skewness >= 1.0) return by_normal;
  const double missing = filters * law.limit - observed;
  const double expected_missing = std::max(0.0, filters * (law.limit - law.mean));
  const TestResult by_binomial{z, missing_bits_p_value(missing, expected_missing, variance),
                               TestMethod::binomial};
  // More bits than can be are a fault, however near to the mean.
  if (missing < 0.0) return by_binomial;
  return by_binomial.p_value >= by_normal.p_value ? by_binomial : by_normal;
}

double chi_square_two_sided(double x, double degrees) {
  constexpr const char* here = "chi_square_two_sided";
  detail::require(degrees > 0.0, here, "degrees", degrees, "be above 0");
  detail::require(x >= 0.0, here, "x", x, "be at least 0");
  return doubled(smaller_tail(x, degrees));
}

}  // namespace bloomlab::statistics
