#include "core/theory/counting.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>

#include "core/theory/detail/domain.hpp"
#include "core/theory/detail/poisson_kernel.hpp"

namespace bloomlab::theory {
namespace {

using Cx = std::complex<double>;

void require_counters(std::uint64_t m, std::uint64_t j) {
  detail::require(m >= 1, "counting_overflow", "m is 0; there is at least 1 counter");
  detail::require(j >= 1 && j <= most_count, "counting_overflow", "j is outside 1 to 65536");
}

/// log(x^j e^-x / j!).
Cx log_poisson_pmf(Cx x, double j) { return j * std::log(x) - x - std::lgamma(j + 1.0); }

/// sum_i x^i / ((j + 1) ... (j + i)): the tail from j on as a multiple of the probability of j.
/// Terms fall for |x| < j + 1.
Cx tail_series(Cx x, double j) {
  Cx term(1.0, 0.0);
  Cx sum(0.0, 0.0);
  for (double i = j + 1.0; std::norm(term) > 1e-40 * std::norm(sum); ++i) {
    sum += term;
    term *= x / i;
  }
  return sum;
}

/// log(1 + z) without cancellation near z = 0.
Cx complex_log1p(Cx z) {
  const double re = z.real();
  const double im = z.imag();
  return {0.5 * std::log1p(2.0 * re + re * re + im * im), std::atan2(im, 1.0 + re)};
}

/// log P(a Poisson count of mean x is below j), continued to complex x. Left of the imaginary axis
/// the probability itself may pass the range of double.
Cx log_poisson_below(Cx x, double j) {
  if (std::abs(x) < j + 1.0) {
    const Cx log_pmf = log_poisson_pmf(x, j);
    const Cx tail = tail_series(x, j);
    if (log_pmf.real() > 40.0) return std::log(-tail) + log_pmf;
    return complex_log1p(-tail * std::exp(log_pmf));
  }
  Cx term(1.0, 0.0);
  Cx sum(0.0, 0.0);
  for (double i = j - 1.0; i >= 0.0 && std::norm(term) > 1e-40 * std::norm(sum); --i) {
    sum += term;
    term *= i / x;
  }
  return std::log(sum) + log_poisson_pmf(x, j - 1.0);
}

/// The overflow probability with a Poisson number of hashes, of mean x a counter:
/// a(x) = 1 - (1 - tail)^m.
class PoissonOverflow {
 public:
  PoissonOverflow(double counters, double j) : counters_(counters), j_(j) {}

  [[nodiscard]] double operator()(double r) const { return times_exp(0.0, r).real(); }

  /// e^log_factor a(x); the factor may be as small as a(x) is large.
  [[nodiscard]] Cx times_exp(Cx log_factor, Cx x) const {
    const Cx log_safe = counters_ * log_poisson_below(x, j_);
    const Cx factor = std::exp(log_factor);
    if (log_safe.real() > 1.0) return factor - std::exp(log_factor + log_safe);
    const auto safe =
        detail::complex_expm1(detail::Complex<double>{log_safe.real(), log_safe.imag()});
    return -factor * Cx(safe.re, safe.im);
  }

  /// r a'(r) / a(r) for real r, also where a(r) underflows.
  [[nodiscard]] double slope(double r) const {
    const double log_below = log_poisson_below(r, j_).real();
    const double tail = -std::expm1(log_below);
    const double tail_slope = r < j_ + 1.0
                                  ? j_ / tail_series(r, j_).real()
                                  : r * std::exp(log_poisson_pmf(r, j_ - 1.0).real()) / tail;
    if (counters_ * tail < 1e-15) return tail_slope;
    const double log_safe = counters_ * log_below;
    const double all_but_one = std::exp(log_safe * (counters_ - 1.0) / counters_);
    return tail_slope * counters_ * tail * all_but_one / -std::expm1(log_safe);
  }

