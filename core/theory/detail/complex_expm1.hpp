// e^z - 1 for complex z, in double and in multiprecision.
#pragma once

#include <cmath>

namespace bloomlab::theory::detail {

/// A complex number; std::complex is specified for the built-in types only.
template <class Real>
struct Complex {
  Real re{};
  Real im{};
};

/// e^z - 1 without cancellation near 0.
inline Complex<double> complex_expm1(const Complex<double>& z) {
  const double growth = std::expm1(z.re);
  const double half_sine = std::sin(0.5 * z.im);
  return {growth - 2.0 * half_sine * half_sine * (growth + 1.0), (growth + 1.0) * std::sin(z.im)};
}

/// The same for a multiprecision type: a Taylor series near 0 and (1 + e)^2 - 1 = e (e + 2), ten
/// times as fast as exp, sin and cos apart. Loses log10 |z| + 3 digits.
template <class Real>
Complex<Real> complex_expm1(Complex<Real> z) {
  int halvings = 0;
  const double size = std::hypot(static_cast<double>(z.re), static_cast<double>(z.im));
  if (size > 0) halvings = std::max(0, 8 + std::ilogb(size));
  z.re = ldexp(z.re, -halvings);
  z.im = ldexp(z.im, -halvings);
  Complex<Real> term = z;
  Complex<Real> sum = z;
  const double enough = 1e-60 * size;
  for (int i = 2; std::abs(static_cast<double>(term.re)) + std::abs(static_cast<double>(term.im)) >
                  std::ldexp(enough, -halvings);
       ++i) {
    const Real re = (term.re * z.re - term.im * z.im) / i;
    term.im = (term.re * z.im + term.im * z.re) / i;
    term.re = re;
    sum.re += term.re;
    sum.im += term.im;
  }
  for (; halvings > 0; --halvings) {
    const Real plus_two = sum.re + 2;
    const Real re = sum.re * plus_two - sum.im * sum.im;
    sum.im *= plus_two + sum.re;
    sum.re = re;
  }
  return sum;
}

}  // namespace bloomlab::theory::detail
