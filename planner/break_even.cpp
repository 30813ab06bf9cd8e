#include "planner/break_even.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/theory/standard.hpp"

namespace bloomlab::planner {
namespace {

constexpr double ln2_squared = std::numbers::ln2 * std::numbers::ln2;
constexpr double ns_in_second = 1e9;

/// (1 - e^(-k/b))^k.
double rate_at(double bits_per_key, double k) {
  return std::pow(-std::expm1(-k / bits_per_key), k);
}

struct BestSize {
  double bits_per_key = 0.0;
  double cost = 0.0;  ///< W p + mu b
};

/// Least W p(b, k) + mu b over b for one k, by golden sections; the cost has one minimum above the
/// bits at which the rate starts to fall.
BestSize best_size(double worth, double price, double k) {
  constexpr double section = std::numbers::phi - 1.0;
  const auto cost = [&](double bits) { return worth * rate_at(bits, k) + price * bits; };
  double low = k / (2.0 * std::numbers::ln2 * 2.0);
  double high = 8.0 * k + 64.0;
  for (int i = 0; i < 200; ++i) {
    const double left = high - section * (high - low);
    const double right = low + section * (high - low);
    (cost(left) < cost(right) ? high : low) = cost(left) < cost(right) ? right : left;
  }
  const double bits = 0.5 * (low + high);
  return {bits, cost(bits)};
}

void optimise(double worth, double price, BreakEven& result) {
  const double gain = worth * ln2_squared / price;
  result.best_bits_per_key = gain > 1.0 ? std::log(gain) / ln2_squared : 0.0;
  result.best_rate = gain > 1.0 ? 1.0 / gain : 1.0;
  BestSize best{0.0, worth};  // no filter
  std::uint64_t best_k = 0;
  const auto most = static_cast<std::uint64_t>(
      std::clamp(std::ceil(*result.best_bits_per_key * std::numbers::ln2) + 2.0, 1.0,
                 static_cast<double>(theory::max_exact_probes)));
  for (std::uint64_t k = 1; k <= most; ++k) {
    const BestSize size = best_size(worth, price, static_cast<double>(k));
    if (size.cost >= best.cost) continue;
    best = size;
    best_k = k;
  }
  result.best_bits_per_key_whole_k = best.bits_per_key;
  result.best_k = best_k;
}

}  // namespace

BreakEven break_even(std::uint64_t n, double rate, const StoreCosts& costs) {
  const double absent = 1.0 - costs.hit_ratio;
  const double stopped = 1.0 - rate;
  BreakEven result;
  result.without_filter_ns = costs.miss_cost_ns;
  result.with_filter_ns =
      costs.filter_cost_ns + (costs.hit_ratio + absent * rate) * costs.miss_cost_ns;
  result.pays = costs.filter_cost_ns < absent * stopped * costs.miss_cost_ns;
  const double share = costs.filter_cost_ns / (stopped * costs.miss_cost_ns);
  result.break_even_hit_ratio = stopped > 0.0 ? std::max(0.0, 1.0 - share) : 0.0;
  if (!costs.lookups_per_second) return result;
  const double asked = *costs.lookups_per_second * absent;
  result.store_lookups_saved_per_second = asked * stopped;
  result.store_seconds_saved_per_second = asked * stopped * costs.miss_cost_ns / ns_in_second;
  if (costs.price_per_bit && *costs.price_per_bit > 0.0) {
    const double worth = asked * costs.miss_cost_ns / ns_in_second / static_cast<double>(n);
    optimise(worth, *costs.price_per_bit, result);
  }
  return result;
}

}  // namespace bloomlab::planner