 private:
  double counters_;
  double j_;
};

/// m r of the saddle point, where m r + slope(r) = N; bisection between N - j and N.
double saddle_load(const PoissonOverflow& overflow, double counters, double hashes, double j) {
  double low = std::max(hashes - j, 0.0);
  double high = hashes;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (middle + overflow.slope(middle / counters) < hashes ? low : high) = middle;
  }
  return std::max(0.5 * (low + high), 0.25);
}

/// N!/m^N [x^N] e^(mx) a(x); nothing where a(x) leaves the range of double.
std::optional<double> contour(const PoissonOverflow& overflow, double counters, double hashes,
                              double j) {
  const double load = saddle_load(overflow, counters, hashes, j);
  const double r = load / counters;
  const double at_radius = overflow(r);
  if (at_radius < 1e-280) return std::nullopt;
  const double nodes = 2.0 * std::ceil(4.5 * std::sqrt(hashes) + 20.0);
  double sum = 1.0;
  int negligible = 0;
  for (int node = 1; 2.0 * node <= nodes && negligible < 16; ++node) {
    const double angle = 2.0 * std::numbers::pi * node / nodes;
    const auto turn = detail::complex_expm1(detail::Complex<double>{0.0, angle});
    const auto log_kernel = detail::log_poisson_kernel(hashes, load, angle, turn);
    const Cx x = r * Cx(turn.re + 1.0, turn.im);
    const Cx value = overflow.times_exp(Cx(log_kernel.re, log_kernel.im), x) / at_radius;
    sum += (2.0 * node < nodes ? 2.0 : 1.0) * value.real();
    negligible = std::abs(value) < 1e-18 ? negligible + 1 : 0;
  }
  auto result = detail::factorial_ratio(hashes, load);
  result.multiply({at_radius * sum / nodes, 0});
  return std::clamp(result.value(), 0.0, 1.0);
}

}  // namespace

double counter_reaches(std::uint64_t m, std::uint64_t N, std::uint64_t j) {
  require_counters(m, j);
  if (N < j) return 0.0;
  // Pigeons: more than j - 1 a hole.
  if (j == 1 || m <= (N - 1) / (j - 1)) return 1.0;
  const auto counters = static_cast<double>(m);
  const auto count = static_cast<double>(j);
  const auto exact = contour({counters, count}, counters, static_cast<double>(N), count);
  // Where nothing came, the bound's relative error, of its own size, is below any double's.
  return exact ? *exact : counter_reaches_union_bound(m, N, j);
}

double counter_reaches_union_bound(std::uint64_t m, std::uint64_t N, std::uint64_t j) {
  require_counters(m, j);
  if (N < j) return 0.0;
  const auto counters = static_cast<double>(m);
  const auto hashes = static_cast<double>(N);
  const auto count = static_cast<double>(j);
  // At or below the mean, half the counters get there.
  if (m == 1 || count <= hashes / counters) return 1.0;
  // The power of 1 - 1/m is spread over the factors, where it cannot underflow: N/m < j.
  const double others_miss = std::exp((hashes - count) / count * std::log1p(-1.0 / counters));
  detail::ScaledReal<double> pmf{1.0, 0};
  for (double i = 0.0; i < count; ++i) {
    pmf.multiply({(hashes - i) / ((i + 1.0) * counters) * others_miss, 0});
  }
  double tail = 1.0;
  double term = 1.0;
  for (double i = count; i < hashes && term > 1e-17 * tail; ++i) {
    term *= (hashes - i) / ((i + 1.0) * (counters - 1.0));
    tail += term;
  }
  pmf.multiply({counters * tail, 0});
  return std::min(pmf.value(), 1.0);
}

double counter_reaches_fan_bound(std::uint64_t m, std::uint64_t N, std::uint64_t j) {
  require_counters(m, j);
  if (N == 0) return 0.0;
  const auto counters = static_cast<double>(m);
  const auto count = static_cast<double>(j);
  return counters * std::pow(std::numbers::e * static_cast<double>(N) / (count * counters), count);
}

}  // namespace bloomlab::theory
