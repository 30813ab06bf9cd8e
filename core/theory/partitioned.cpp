#include "core/theory/partitioned.hpp"

#include <cmath>

#include "core/theory/detail/domain.hpp"

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

}  // namespace bloomlab::theory
