// How many distinct bins a number of draws hits, tilted by a power of w, and the saddle point that
// this gives for the contour of occupancy_contour.hpp. Internal to core/theory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/theory/detail/scaled_real.hpp"

namespace bloomlab::theory::detail {

/// The polynomial h(z) = sum_j D_j w^j z^j, D_j = P(the draws hit exactly j distinct bins of m).
template <class Real>
struct DrawWeights {
  std::vector<Real> share;  ///< share[j] = D_j w^j / h(1); they add up to 1
  ScaledReal<Real> sum;     ///< h(1)
};

/// The weights after each of the given numbers of draws, which ascend. All terms are positive.
template <class Real>
std::vector<DrawWeights<Real>> draw_weights(const Real& bins, const Real& w,
                                            const std::vector<int>& draws) {
  const int most = bins < draws.back() ? static_cast<int>(bins) : draws.back();
  const auto size = static_cast<std::size_t>(most) + 1;
  std::vector<Real> stay(size);
  std::vector<Real> move(size);
  for (std::size_t j = 1; j < size; ++j) {
    stay[j] = Real(j) / bins;
    move[j] = w * (bins - Real(j - 1)) / bins;
  }
  std::vector<DrawWeights<Real>> result;
  DrawWeights<Real> now{std::vector<Real>(size, Real(0)), {Real(1), 0}};
  now.share[0] = Real(1);
  for (int draw = 1; draw <= draws.back(); ++draw) {
    for (auto j = static_cast<std::size_t>(std::min(draw, most)); j > 0; --j) {
      now.share[j] = now.share[j] * stay[j] + now.share[j - 1] * move[j];
    }
    now.share[0] = Real(0);
    const bool asked = draw == draws[result.size()];
    if (draw % 8 == 0 || asked) {  // often enough to stay inside the range of double
      Real total(0);
      for (const Real& share : now.share) total += share;
      for (Real& share : now.share) share /= total;
      now.sum.multiply({total, 0});
    }
    if (asked) result.push_back(now);
  }
  return result;
}

/// The circle on which the contour integral is taken.
struct Saddle {
  double load = 0.0;      ///< m r, the mean number of balls on the circle
  double variance = 1.0;  ///< of the number of balls: the width of the integrand is its inverse
};

/// The circle through the saddle point of e^(mx) h(x) x^-N, where the logarithmic derivative of
/// e^(mx) h(x) is N; half a standard deviation off costs no precision.
inline Saddle find_saddle(double bins, double balls, int draws) {
  constexpr double smallest = 0.25;
  const double distinct = bins > 1 ? -bins * std::expm1(draws * std::log1p(-1.0 / bins)) : 1.0;
  const double mean_load = balls / bins;
  Saddle saddle;
  saddle.load = std::max(balls - distinct * mean_load / std::expm1(mean_load), smallest);
  for (int step = 0; step < 20; ++step) {
    const double r = saddle.load / bins;
    const auto weights = draw_weights(bins, -std::expm1(-r), {draws});
    double mean = 0.0;
    double square = 0.0;
    for (std::size_t j = 1; j < weights[0].share.size(); ++j) {
      const auto size = static_cast<double>(j);
      mean += weights[0].share[j] * size;
      square += weights[0].share[j] * size * size;
    }
    const double c = r / std::expm1(r);
    const double gap = saddle.load + mean * c - balls;
    saddle.variance =
        saddle.load + c * c * (square - mean * mean) + mean * c * (1.0 + r / std::expm1(-r));
    saddle.variance = std::max(saddle.variance, smallest);
    if (gap * gap < 0.25 * saddle.variance || (gap > 0 && saddle.load <= smallest)) break;
    saddle.load *= std::exp(std::clamp(-gap / saddle.variance, -1.0, 1.0));
    saddle.load = std::max(saddle.load, smallest);
  }
  return saddle;
}

}  // namespace bloomlab::theory::detail
