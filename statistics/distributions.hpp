// The few distribution functions that the module needs, over Boost.Math, so that only .cpp files
// see it. Real-valued counts and sizes are allowed where the formula is continuous in them.
#pragma once

#include <functional>

namespace bloomlab::statistics::detail {

/// Standard normal: P(Z <= z).
[[nodiscard]] double normal_at_most(double z) noexcept;
/// Standard normal: P(|Z| >= |z|), accurate far out in the tail.
[[nodiscard]] double normal_two_sided(double z) noexcept;
/// The z with P(Z <= z) = 1 - tail, for tail in (0, 1); accurate for small tails.
[[nodiscard]] double normal_quantile_above(double tail);
/// The t with P(T <= t) = 1 - tail under Student's law, for tail in (0, 1), degrees > 0.
[[nodiscard]] double student_quantile_above(double tail, double degrees);

/// P(X <= x) and P(X >= x) under the chi-square law with `degrees` > 0; x >= 0.
[[nodiscard]] double chi_square_at_most(double x, double degrees);
[[nodiscard]] double chi_square_at_least(double x, double degrees);

/// Student's law with that many degrees of freedom: P(T >= t), accurate far out in the tail.
[[nodiscard]] double student_above(double t, double degrees);

/// P(H <= hits) of a binomial count, by the incomplete beta function.
[[nodiscard]] double binomial_at_most(double hits, double draws, double rate);
/// P(H >= hits) of a binomial count.
[[nodiscard]] double binomial_at_least(double hits, double draws, double rate);

/// P(H <= hits) of a Poisson count whose mean is itself gamma distributed (negative binomial):
/// mean `mean`, variance mean + dispersion * mean^2. Dispersion 0 is Poisson.
[[nodiscard]] double gamma_poisson_at_most(double hits, double mean, double dispersion);
/// P(H >= hits) of the same.
[[nodiscard]] double gamma_poisson_at_least(double hits, double mean, double dispersion);

/// The root of a monotone function with a change of sign in [low, high], to about 1e-14 relative.
[[nodiscard]] double solve(const std::function<double(double)>& f, double low, double high);

}  // namespace bloomlab::statistics::detail
