#include "core/theory/sizing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/theory/detail/domain.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

using Rate = double (*)(std::uint64_t m, std::uint64_t n, std::uint64_t k);

/// No filter beyond it is considered [bits].
constexpr double most_bits = 0x1p62;

void require_target(std::uint64_t n, double p) {
  detail::require(n >= 1, "sizing", "n is 0; a filter is sized for at least 1 key");
  detail::require(p > 0.0 && p < 1.0, "sizing", "p is outside (0, 1)");
}

/// Real m at which the approximate rate is p, for one k.
double approximate_size(std::uint64_t n, double p, std::uint64_t k) {
  const auto probes = static_cast<double>(k);
  return -probes * static_cast<double>(n) / std::log1p(-std::exp(std::log(p) / probes));
}

/// Smallest m with rate(m, n, k) <= p; the rate falls with m. Doubling steps from the guess, then
/// bisection.
std::uint64_t smallest_size(Rate rate, std::uint64_t n, double p, std::uint64_t k) {
  const double guess = std::ceil(approximate_size(n, p, k));
  detail::require(guess < most_bits / 2.0, "sizing", "the filter would pass 2^61 bits");
  std::uint64_t meets = std::max<std::uint64_t>(static_cast<std::uint64_t>(guess), 1);
  std::uint64_t misses = 0;  // m = 0 misses every p
  std::uint64_t step = 1;
  while (rate(meets, n, k) > p) {
    misses = meets;
    meets += step;
    step *= 2;
  }
  for (step = 1; misses == 0 && meets > step; step *= 2) {
    const std::uint64_t smaller = meets - step;
    (rate(smaller, n, k) > p ? misses : meets) = smaller;
  }
  while (meets - misses > 1) {
    const std::uint64_t middle = misses + (meets - misses) / 2;
    (rate(middle, n, k) > p ? misses : meets) = middle;
  }
  return meets;
}

/// Every k that may be best, the likeliest first. Above log2(1/p) + 3 no k helps: a filter that
/// is fuller than half wants fewer probes, an emptier one is too large.
std::vector<std::uint64_t> candidates(double p) {
  const double ideal = -std::log2(p);
  const auto most = static_cast<std::uint64_t>(
      std::min(std::ceil(ideal) + 3.0, static_cast<double>(max_exact_probes)));
  std::vector<std::uint64_t> result;
  for (std::uint64_t k = most; k >= 1; --k) result.push_back(k);
  std::stable_sort(result.begin(), result.end(), [&](std::uint64_t a, std::uint64_t b) {
    return std::abs(static_cast<double>(a) - ideal) < std::abs(static_cast<double>(b) - ideal);
  });
  return result;
}

FilterSize smallest_filter(Rate rate, std::uint64_t n, double p) {
  require_target(n, p);
  const std::vector<std::uint64_t> all = candidates(p);
  FilterSize best;
  for (const std::uint64_t k : all) {
    if (best.m > 1 && rate(best.m - 1, n, k) > p) continue;  // no smaller m has this k either
    best.m = smallest_size(rate, n, p, k);
  }
  best.rate = 1.0;
  for (const std::uint64_t k : all) {
    const double achieved = rate(best.m, n, k);
    if (achieved < best.rate || (achieved == best.rate && k < best.k)) {
      best.rate = achieved;
      best.k = k;
    }
    if (achieved <= p && (best.fewest_probes == 0 || k < best.fewest_probes)) {
      best.fewest_probes = k;
    }
  }
  return best;
}

}  // namespace

double optimal_k_real(std::uint64_t m, std::uint64_t n) {
  detail::require(m >= 1 && n >= 1, "optimal k", "m or n is 0; both are at least 1");
  return static_cast<double>(m) / static_cast<double>(n) * std::numbers::ln2;
}

double optimal_k_real_classic(std::uint64_t m, std::uint64_t n) {
  detail::require(m >= 1 && n >= 1, "optimal k", "m or n is 0; both are at least 1");
  return -std::numbers::ln2 / (static_cast<double>(n) * std::log1p(-1.0 / static_cast<double>(m)));
}

OptimalProbes optimal_k(std::uint64_t m, std::uint64_t n) {
  // The exact rate punishes large k more than the approximate one, so nothing lies further above.
  const double last =
      std::min(std::ceil(optimal_k_real(m, n)) + 1.0, static_cast<double>(max_exact_probes));
  OptimalProbes best;
  double lowest = 1.0;
  for (std::uint64_t k = 1; static_cast<double>(k) <= last; ++k) {
    const double rate = log2_exact_fpr(m, n, k);
    if (k > 1 && rate >= lowest - 1e-13) continue;  // equal to within rounding: keep the smaller k
    lowest = rate;
    best.k = k;
  }
  best.rate = exact_fpr(m, n, best.k);
  return best;
}

FilterSize smallest_filter_exact(std::uint64_t n, double p) {
  return smallest_filter(exact_fpr, n, p);
}

FilterSize smallest_filter_approx(std::uint64_t n, double p) {
  return smallest_filter(approx_fpr, n, p);
}

FilterSize smallest_filter_classic(std::uint64_t n, double p) {
  return smallest_filter(classic_fpr, n, p);
}

FilterSize popular_calculator(std::uint64_t n, double p) {
  require_target(n, p);
  constexpr double ln2 = std::numbers::ln2;
  const double bits =
      std::ceil(static_cast<double>(n) * std::log(p) / std::log(1.0 / std::exp2(ln2)));
  detail::require(bits < most_bits, "sizing", "the filter would pass 2^62 bits");
  const double probes = std::max(std::round(bits / static_cast<double>(n) * ln2), 1.0);
  FilterSize size{static_cast<std::uint64_t>(bits), static_cast<std::uint64_t>(probes), 0.0, 0};
  size.rate = approx_fpr(size.m, n, size.k);
  if (size.rate <= p) size.fewest_probes = size.k;
  return size;
}

}  // namespace bloomlab::theory
