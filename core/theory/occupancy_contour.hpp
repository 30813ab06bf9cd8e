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
// Internal to core/theory: `Real` is double or a multiprecision type.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bloomlab::theory {

/// mantissa * 2^exponent: a value that may be far below the range of Real.
template <class Real>
struct ScaledReal {
  Real mantissa{};
  std::int64_t exponent = 0;

  /// Moves the mantissa into [1/2, 1).
  void normalise() {
    using std::frexp;
    int shift = 0;
    mantissa = frexp(mantissa, &shift);
    exponent += shift;
  }
  /// The value; 0 where it underflows.
  [[nodiscard]] Real value() const {
    using std::ldexp;
    const std::int64_t bound = 1'000'000'000;
    return ldexp(mantissa, static_cast<int>(std::clamp(exponent, -bound, bound)));
  }
};

/// The moment E[(X/m)^q] for one m, N and q.
template <class Real>
class OccupancyContour {
 public:
  /// @param bins m >= 1   @param balls N >= 1   @param draws q >= 1
  /// @param digits decimal digits that the quadrature keeps
  OccupancyContour(Real bins, Real balls, int draws, int digits)
      : bins_(bins),
        balls_(balls),
        draws_(draws),
        reach_(std::sqrt(2.0 * std::log(10.0) * digits)) {
    find_radius();
  }

  /// The moment, in [0, 1] up to rounding.
  [[nodiscard]] ScaledReal<Real> moment() const {
    ScaledReal<Real> result = factorial_ratio();
    result.mantissa *= circle_mean();
    result.mantissa *= weights_sum_.mantissa;
    result.exponent += weights_sum_.exponent;
    result.normalise();
    return result;
  }

 private:
  struct Complex {
    Real re, im;
  };

  /// The logarithmic derivative of e^(mx) h(x) at r is N on the saddle circle. Newton steps in
  /// log r; half a standard deviation off costs no precision.
  void find_radius() {
    using std::sqrt;
    const double m = static_cast<double>(bins_);
    const double n_balls = static_cast<double>(balls_);
    const double load = n_balls / m;
    const double expected_distinct = m > 1 ? -m * std::expm1(draws_ * std::log1p(-1.0 / m)) : 1.0;
    const double smallest = 0.25;
    double centre = std::max(n_balls - expected_distinct * load / std::expm1(load), smallest);
    for (int step = 0; step < 20; ++step) {
      radius_ = Real(centre) / bins_;
      weigh();
      const double gap = centre + slope_ - n_balls;
      variance_ = std::max(centre + curvature_, smallest);
      if (std::abs(gap) < 0.5 * std::sqrt(variance_) || (gap > 0 && centre <= smallest)) break;
      centre = std::max(centre * std::exp(std::clamp(-gap / variance_, -1.0, 1.0)), smallest);
    }
  }

  /// weights_[j] = D_j w^j / h(r) with w = 1 - e^-r, by adding one draw after the other; the
  /// moments of j under them give the slope and the curvature of log h in log r.
  void weigh() {
    using std::expm1;
    const Real w = -expm1(-radius_);
    const int most = bins_ < draws_ ? static_cast<int>(bins_) : draws_;
    const auto size = static_cast<std::size_t>(most) + 1;
    std::vector<Real> stay(size), move(size);
    for (std::size_t j = 1; j < size; ++j) {
      stay[j] = Real(j) / bins_;
      move[j] = w * (bins_ - Real(j - 1)) / bins_;
    }
    weights_.assign(size, Real(0));
    weights_[0] = Real(1);
    weights_sum_ = {Real(1), 0};
    for (int draw = 1; draw <= draws_; ++draw) {
      for (auto j = static_cast<std::size_t>(std::min(draw, most)); j > 0; --j) {
        weights_[j] = weights_[j] * stay[j] + weights_[j - 1] * move[j];
      }
      weights_[0] = Real(0);
      if (draw % 8 == 0 || draw == draws_) rescale();
    }
    differentiate();
  }

  void rescale() {
    Real sum(0);
    for (const Real& weight : weights_) sum += weight;
    for (Real& weight : weights_) weight /= sum;
    weights_sum_.mantissa *= sum;
    weights_sum_.normalise();
  }

  void differentiate() {
    double mean = 0.0;
    double square = 0.0;
    for (std::size_t j = 1; j < weights_.size(); ++j) {
      const auto weight = static_cast<double>(weights_[j]);
      mean += weight * static_cast<double>(j);
      square += weight * static_cast<double>(j * j);
    }
    const auto r = static_cast<double>(radius_);
    const double c = r / std::expm1(r);
    slope_ = mean * c;
    curvature_ = c * c * (square - mean * mean) + slope_ * (1.0 + r / std::expm1(-r));
  }

