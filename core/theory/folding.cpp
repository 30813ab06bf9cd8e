#include "core/theory/folding.hpp"

#include <cmath>

#include "core/theory/detail/domain.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {

double folded_fpr(std::uint64_t m, std::uint64_t m2, std::uint64_t n, std::uint64_t k) {
  detail::require_filter("folding", m, k);
  detail::require(m2 >= 1 && m2 <= m, "folding", "m2 is outside 1 to m; folding makes smaller");
  if (m % m2 == 0) return exact_fpr(m2, n, k);
  const auto bits = static_cast<double>(m);
  const double positions = static_cast<double>(n) * static_cast<double>(k);
  // Probability that a query position lies in one of `places` classes of `size` old bits each, and
  // that an insert has set that class.
  const auto seen_set = [&](std::uint64_t places, std::uint64_t size) {
    const double share = static_cast<double>(size) / bits;
    return static_cast<double>(places) * share * -std::expm1(positions * std::log1p(-share));
  };
  const std::uint64_t longer = m % m2;
  const double fill = seen_set(longer, m / m2 + 1) + seen_set(m2 - longer, m / m2);
  return std::pow(fill, static_cast<double>(k));
}

}  // namespace bloomlab::theory
