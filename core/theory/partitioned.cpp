#include "core/theory/partitioned.hpp"

#include <cmath>

#include "core/theory/detail/domain.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {

double partitioned_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  detail::require_filter("partitioned", m, k);
  detail::require(m >= k, "partitioned", "m is below k; every slice has at least 1 bit");
  if (n == 0) return 0.0;
  const auto fill_to_the = [&](std::uint64_t slice_bits, std::uint64_t slices) {
    const double log_empty =
        static_cast<double>(n) * std::log1p(-1.0 / static_cast<double>(slice_bits));
    return std::pow(-std::expm1(log_empty), static_cast<double>(slices));
  };
  const std::uint64_t longer = m % k;
  return fill_to_the(m / k, k - longer) * fill_to_the(m / k + 1, longer);
}

double sd_partitioned_fpr(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const double mean = partitioned_fpr(m, n, k);
  if (n == 0) return 0.0;
  // Log of E[(X/s)^2] / E[X/s]^2 of one slice.
  const auto log_spread = [&](std::uint64_t slice_bits) {
    const auto s = static_cast<double>(slice_bits);
    const double set = -s * std::expm1(static_cast<double>(n) * std::log1p(-1.0 / s));
    return std::log1p(var_set_bits(slice_bits, n, 1) / (set * set));
  };
  const std::uint64_t longer = m % k;
  double spread = static_cast<double>(k - longer) * log_spread(m / k);
  if (longer != 0) spread += static_cast<double>(longer) * log_spread(m / k + 1);
  return mean * std::sqrt(std::expm1(spread));
}

}  // namespace bloomlab::theory
