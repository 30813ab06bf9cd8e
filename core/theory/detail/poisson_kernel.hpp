// From a Poisson number of balls back to exactly N: the parts that all contour integrals share.
// If a probability is a(x) for a Poisson number of balls of mean m x, it is, for N balls,
//     N!/m^N [x^N] e^(mx) a(x) = ratio(N, mr) * mean over angles of kernel(angle) a(r e^(i angle)).
// Internal to core/theory.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "core/theory/detail/complex_exp.hpp"
#include "core/theory/detail/scaled_real.hpp"

namespace bloomlab::theory::detail {

template <class Real>
const Real& pi() {
  using std::atan;
  static const Real value = 4 * atan(Real(1));
  return value;
}

/// log(N!) - log(sqrt(2 pi N) (N/e)^N) to 50 digits, for N > 512.
template <class Real>
Real stirling_rest(const Real& balls) {
  struct Fraction {
    std::int64_t numerator, denominator;
  };
  constexpr std::array<Fraction, 10> terms{{{1, 12},
                                            {-1, 360},
                                            {1, 1260},
                                            {-1, 1680},
                                            {1, 1188},
                                            {-691, 360360},
                                            {1, 156},
                                            {-3617, 122400},
                                            {43867, 244188},
                                            {-174611, 125400}}};
  const Real inverse_square = 1 / (balls * balls);
  Real power = 1 / balls;
  Real sum(0);
  for (const Fraction& term : terms) {
    sum += power * Real(term.numerator) / Real(term.denominator);
    power *= inverse_square;
  }
  return sum;
}

/// N! e^load / load^N for N balls.
template <class Real>
ScaledReal<Real> factorial_ratio(const Real& balls, const Real& load) {
  using std::exp;
  using std::log1p;
  using std::sqrt;
  if (balls <= 512) {
    ScaledReal<Real> product{exp(load), 0};
    const int count = static_cast<int>(balls);
    for (int i = 1; i <= count; ++i) {
      product.mantissa *= Real(i) / load;
      if (i % 8 == 0) product.normalise();
    }
    return product;
  }
  const Real gap = balls - load;
  const Real logarithm = stirling_rest(balls) - gap - balls * log1p(-gap / balls);
  return {sqrt(2 * pi<Real>() * balls) * exp(logarithm), 0};
}

/// sin(angle) - angle, without cancellation; `sine` is sin(angle).
template <class Real>
Real sine_minus_angle(const Real& angle, const Real& sine) {
  if (angle > 1) return sine - angle;
  const Real square = angle * angle;
  Real term = -angle * square / 6;
  Real sum(0);
  for (int i = 4; sum + term != sum; i += 2) {
    sum += term;
    term *= -square / (i * (i + 1));
  }
  return sum;
}

/// load (e^(i angle) - 1) - i N angle, the logarithm of the kernel; `turn` is e^(i angle) - 1.
template <class Real>
Complex<Real> log_poisson_kernel(const Real& balls, const Real& load, const Real& angle,
                                 const Complex<Real>& turn) {
  const Real phase = load * sine_minus_angle(angle, turn.im) - (balls - load) * angle;
  return {load * turn.re, phase};
}

/// e^(load (e^(i angle) - 1) - i N angle); `turn` is e^(i angle) - 1.
template <class Real>
Complex<Real> poisson_kernel(const Real& balls, const Real& load, const Real& angle,
                             const Complex<Real>& turn) {
  return complex_exp(log_poisson_kernel(balls, load, angle, turn));
}

}  // namespace bloomlab::theory::detail
