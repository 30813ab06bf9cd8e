#include "core/theory/dynamic.hpp"

#include <cmath>

#include "core/theory/detail/domain.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

template <class Rate>
double compound(std::uint64_t m, std::uint64_t k, std::uint64_t c, std::uint64_t n, Rate&& rate) {
  detail::require(c >= 1, "dynamic", "c is 0; a filter takes at least 1 key");
  const auto full = static_cast<double>(n / c);
  double log_rejected = std::log1p(-rate(m, n % c, k));
  if (n >= c) log_rejected += full * std::log1p(-rate(m, c, k));
  return -std::expm1(log_rejected);
}

}  // namespace

double dynamic_fpr(std::uint64_t m, std::uint64_t k, std::uint64_t c, std::uint64_t n) {
  return compound(m, k, c, n, exact_fpr);
}

double dynamic_approx_fpr(std::uint64_t m, std::uint64_t k, std::uint64_t c, std::uint64_t n) {
  return compound(m, k, c, n, approx_fpr);
}

}  // namespace bloomlab::theory
