#include "core/theory/rate_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/theory/detail/domain.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

constexpr double most_trials = 0x1p53;

/// log n! - log(sqrt(2 pi n) (n/e)^n), by Stirling's series; no digits are lost at large n.
double stirling_error(double n) {
  if (n < 16.0) {
    return std::lgamma(n + 1.0) - (n + 0.5) * std::log(n) + n -
           0.91893853320467274178;  // log sqrt(2 pi)
  }
  const double square = n * n;
  return (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / 1680.0 / square) / square) / square) /
         n;
}

/// x log(x / mean) + mean - x, without cancelling near x = mean.
double deviance(double x, double mean) {
  if (std::abs(x - mean) < 0.1 * (x + mean)) {
    const double v = (x - mean) / (x + mean);
    double sum = (x - mean) * v;
    double term = 2.0 * x * v;
    for (int i = 1; i < 1000; ++i) {
      term *= v * v;
      const double next = sum + term / (2.0 * i + 1.0);
      if (next == sum) return next;
      sum = next;
    }
  }
  return x * std::log(x / mean) + mean - x;
}

/// P(X = x), binomial, for p below 1. Source: Loader 2000, "Fast and accurate computation of
/// binomial probabilities".
double binomial_point(double x, double n, double p) {
  if (p <= 0.0) return x == 0.0 ? 1.0 : 0.0;
  if (x == 0.0) return std::exp(n * std::log1p(-p));
  if (x == n) return std::exp(n * std::log(p));
  const double exponent = stirling_error(n) - stirling_error(x) - stirling_error(n - x) -
                          deviance(x, n * p) - deviance(n - x, n * (1.0 - p));
  return std::exp(exponent) * std::sqrt(n / (2.0 * 3.14159265358979323846 * x * (n - x)));
}

/// P(X > bound) for a bound below n and p below 1: summed away from the bound on the side of fewer
/// terms that matter.
double binomial_above(double bound, double n, double p) {
  const double odds = p / (1.0 - p);
  double sum = 0.0;
  if (bound + 1.0 > n * p) {
    double term = binomial_point(bound + 1.0, n, p);
    for (double x = bound + 1.0; x <= n && term > 1e-17 * sum; ++x) {
      sum += term;
      term *= (n - x) / (x + 1.0) * odds;
    }
    return std::min(sum, 1.0);
  }
  double term = binomial_point(bound, n, p);
  for (double x = bound; x >= 0.0 && term > 1e-17 * sum; --x) {
    sum += term;
    term *= x / ((n - x + 1.0) * odds);
  }
  return std::max(1.0 - sum, 0.0);
}

/// x log(x / mean) + mean - x, with its limit at 0.
double deviance_from_0(double x, double mean) { return x == 0.0 ? mean : deviance(x, mean); }

/// log n! - n log n + n.
double log_factorial_rest(double n) {
  constexpr double two_pi = 6.28318530717958647693;
  return n == 0.0 ? 0.0 : 0.5 * std::log(two_pi * n) + stirling_error(n);
}

/// x with x / (1 - e^-x) = 1 + t, for t above 0.
double stirling_saddle(double t) {
  double x = t > 0.5 ? 1.0 + t : 2.0 * t;
  for (int i = 0; i < 60; ++i) {
    const double share = -std::expm1(-x);
    const double value = x / share - 1.0 - t;
    const double slope = (share - x * std::exp(-x)) / (share * share);
    const double next = x - value / slope;
    if (!(std::abs(next - x) > 1e-15 * x)) break;
    x = std::max(next, 1e-300);
  }
  return x;
}

/// Logarithm of the number of occupied bins' law at j, N balls in m bins, up to a constant: of
/// m!/(m-j)! S(N, j) / m^N with the estimate of S by Temme 1993, "Asymptotic estimates of Stirling
/// numbers". With c = N/m it is written in what j differs from m (1 - e^-c) by, and the saddle
/// point x from c, so that no large logarithms cancel.
double log_occupied(double m, double balls, double j) {
  const double load = balls / m;
  const double set = -std::expm1(-load);
  const double near = -deviance_from_0(j, m * set) - deviance_from_0(m - j, m * std::exp(-load)) -
                      log_factorial_rest(m - j) - log_factorial_rest(j) -
                      log_factorial_rest(balls - j);
  if (j == balls) return near - balls * std::log(std::expm1(load) / load);  // no two in one bin
  const double t = (balls - j) / j;
  const double x = stirling_saddle(t);
  const double more = x - load;
  return near + j * std::log1p(std::expm1(more) / set) - balls * std::log1p(more / load) +
         0.5 * std::log(t / ((1.0 + t) * (x - t)));
}

/// The law of X from `first` on.
struct OccupiedLaw {
  std::size_t first = 0;
  std::vector<double> weights;
};

