// E[(X/m)^q] for the number X of occupied bins of m after N balls, in any arithmetic, at a cost
// that depends on neither m nor N.
//
// q draws with replacement hit j distinct bins with probability D_j, and j given bins are all
// occupied with probability P_j, so the moment is sum_j D_j P_j. With a Poisson number of balls, of
// mean x a bin, the bins are independent and P_j would be (1 - e^-x)^j; for exactly N balls it is
// the Cauchy coefficient
//     E[(X/m)^q] = N!/m^N [x^N] e^(mx) h(x),     h(x) = sum_j D_j (1 - e^-x)^j,
// taken here as an integral over the circle |x| = r by the trapezoid rule, whose error falls
// faster than any power of the step. All coefficients of e^(mx) h(x) are positive, so on the
// circle through the saddle point nothing cancels: a few tens of nodes give full precision.
// Sources: the moment, Bose et al. 2008, "On the false-positive rate of Bloom filters"; the method,
// Jacquet and Szpankowski 1998, "Analytical depoissonization and its applications", with
// Trefethen and Weideman 2014, "The exponentially convergent trapezoidal rule".
//
// Internal to core/theory.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "core/theory/detail/complex_exp.hpp"
#include "core/theory/detail/draw_weights.hpp"
#include "core/theory/detail/poisson_kernel.hpp"
#include "core/theory/detail/scaled_real.hpp"

namespace bloomlab::theory::detail {

/// The moments for one m and N, in `Real` = double or a multiprecision type.
template <class Real>
class OccupancyContour {
 public:
  /// @param bins m >= 1   @param balls N >= 1
  /// @param draws the q that are wanted, ascending, >= 1; all are taken on one circle
  /// @param digits decimal digits that the quadrature keeps
  OccupancyContour(Real bins, Real balls, const std::vector<int>& draws, int digits)
      : bins_(bins), balls_(balls), reach_(std::sqrt(2.0 * std::numbers::ln10 * digits)) {
    using std::expm1;
    const int middle = (draws.front() + draws.back()) / 2;
    const Saddle saddle =
        find_saddle(static_cast<double>(bins), static_cast<double>(balls), middle);
    variance_ = saddle.variance;
    load_ = Real(saddle.load);
    radius_ = load_ / bins_;
    const Real w = -expm1(-radius_);
    inverse_w_ = 1 / w;
    weights_ = draw_weights(bins_, w, draws);
  }

  /// E[(X/m)^q] for each q, in [0, 1] up to rounding.
  [[nodiscard]] std::vector<ScaledReal<Real>> moments() const {
    const std::vector<Real> means = circle_means();
    const ScaledReal<Real> ratio = factorial_ratio(balls_, load_);
    std::vector<ScaledReal<Real>> result;
    for (std::size_t i = 0; i < means.size(); ++i) {
      result.push_back({means[i], 0});
      result[i].multiply(weights_[i].sum);
      result[i].multiply(ratio);
    }
    return result;
  }

 private:
  /// The mean of e^(mx) h(x) x^-N over the circle, as a share of its value at x = r; for each q.
  [[nodiscard]] std::vector<Real> circle_means() const {
    const double sigma = std::sqrt(variance_);
    // Two nodes less than `nodes` apart alias; Poisson tails are wider than normal ones.
    const double nodes = 2.0 * std::ceil(0.5 * (reach_ * sigma + 0.25 * reach_ * reach_ + 10.0));
    // For few balls the integrand is no bell: then the whole circle counts.
    const double widest = variance_ > reach_ * reach_ ? 0.6 * reach_ * reach_ / variance_ : 3.0;
    std::vector<Real> sums(weights_.size(), Real(1));
    for (int node = 1; 2.0 * node <= nodes; ++node) {
      const double half_sine = std::sin(std::numbers::pi * node / nodes);
      if (2.0 * half_sine * half_sine > widest) break;
      // The circle is symmetric; only the node at x = -r is its own mirror image.
      add_node(2 * pi<Real>() * node / Real(nodes), 2.0 * node < nodes ? 2 : 1, sums);
    }
    for (Real& sum : sums) sum /= Real(nodes);
    return sums;
  }

  /// Adds `images` times the integrand at x = r e^(i angle), as a share of its value at r.
  void add_node(const Real& angle, int images, std::vector<Real>& sums) const {
    const Complex<Real> turn = complex_expm1(Complex<Real>{Real(0), angle});  // e^(i angle) - 1
    const Complex<Real> x{radius_ * (turn.re + 1), radius_ * turn.im};
    const Complex<Real> empty = complex_expm1(Complex<Real>{-x.re, -x.im});
    const Complex<Real> z{-empty.re * inverse_w_, -empty.im * inverse_w_};
    const Complex<Real> kernel = poisson_kernel(balls_, load_, angle, turn);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const Complex<Real> h = horner(weights_[i].share, z);
      sums[i] += images * (kernel.re * h.re - kernel.im * h.im);
    }
  }

  [[nodiscard]] static Complex<Real> horner(const std::vector<Real>& share,
                                            const Complex<Real>& z) {
    Complex<Real> h{Real(0), Real(0)};
    for (std::size_t j = share.size(); j-- > 1;) {
      const Real sum = h.re + share[j];
      const Real re = sum * z.re - h.im * z.im;
      h.im = sum * z.im + h.im * z.re;
      h.re = re;
    }
    return h;
  }

  Real bins_;
  Real balls_;
  double reach_;           ///< standard deviations of the integrand that carry the digits
  double variance_ = 1.0;  ///< of the number of balls on the circle
  Real load_{};            ///< m r
  Real radius_{};          ///< r
  Real inverse_w_{};       ///< 1 / (1 - e^-r)
  std::vector<DrawWeights<Real>> weights_;
};

}  // namespace bloomlab::theory::detail