  /// N! e^(mr) / (mr)^N.
  [[nodiscard]] ScaledReal<Real> factorial_ratio() const {
    using std::exp;
    using std::log1p;
    using std::sqrt;
    const Real centre = bins_ * radius_;
    if (balls_ <= 512) {
      ScaledReal<Real> product{exp(centre), 0};
      const int count = static_cast<int>(balls_);
      for (int i = 1; i <= count; ++i) {
        product.mantissa *= Real(i) / centre;
        if (i % 8 == 0) product.normalise();
      }
      return product;
    }
    const Real gap = balls_ - centre;
    const Real two_pi = 2 * pi();
    return {sqrt(two_pi * balls_) * exp(stirling() - gap - balls_ * log1p(-gap / balls_)), 0};
  }

  /// log(N!) - log(sqrt(2 pi N) (N/e)^N), for N > 512.
  [[nodiscard]] Real stirling() const {
    constexpr std::array<std::array<std::int64_t, 2>, 10> terms{{{1, 12},
                                                                 {-1, 360},
                                                                 {1, 1260},
                                                                 {-1, 1680},
                                                                 {1, 1188},
                                                                 {-691, 360360},
                                                                 {1, 156},
                                                                 {-3617, 122400},
                                                                 {43867, 244188},
                                                                 {-174611, 125400}}};
    const Real inverse_square = 1 / (balls_ * balls_);
    Real power = 1 / balls_;
    Real sum(0);
    for (const auto& [numerator, denominator] : terms) {
      sum += power * Real(numerator) / Real(denominator);
      power *= inverse_square;
    }
    return sum;
  }

  /// The mean of e^(mx) h(x) x^-N over the circle, as a share of its value at x = r.
  [[nodiscard]] Real circle_mean() const {
    const double sigma = std::sqrt(variance_);
    const double nodes = 2.0 * std::ceil(0.5 * (reach_ * sigma + 0.25 * reach_ * reach_ + 10.0));
    const Real step = 2 * pi() / Real(nodes);
    const double widest = 0.6 * reach_ * reach_ / variance_;  // of 2 sin^2(angle / 2)
    Real sum(1);
    for (int node = 1; 2.0 * node <= nodes; ++node) {
      const double half = 3.14159265358979 * node / nodes;
      if (2.0 * std::sin(half) * std::sin(half) > widest) break;
      // The circle is symmetric; only the node at x = -r is its own mirror image.
      const int images = 2.0 * node < nodes ? 2 : 1;
      sum += images * integrand(step * node);
    }
    return sum / Real(nodes);
  }

  /// Real part of e^(mx) h(x) x^-N at x = r e^(i angle), as a share of its value at r.
  [[nodiscard]] Real integrand(const Real& angle) const {
    using std::cos;
    using std::exp;
    using std::sin;
    const Real centre = bins_ * radius_;
    const Real half_sine = sin(angle / 2);
    const Real modulus = exp(-2 * centre * half_sine * half_sine);
    const Real phase = centre * sine_minus_angle(angle) - (balls_ - centre) * angle;
    const Complex h = share_of_h(angle);
    return modulus * (cos(phase) * h.re - sin(phase) * h.im);
  }

  /// h(r e^(i angle)) / h(r): the polynomial with coefficients weights_, by Horner's rule.
  [[nodiscard]] Complex share_of_h(const Real& angle) const {
    using std::cos;
    using std::expm1;
    using std::sin;
    const Real growth = expm1(-radius_ * cos(angle));
    const Real turn = radius_ * sin(angle);
    const Real half_sine = sin(turn / 2);
    const Real scale = -1 / expm1(-radius_);
    const Complex z{(2 * half_sine * half_sine * (growth + 1) - growth) * scale,
                    (growth + 1) * sin(turn) * scale};
    Complex h{Real(0), Real(0)};
    for (std::size_t j = weights_.size(); j-- > 1;) {
      const Real sum = h.re + weights_[j];
      const Real re = sum * z.re - h.im * z.im;
      h.im = sum * z.im + h.im * z.re;
      h.re = re;
    }
    return h;
  }

  /// sin(angle) - angle, without cancellation.
  [[nodiscard]] Real sine_minus_angle(const Real& angle) const {
    using std::abs;
    using std::sin;
    if (angle > 1) return sin(angle) - angle;
    const Real square = angle * angle;
    Real term = -angle * square / 6;
    Real sum(0);
    for (int i = 4; sum + term != sum; i += 2) {
      sum += term;
      term *= -square / (i * (i + 1));
    }
    return sum;
  }

  [[nodiscard]] static Real pi() {
    using std::atan;
    static const Real value = 4 * atan(Real(1));
    return value;
  }

  Real bins_;
  Real balls_;
  int draws_;
  double reach_;            ///< standard deviations of the integrand that carry the digits
  Real radius_{};           ///< r
  std::vector<Real> weights_;
  ScaledReal<Real> weights_sum_;  ///< h(r)
  double slope_ = 0.0;      ///< r h'(r) / h(r)
  double curvature_ = 0.0;  ///< derivative of slope_ in log r
  double variance_ = 1.0;   ///< derivative of m r + slope_ in log r
};

}  // namespace bloomlab::theory
