#include "planner/consequences.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/theory/domain_error.hpp"
#include "core/theory/scalable.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::planner {
namespace {

constexpr double scalable_tightening = 0.85;
constexpr std::uint64_t scalable_growth = 2;

Shift shifted(const Plan& plan, std::string change, std::uint64_t n, std::uint64_t m,
              std::uint64_t k) {
  Shift shift{std::move(change), n, m, k, theory::exact_fpr(m, n, k), 1.0};
  if (plan.rate > 0.0) shift.ratio = shift.rate / plan.rate;
  return shift;
}

/// n times a factor, rounded up; capped where 64 bits end.
std::uint64_t more_keys(std::uint64_t n, double factor) {
  const double more = std::ceil(static_cast<double>(n) * factor);
  return more < 0x1p63 ? static_cast<std::uint64_t>(more) : std::uint64_t{1} << 63;
}

/// The memory of a scalable filter that was started for the plan's n.
class Grown {
 public:
  explicit Grown(const Plan& plan) : plan_(plan) {}

  [[nodiscard]] std::uint64_t layers(std::uint64_t n) const { return layers_of(n).size(); }
  [[nodiscard]] std::uint64_t bits(std::uint64_t n) const {
    std::uint64_t sum = 0;
    for (const theory::Layer& layer : layers_of(n)) sum += whole_words(layer.m);
    return sum;
  }
  /// Most keys that it holds in less than `bits`, at most n; 0 where the first layer takes more.
  [[nodiscard]] std::uint64_t keys_in_less_than(std::uint64_t bits, std::uint64_t n) const {
    std::uint64_t held = 0;
    std::uint64_t taken = 0;
    std::uint64_t capacity = plan_.n;
    for (const theory::Layer& layer : layers_of(n)) {
      taken += whole_words(layer.m);
      if (taken >= bits) return held;
      held += std::min(capacity, n - held);
      capacity *= scalable_growth;
    }
    return held;
  }

 private:
  [[nodiscard]] std::vector<theory::Layer> layers_of(std::uint64_t n) const {
    return theory::scalable_layers(plan_.p, scalable_tightening, scalable_growth, plan_.n, n);
  }

  const Plan& plan_;
};

std::vector<Growth> growth_of(const Plan& plan) {
  const Grown grown(plan);
  std::vector<Growth> rows;
  try {
    for (const double factor : {1.0, 1.5, 2.0, 3.0, 10.0}) {
      const std::uint64_t n = more_keys(plan.n, factor);
      Growth row{.factor = factor, .n = n};
      row.plain_bits = whole_words(theory::smallest_filter_exact(n, plan.p).m);
      row.scalable_bits = grown.bits(n);
      row.layers = grown.layers(n);
      row.scalable_less_up_to = grown.keys_in_less_than(row.plain_bits, n);
      rows.push_back(row);
    }
  } catch (const theory::DomainError&) {
    return rows;  // a size beyond the theory: what was possible remains
  }
  return rows;
}

/// n and so many per cent more, rounded up, in integers: 100 and 10 % are 110; at most 2^63.
std::uint64_t more_by_percent(std::uint64_t n, std::uint64_t percent) {
  return std::min(n + n / 100 * percent + (n % 100 * percent + 99) / 100, std::uint64_t{1} << 63);
}

/// The name of so many per cent more: where n is so small that a whole number of keys is another
/// share, the keys.
std::string name_of_more(const Plan& plan, std::uint64_t percent, std::uint64_t n) {
  constexpr double notable = 0.05;
  const auto more = static_cast<double>(n - plan.n);
  const double wanted = static_cast<double>(percent) * static_cast<double>(plan.n) / 100.0;
  if (std::abs(more - wanted) > notable * wanted) return "n + " + std::to_string(n - plan.n);
  return "n + " + std::to_string(percent) + " %";
}

void add_more_keys(const Plan& plan, std::vector<Shift>& shifts) {
  for (const std::uint64_t percent : {1U, 10U}) {
    const std::uint64_t n = more_by_percent(plan.n, percent);
    if (!shifts.empty() && shifts.back().n == n) continue;
    shifts.push_back(shifted(plan, name_of_more(plan, percent, n), n, plan.m, plan.k));
  }
  for (const auto& [name, factor] : {std::pair{"n x 2", 2.0}, std::pair{"n x 10", 10.0}}) {
    shifts.push_back(shifted(plan, name, more_keys(plan.n, factor), plan.m, plan.k));
  }
}

double elasticity_of(const Plan& plan) {
  const auto probes = static_cast<double>(plan.k);
  const double load = probes * static_cast<double>(plan.n) / static_cast<double>(plan.m);
  return probes * load / std::expm1(load);
}

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

Sensitivity sensitivity_of(const Plan& plan) {
  Sensitivity result;
  auto& shifts = result.shifts;
  add_more_keys(plan, shifts);
  if (plan.k > 1) shifts.push_back(shifted(plan, "k - 1", plan.n, plan.m, plan.k - 1));
  if (plan.k < theory::max_exact_probes) {
    shifts.push_back(shifted(plan, "k + 1", plan.n, plan.m, plan.k + 1));
  }
  const auto resized = [&](const char* change, std::uint64_t m) {
    shifts.push_back(shifted(plan, change, plan.n, m, theory::optimal_k(m, plan.n).k));
  };
  if (!std::has_single_bit(plan.m)) {
    resized("m down to a power of two, best k", std::bit_floor(plan.m));
    resized("m up to a power of two, best k", std::bit_ceil(plan.m));
  }
  result.elasticity = elasticity_of(plan);
  result.most_keys = capacity(plan.m, plan.p, plan.k);
  if (2.0 * plan.p < 1.0)
    result.most_keys_at_twice_the_rate = capacity(plan.m, 2.0 * plan.p, plan.k);
  if (10.0 * plan.p < 1.0)
    result.most_keys_at_ten_times_the_rate = capacity(plan.m, 10.0 * plan.p, plan.k);
  result.growth = growth_of(plan);
  return result;
}

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

double any_of(double rate, std::uint64_t count) {
  return -std::expm1(static_cast<double>(count) * std::log1p(-rate));
}

double each_of(double any, std::uint64_t count) {
  return -std::expm1(std::log1p(-any) / static_cast<double>(count));
}

}  // namespace bloomlab::planner
