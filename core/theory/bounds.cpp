#include "core/theory/bounds.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "core/theory/detail/domain.hpp"
#include "core/theory/detail/multiprecision.hpp"

namespace bloomlab::theory {
namespace {

using detail::Real50;

}  // namespace

double lower_bound_bits(std::uint64_t n, double eps) {
  detail::require(eps > 0.0 && eps <= 1.0, "lower bound", "eps is outside (0, 1]");
  return static_cast<double>(n) * -std::log2(eps);
}

double lower_bound_finite_bits(std::uint64_t u, std::uint64_t n, double eps) {
  detail::require(eps >= 0.0 && eps <= 1.0, "lower bound", "eps is outside [0, 1]");
  detail::require(n <= u, "lower bound", "n is above u; a universe of u keys has no such set");
  if (n == 0) return 0.0;
  // The n! of both binomials cancel.
  const auto log_falling = [](const Real50& top, const Real50& count) {
    return Real50(boost::math::lgamma(Real50(top + 1)) -
                  boost::math::lgamma(Real50(top - count + 1)));
  };
  const Real50 keys(n);
  const Real50 accepted = keys + Real50(eps) * (Real50(u) - keys);
  const Real50 log_sets = log_falling(Real50(u), keys) - log_falling(accepted, keys);
  return static_cast<double>(Real50(log_sets / log(Real50(2))));
}

}  // namespace bloomlab::theory
