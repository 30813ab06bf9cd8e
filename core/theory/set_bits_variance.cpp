// The spread of the number of set bits and of the conditional rate, in more digits than double.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/theory/detail/domain.hpp"
#include "core/theory/detail/multiprecision.hpp"
#include "core/theory/detail/occupancy_contour.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

using detail::Real50;

/// As on x86: 19 digits.
constexpr bool is_wide = std::numeric_limits<long double>::digits >= 64;

/// One ball sets one bit, and one bit has no choice: no spread.
bool is_certain(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  return n == 0 || m == 1 || (n == 1 && k == 1);
}

/// 1 - E[(X/m)^q] = sum_{i>=1} (-1)^(i+1) (1 - i/m)^N E[C(J, i)] for each q, J the distinct bins of
/// q draws; converges fast where q e^(-N/m) is small.
std::vector<Real50> complements(const Real50& m, const Real50& balls, std::vector<int> draws) {
  constexpr int terms = 40;
  std::vector<Real50> subsets(terms + 1, Real50(0));  // subsets[i] = E[C(J, i)]
  subsets[0] = 1;
  std::vector<Real50> result;
  for (int draw = 1; draw <= draws.back(); ++draw) {
    for (int i = std::min(draw, terms); i > 0; --i) {
      if (i > m) continue;
      const auto at = static_cast<std::size_t>(i);
      subsets[at] += (subsets[at - 1] * (m - (i - 1)) - subsets[at] * i) / m;
    }
    if (draw != draws[result.size()]) continue;
    Real50 sum(0);
    for (int i = 1; i <= terms && i < m; ++i) {
      const Real50 missed =
          exp(balls * log1p(Real50(-i) / m)) * subsets[static_cast<std::size_t>(i)];
      sum += i % 2 == 1 ? missed : -missed;
      if (missed < 1e-60 * sum) break;
    }
    result.push_back(sum);
  }
  return result;
}

/// The square root of a variance, which may lie below the smallest double.
template <class Real>
double deviation(const Real& variance) {
  using std::sqrt;
  return variance > 0 ? static_cast<double>(Real(sqrt(variance))) : 0.0;
}

/// @param digits that the moments are taken to; their difference has fewer
template <class Real>
double deviation_by_moments(std::uint64_t m, std::uint64_t n, int draws, int digits) {
  const detail::OccupancyContour<Real> contour(Real(m), Real(n) * draws, {draws, 2 * draws},
                                               digits);
  const auto moments = contour.moments();
  const Real mean = moments[0].value();
  return deviation(Real(moments[1].value() - mean * mean));
}

double deviation_of_rate(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const int draws = static_cast<int>(k);
  const auto bins = static_cast<double>(m);
  const double load = static_cast<double>(n) * draws / bins;
  // Nearly full filters: the variance is a vanishing share of 1, but not of 1 - f.
  if (load > 3.0 + std::log(2.0 * draws)) {
    const auto missing = complements(Real50(m), Real50(n) * k, {draws, 2 * draws});
    return deviation(Real50(2 * missing[0] - missing[1] - missing[0] * missing[0]));
  }
  // The square of the mean over the variance: what the difference loses.
  const double lost = bins * std::exp(load) / (static_cast<double>(draws) * draws);
  // Of 19 digits 12 are left, in microseconds.
  if (is_wide && lost <= 1e7) return deviation_by_moments<long double>(m, n, draws, 22);
  return deviation_by_moments<Real50>(m, n, draws, 36);
}

/// The variance of the number of set bits of m > 1, after `balls` bits were set.
template <class Real>
double variance_of_set_bits(const Real& bins, const Real& balls) {
  using std::exp;
  using std::expm1;
  using std::log1p;
  const Real empty = exp(balls * log1p(-1 / bins));
  const Real square = (bins - 1) * (bins - 1);
  // Pairs of bits are a little less often both empty than independent ones.
  const Real pairs = bins == 2 ? Real(-1) : Real(expm1(balls * log1p(-1 / square)));
  const Real variance = bins * empty * (1 - empty) + bins * (bins - 1) * empty * empty * pairs;
  return variance > 0 ? static_cast<double>(variance) : 0.0;
}

}  // namespace

double var_set_bits(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  detail::require_filter("variance of set bits", m, k);
  if (is_certain(m, n, k)) return 0.0;
  // The two terms of the variance cancel where few bits are set: the digits lost are those of the
  // inverse load.
  const double load = static_cast<double>(n) * static_cast<double>(k) / static_cast<double>(m);
  if (is_wide && load > 1e-3 && load < 1e3) {
    return variance_of_set_bits(static_cast<long double>(m), static_cast<long double>(n) * k);
  }
  return variance_of_set_bits(Real50(m), Real50(n) * k);
}

double sd_conditional_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  detail::require_filter("deviation of the rate", m, k);
  detail::require(k <= max_exact_probes, "deviation of the rate",
                  "k is " + std::to_string(k) + "; at most 256 is computed");
  return is_certain(m, n, k) ? 0.0 : deviation_of_rate(m, n, k);
}

}  // namespace bloomlab::theory
