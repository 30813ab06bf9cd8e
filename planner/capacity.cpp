// Inverses of the exact rate: n from m and p, m from n, p and k.

#include "planner/capacity.hpp"

#include <algorithm>
#include <cmath>

#include "core/filters/detail/search.hpp"
#include "core/theory/domain_error.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::planner {
namespace {

/// Most keys that are considered: with so many, n k stays exact enough in double.
constexpr std::uint64_t most_keys = (std::uint64_t{1} << 63) - 1;

/// kn/m at which the approximate rate is p.
double load_at(double p, std::uint64_t k) {
  const double log_fill = std::log(p) / static_cast<double>(k);
  // Each form loses its digits where the other keeps them; the second gives 0 for a small fill.
  return log_fill < -0.5 ? -std::log1p(-std::exp(log_fill)) : -std::log(-std::expm1(log_fill));
}

std::uint64_t as_guess(double value, std::uint64_t most) {
  if (!(value > 1.0)) return 1;
  return value < static_cast<double>(most) ? static_cast<std::uint64_t>(value) : most;
}

/// Above it no k is best: a filter fuller than half wants fewer probes, an emptier one holds more.
std::uint64_t most_probes(double p) {
  const double most = std::ceil(-std::log2(p)) + 3.0;
  return static_cast<std::uint64_t>(std::min(most, static_cast<double>(theory::max_exact_probes)));
}

}  // namespace

std::uint64_t capacity(std::uint64_t m, double p, std::uint64_t k) {
  const double guess = load_at(p, k) * static_cast<double>(m) / static_cast<double>(k);
  return detail::largest(1, most_keys, as_guess(guess, most_keys),
                         [&](std::uint64_t n) { return theory::exact_fpr(m, n, k) <= p; });
}

std::uint64_t capacity(std::uint64_t m, double p) {
  std::uint64_t best = 0;
  // The best k is near the top: most others are then ruled out by one evaluation.
  for (std::uint64_t k = most_probes(p); k >= 1; --k) {
    if (theory::exact_fpr(m, best + 1, k) <= p) best = capacity(m, p, k);
  }
  return best;
}

std::uint64_t fewest_bits(std::uint64_t n, double p, std::uint64_t k) {
  const double guess = static_cast<double>(k) * static_cast<double>(n) / load_at(p, k);
  if (!(guess < static_cast<double>(largest_filter))) {
    throw theory::DomainError("sizing: the filter would pass 2^61 bits");
  }
  return detail::smallest(1, largest_filter, as_guess(std::ceil(guess), largest_filter),
                          [&](std::uint64_t m) { return theory::exact_fpr(m, n, k) <= p; });
}

}  // namespace bloomlab::planner
