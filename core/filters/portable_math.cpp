#include "core/filters/portable_math.hpp"

#include <cfloat>
#include <cmath>

namespace bloomlab::portable {
namespace {

static_assert(FLT_EVAL_METHOD == 0, "doubles must be rounded after every operation");

// ln 2 in two parts; a whole number of up to 21 bits times the first is exact.
constexpr double ln_2_high = 0x1.62e42fee00000p-1;
constexpr double ln_2_low = 0x1.a39ef35793c76p-33;
constexpr double sqrt_half = 0x1.6a09e667f3bcdp-1;

/// 2 atanh(s) for |s| <= 1/3: the odd powers up to s^35, beyond which nothing is left to add.
double twice_atanh(double s) noexcept {
  const double square = s * s;
  double sum = 0.0;
  for (double odd = 35.0; odd > 2.0; odd -= 2.0) sum = (sum + 1.0 / odd) * square;
  return 2.0 * (s + s * sum);
}

}  // namespace

double log(double x) noexcept {
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);  // exact
  if (fraction < sqrt_half) {
    fraction *= 2.0;
    --exponent;
  }
  const double twos = exponent;
  return twos * ln_2_high + (twice_atanh((fraction - 1.0) / (fraction + 1.0)) + twos * ln_2_low);
}

double log_of_rest(double x) noexcept {
  return x <= 0.5 ? -twice_atanh(x / (2.0 - x)) : log(1.0 - x);
}

double exp(double x) noexcept {
  constexpr double per_two = 1.4426950408889634;  // 1 / ln 2
  const int twos = static_cast<int>(x * per_two + (x < 0.0 ? -0.5 : 0.5));
  const double rest = (x - twos * ln_2_high) - twos * ln_2_low;
  double sum = 1.0;  // 1 + rest/1 (1 + rest/2 (1 + ...))
  for (double term = 16.0; term > 0.5; term -= 1.0) sum = 1.0 + sum * rest / term;
  return std::ldexp(sum, twos);  // exact: the result is normal
}

}  // namespace bloomlab::portable