/// By recurrence over the positions. Ends below 10^-24 are cut off at every step: of 30 000 steps
/// that is less than 10^-15 of all.
OccupiedLaw occupied_by_recurrence(std::uint64_t m, std::uint64_t balls) {
  const auto bins = static_cast<double>(m);
  std::vector<double> law(std::min(m, balls) + 1, 0.0);
  law[0] = 1.0;
  std::size_t first = 0;
  std::size_t last = 0;
  for (std::uint64_t ball = 0; ball < balls; ++ball) {
    if (last + 1 < law.size()) ++last;
    for (std::size_t j = last; j > first; --j) {
      const auto set = static_cast<double>(j);
      law[j] = law[j] * (set / bins) + law[j - 1] * ((bins - set + 1.0) / bins);
    }
    law[first] *= static_cast<double>(first) / bins;
    while (first < last && law[first] < 1e-24) law[first++] = 0.0;
    while (last > first && law[last] < 1e-24) law[last--] = 0.0;
  }
  using Offset = std::vector<double>::difference_type;
  return {first,
          {law.begin() + static_cast<Offset>(first), law.begin() + static_cast<Offset>(last) + 1}};
}

/// An upper bound of P(count at or beyond x), x on either side of the mean n p. Source: Chernoff
/// 1952, "A measure of asymptotic efficiency for tests of a hypothesis".
double beyond_at_most(double x, double n, double p) {
  return std::exp(-deviance_from_0(x, n * p) - deviance_from_0(n - x, n * (1.0 - p)));
}

/// P(X > bound), without a sum where it is 1 in double.
double above_or_sure(double bound, double n, double p) {
  if (p >= 1.0) return bound < n ? 1.0 : 0.0;
  if (bound < n * p && beyond_at_most(bound, n, p) < 1e-17) return 1.0;
  return binomial_above(bound, n, p);
}

double mean_of(const std::vector<RateWeight>& rates, double scale = 1.0) {
  double mean = 0.0;
  for (const RateWeight& one : rates) mean += one.weight * std::min(one.rate * scale, 1.0);
  return mean;
}

/// The number that rates, at most 1 each, are to be scaled by for that mean; the largest where only
/// rates of 1 have it.
double scale_to_mean(const std::vector<RateWeight>& rates, double mean) {
  if (mean >= 1.0) return std::numeric_limits<double>::max();
  double low = mean / mean_of(rates);
  if (low * rates.back().rate <= 1.0) return low;
  double high = 2.0 * low;
  while (mean_of(rates, high) < mean && high < 1e300) high *= 2.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = low + (high - low) / 2.0;
    (mean_of(rates, middle) < mean ? low : high) = middle;
  }
  return high;
}

/// Whether a bound at alpha detects the factor with the power where trials have no end: by the
/// spread of the filters' own rates alone. `rates` are in ascending order.
bool spread_lets_detect(const std::vector<RateWeight>& rates, double alpha, double factor,
                        double power) {
  std::size_t at = rates.size() - 1;  // the rate that at most alpha of all exceed
  for (double higher = rates[at].weight; at > 0 && higher <= alpha; higher += rates[at].weight)
    --at;
  const double scale = scale_to_mean(rates, factor * mean_of(rates));
  double detected = 0.0;
  for (const RateWeight& one : rates) {
    if (std::min(one.rate * scale, 1.0) > rates[at].rate) detected += one.weight;
  }
  return detected >= power;
}

/// Whether a bound at alpha detects the factor with the power.
bool detects(const std::vector<RateWeight>& rates, std::uint64_t trials, double alpha,
             double factor, double power) {
  const FalsePositiveLaw law(rates, trials);
  return law.above(law.smallest_bound(alpha), factor) >= power;
}

}  // namespace

std::vector<RateWeight> own_rate_law(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  detail::require_filter("own rate", m, k);
  detail::require(n >= 1, "own rate", "n is 0; a filter holds at least 1 key");
  detail::require(k <= max_exact_probes, "own rate", "more than 256 probes");
  const double balls = static_cast<double>(n) * static_cast<double>(k);
  detail::require(balls < 0x1p53, "own rate", "n k is above 2^53; give fewer keys");
  const auto bits = static_cast<double>(m);
  const auto rate_at = [&](double set) { return std::pow(set / bits, static_cast<double>(k)); };
  std::vector<RateWeight> law;
  constexpr double small = 30'000.0;
  if (balls <= small) {
    const OccupiedLaw exact = occupied_by_recurrence(m, n * k);
    for (std::size_t i = 0; i < exact.weights.size(); ++i) {
      const double weight = exact.weights[i];
      if (weight > 1e-18) law.push_back({weight, rate_at(static_cast<double>(exact.first + i))});
    }
  } else {
    constexpr double width = 9.0;
    constexpr double points = 400.0;
    const double mean = mean_set_bits(m, n, k);
    const double sd = std::sqrt(var_set_bits(m, n, k));
    const double least = std::max(std::floor(mean - width * sd - 3.0), 1.0);
    const double most = std::min({std::ceil(mean + width * sd + 3.0), bits, balls});
    // Neighbours are alike: a sum over every step-th X is as good as the whole.
    const double step = std::max(std::floor((most - least) / points), 1.0);
    const double top = log_occupied(bits, balls, std::clamp(std::round(mean), least, most));
    for (double j = least; j <= most; j += step) {
      const double weight = std::exp(log_occupied(bits, balls, j) - top);
      if (weight > 1e-20) law.push_back({weight, rate_at(j)});
    }
  }
  double sum = 0.0;
  for (const RateWeight& one : law) sum += one.weight;
  for (RateWeight& one : law) one.weight /= sum;
  return law;
}

