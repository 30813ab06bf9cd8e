#include "statistics/distributions.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>

namespace bloomlab::statistics::detail {
namespace {

// Poisson is the gamma mixture with no dispersion. A trace of it, too small to show, lets the
// incomplete beta function serve both: Boost's incomplete gamma throws far out in the tails and
// for means above 1e11, its incomplete beta does not.
double traced(double dispersion, double mean) {
  return std::max(dispersion, 1e-12 / std::max(1.0, mean));
}

}  // namespace

double normal_at_most(double z) noexcept { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double normal_two_sided(double z) noexcept { return std::erfc(std::abs(z) / std::numbers::sqrt2); }

double normal_quantile_above(double tail) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), tail));
}

double student_quantile_above(double tail, double degrees) {
  // A study has few levels and numbers of trials, and searches ask for the same ones again.
  thread_local std::map<std::pair<double, double>, double> known;
  constexpr std::size_t most_known = 1024;
  const std::pair wanted{tail, degrees};
  if (const auto found = known.find(wanted); found != known.end()) return found->second;
  const double quantile =
      boost::math::quantile(boost::math::complement(boost::math::students_t(degrees), tail));
  if (known.size() == most_known) known.clear();
  known.emplace(wanted, quantile);
  return quantile;
}

double chi_square_at_most(double x, double degrees) {
  return boost::math::cdf(boost::math::chi_squared(degrees), x);
}

double chi_square_at_least(double x, double degrees) {
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(degrees), x));
}

double student_above(double t, double degrees) {
  return boost::math::cdf(boost::math::complement(boost::math::students_t(degrees), t));
}

double binomial_at_most(double hits, double draws, double rate) {
  if (hits < 0.0) return 0.0;
  if (hits >= draws) return 1.0;
  return boost::math::ibetac(hits + 1.0, draws - hits, rate);
}

double binomial_at_least(double hits, double draws, double rate) {
  if (hits <= 0.0) return 1.0;
  if (hits > draws) return 0.0;
  return boost::math::ibeta(hits, draws - hits + 1.0, rate);
}

double gamma_poisson_at_most(double hits, double mean, double dispersion) {
  if (hits < 0.0) return 0.0;
  const double spread = traced(dispersion, mean);
  return boost::math::ibetac(hits + 1.0, 1.0 / spread, spread * mean / (1.0 + spread * mean));
}

double gamma_poisson_at_least(double hits, double mean, double dispersion) {
  if (hits <= 0.0) return 1.0;
  const double spread = traced(dispersion, mean);
  return boost::math::ibeta(hits, 1.0 / spread, spread * mean / (1.0 + spread * mean));
}

double solve(const std::function<double(double)>& f, double low, double high) {
  std::uintmax_t steps = 200;
  const auto root = boost::math::tools::toms748_solve(
      f, low, high, boost::math::tools::eps_tolerance<double>(50), steps);
  return 0.5 * (root.first + root.second);
}

}  // namespace bloomlab::statistics::detail