std::vector<RateWeight> own_rate_law_at(double p, std::uint64_t n) {
  detail::require(p > 0.0 && p < 1.0, "own rate", "the rate is outside (0, 1)");
  if (n == 0) return {{1.0, p}};
  const FilterSize filter = smallest_filter_exact(n, p);
  std::vector<RateWeight> law = own_rate_law(filter.m, n, filter.k);
  const double scale = scale_to_mean(law, p);
  for (RateWeight& one : law) one.rate = std::min(one.rate * scale, 1.0);
  return law;
}

FalsePositiveLaw::FalsePositiveLaw(std::vector<RateWeight> rates, std::uint64_t trials)
    : rates_(std::move(rates)), trials_(trials) {
  detail::require(!rates_.empty(), "bound", "there is no rate");
  detail::require(trials >= 1 && static_cast<double>(trials) <= most_trials, "bound",
                  "trials is outside 1 to 2^53");
  std::ranges::sort(rates_, {}, &RateWeight::rate);
}

double FalsePositiveLaw::scale_for(double factor) const {
  return factor == 1.0 ? 1.0 : scale_to_mean(rates_, factor * mean_rate());
}

double FalsePositiveLaw::above(std::uint64_t bound, double factor) const {
  const auto n = static_cast<double>(trials_);
  const auto most = static_cast<double>(bound);
  if (most >= n) return 0.0;
  const double scale = scale_for(factor);
  double sum = 0.0;
  // From the highest rate on: the lower ones count less and less, in the end for nothing.
  for (std::size_t i = rates_.size(); i-- > 0;) {
    const double rate = std::min(rates_[i].rate * scale, 1.0);
    if (most + 1.0 > n * rate && beyond_at_most(most + 1.0, n, rate) < 1e-17 * sum) break;
    sum += rates_[i].weight * above_or_sure(most, n, rate);
  }
  return std::min(sum, 1.0);
}

std::uint64_t FalsePositiveLaw::smallest_bound(double alpha) const {
  detail::require(alpha > 0.0 && alpha < 1.0, "bound", "alpha is outside (0, 1)");
  std::uint64_t low = 0;
  std::uint64_t high = trials_;
  // Start near the mean: far below it nothing is to be asked.
  auto guess = static_cast<std::uint64_t>(mean_rate() * static_cast<double>(trials_));
  std::uint64_t stride = 16 + static_cast<std::uint64_t>(std::sqrt(static_cast<double>(guess)));
  while (guess < high && above(guess) > alpha) {
    low = guess + 1;
    guess += stride;
    stride *= 2;
  }
  high = std::min(high, guess);
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (above(middle) <= alpha) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high;
}

std::optional<double> FalsePositiveLaw::detected_factor(std::uint64_t bound, double power) const {
  detail::require(power > 0.0 && power < 1.0, "bound", "power is outside (0, 1)");
  const double most = 1.0 / mean_rate();
  if (above(bound, 1.0) >= power) return 1.0;
  if (above(bound, most) < power) return std::nullopt;
  double low = 1.0;
  double high = std::min(1.5, most);
  while (high < most && above(bound, high) < power) {
    low = high;
    high = std::min(1.5 * high, most);
  }
  for (int i = 0; i < 50 && high - low > 1e-9 * high; ++i) {
    const double middle = low + (high - low) / 2.0;
    (above(bound, middle) < power ? low : high) = middle;
  }
  return high;
}

double FalsePositiveLaw::mean_rate() const { return mean_of(rates_); }

std::optional<std::uint64_t> trials_for(std::vector<RateWeight> rates, double alpha, double factor,
                                        double power) {
  detail::require(factor > 1.0, "trials", "the factor is not above 1");
  std::ranges::sort(rates, {}, &RateWeight::rate);
  if (!spread_lets_detect(rates, alpha, factor, power)) return std::nullopt;
  // More false positives than that are needed only where the spread hides nearly all.
  constexpr double most_counted = 1e8;
  const double most =
      std::min(static_cast<double>(most_searched_trials), most_counted / mean_of(rates));
  std::uint64_t high = 1;
  while (!detects(rates, high, alpha, factor, power)) {
    if (2.0 * static_cast<double>(high) > most) return std::nullopt;
    high *= 2;
  }
  std::uint64_t low = high / 2;  // 0, or too few
  while (high - low > std::max<std::uint64_t>(high / 1000, 1)) {
    const std::uint64_t middle = low + (high - low) / 2;
    (detects(rates, middle, alpha, factor, power) ? high : low) = middle;
  }
  return high;
}

}  // namespace bloomlab::theory
