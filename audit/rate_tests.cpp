#include "audit/rate_tests.hpp"

#include <algorithm>
#include <cmath>

#include "core/theory/double_hashing.hpp"
#include "statistics/distributions.hpp"
#include "statistics/ensemble.hpp"
#include "statistics/hit_law.hpp"
#include "statistics/interval.hpp"
#include "statistics/power.hpp"
#include "statistics/test.hpp"
#include "statistics/two_rates.hpp"

namespace bloomlab::audit {
namespace {

using statistics::RateLaw;
using statistics::Sampling;

/// The rate by the layout's law. Double hashing in filters too large for its closed form: a query
/// with the progression of an inserted key, from either end, is reported, and one with all but j of
/// its positions with the chance that those are set.
double expected_rate(const Layout& layout, std::uint64_t n) {
  const auto m = static_cast<std::uint64_t>(layout.bits);
  const double plain = rate(layout, n);
  if (!layout.odd_strides || plain >= 0.5) return plain;
  const auto k = static_cast<std::uint64_t>(layout.k);
  if (m <= theory::most_double_hashing_bits && k <= theory::most_double_hashing_probes) {
    return theory::double_hashing_fpr(m, n, k, theory::Stride::odd).rate;
  }
  const double fill = mean_fill(layout, static_cast<double>(n), {});
  return plain +
         4.0 * static_cast<double>(n) / layout.bits / layout.bits * (1.0 + fill) / (1.0 - fill);
}

/// Relative variance between filters as the filters show it; nothing where they are few.
std::optional<double> shown_spread(const RateCell& cell) {
  constexpr std::uint64_t enough = 20;
  if (cell.filters < enough || cell.hits < 20) return std::nullopt;
  const auto filters = static_cast<double>(cell.filters);
  const double mean = static_cast<double>(cell.hits) / filters;
  const double variance = (cell.squares - filters * mean * mean) / (filters - 1.0);
  return std::max(0.0, (variance - mean) / mean / mean);
}

/// What the filters show where they are many, and what smaller ones show, brought to the size,
/// where they are few: the spread falls as 1 / size.
double spread_at(const RateCell& cell, std::span<const RateCell> all) {
  if (const auto shown = shown_spread(cell)) return *shown;
  double spread = 0.0;
  double nearest = 1e9;
  for (const RateCell& other : all) {
    const auto shown = shown_spread(other);
    const double distance = std::abs(std::log(other.load() / cell.load()));
    if (!shown || other.size > cell.size || distance > nearest + 1e-9) continue;
    nearest = distance;
    spread = *shown * static_cast<double>(other.size) / static_cast<double>(cell.size);
  }
  return spread;
}

/// The law of filters with that mean rate and that relative variance of their own.
RateLaw law_of(double rate, double relative) {
  return {rate, std::min(relative * rate * rate, 0.999 * rate * (1.0 - rate))};
}

/// Of the mean rate over filters, at level 0.95: exact, or that of a gamma-mixed Poisson count,
/// where hits or misses are few.
statistics::Interval interval_of(const RateCell& cell, double relative, const Sampling& sampling) {
  // Of the law only the relative variance counts, at the measured rate, or at one hit or miss.
  const double one = 1.0 / static_cast<double>(cell.queries);
  const double rate = std::clamp(cell.rate(), std::min(one, 0.5), std::max(1.0 - one, 0.5));
  return statistics::estimate_with_law(cell.hits, sampling, law_of(rate, relative), 0.95).interval;
}

}  // namespace

double RateTests::spread_between(const Place& at) const {
  const double shown = at.spread * (at.cell.filters >= 20 ? 1.3 : 1.6);
  return std::max(shown, spread_of(at.layout, static_cast<double>(at.cell.inserted)));
}

double RateTests::as_random(const Place& keys, const Place& random) const {
  const auto sampling = [&](const RateCell& cell) {
    const std::uint64_t filters = independent_filters(cell);
    return Sampling{filters, cell.queries / filters};
  };
  const auto hits = static_cast<double>(keys.cell.hits + random.cell.hits);
  const double rate = hits / static_cast<double>(keys.cell.queries + random.cell.queries);
  if (rate <= 0.0 || rate >= 1.0) return 1.0;
  const RateLaw law = law_of(rate, std::max(spread_between(keys), spread_between(random)));
  return statistics::compare_counts(random.cell.hits, sampling(random.cell), keys.cell.hits,
                                    sampling(keys.cell), law, 0.95)
      .p_value;
}

Place RateTests::place_of(const RateCell& cell) const {
  // The best k is that for the keys which the memory is for.
  const bool is_built = !is_declared() && built_of_its_keys();
  Place at{.cell = cell,
           .layout = examined_.layout(is_built ? cell.inserted : cell.size, cell.memory_bits)};
  const auto known = expected_.find({cell.size, cell.inserted});
  at.expected = known != expected_.end() ? known->second : expected_rate(at.layout, cell.inserted);
  expected_[{cell.size, cell.inserted}] = at.expected;
  at.spread = spread_at(cell, seen_.rates);
  return at;
}

std::optional<double> RateTests::promised(const Place& at) const {
  if (is_declared()) return at.expected;
  if (!is_promised(at.cell)) return std::nullopt;
  if (examined_.fpr) return *examined_.fpr;
  if (examined_.bits_per_key) {
    Layout layout;
    layout.bits = std::max(1.0, *examined_.bits_per_key * static_cast<double>(at.cell.size));
    layout.k = std::max(1, static_cast<int>(std::lround(std::log(2.0) * *examined_.bits_per_key)));
    return rate(layout, at.cell.inserted);
  }
  return std::nullopt;
}

Judged RateTests::test(const Place& at) const {
  const RateCell& cell = at.cell;
  Judged judged{.cell = cell, .expected = at.expected};
  const auto promise = promised(at);
  if (promise) judged.expected = *promise;
  const auto filters = static_cast<double>(independent_filters(cell));
  const double spread = spread_between(at) * static_cast<double>(cell.filters) / filters;
  const Sampling sampling{cell.filters, cell.queries / cell.filters};
  const double rate = std::clamp(judged.expected, 0.0, 1.0);
  const RateLaw law = law_of(rate, spread + 1e-6 * filters);
  const auto interval = interval_of(cell, spread, sampling);
  judged.low = interval.low;
  judged.high = interval.high;
  if (!promise) return judged;
  if (rate <= 0.0 || rate >= 1.0 || law.variance <= 0.0) {
    judged.p_value = rate <= 0.0 && cell.hits > 0 ? 0.0 : 1.0;
    return judged;
  }
  const statistics::HitLaw hits(law, sampling);
  const double above = hits.at_least(static_cast<double>(cell.hits));
  const double below = hits.at_most(static_cast<double>(cell.hits));
  judged.p_value =
      is_declared() ? std::min(1.0, 2.0 * std::min(above, below)) : std::min(1.0, above);
  const auto effect =
      statistics::minimum_detectable_effect(law, sampling, {.alpha = 1e-6, .power = 0.9});
  judged.detectable = std::isfinite(effect.increase) ? effect.increase : 0.0;
  return judged;
}

std::vector<Together> RateTests::together(std::span<const Judged> rates) const {
  constexpr double enough_hits = 100.0;
  struct Sums {
    Together load;
    double scores = 0.0, excess = 0.0, squares = 0.0;
  };
  std::map<double, Sums> sums;
  for (const Judged& judged : rates) {
    const double expected = judged.expected * static_cast<double>(judged.cell.queries);
    if (!is_promised(judged.cell)) continue;
    if (expected < enough_hits || judged.expected > 0.5 || judged.high <= judged.low) continue;
    const double excess = judged.cell.rate() / judged.expected - 1.0;
    const double weight = judged.expected / (judged.high - judged.low);
    const double tail = std::clamp(judged.p_value, 1e-300, 1.0 - 1e-12) / 2.0;
    const double score =
        is_declared() ? std::copysign(statistics::detail::normal_quantile_above(tail), excess)
                      : statistics::detail::normal_quantile_above(2.0 * tail);
    Sums& sum = sums[judged.cell.load()];
    ++sum.load.sizes;
    sum.scores += weight * score;
    sum.excess += weight * weight * excess;
    sum.squares += weight * weight;
  }
  std::vector<Together> loads;
  for (auto& [load, sum] : sums) {
    if (sum.load.sizes < 2) continue;
    sum.load.load = load;
    sum.load.excess = sum.excess / sum.squares;
    const double score = sum.scores / std::sqrt(sum.squares);
    const double two_sided = statistics::detail::normal_two_sided(score);
    sum.load.p_value = is_declared() ? two_sided : score > 0.0 ? 0.5 * two_sided : 1.0;
    loads.push_back(sum.load);
  }
  return loads;
}

bool RateTests::built_of_its_keys() const {
  constexpr double nearly = 0.8;
  bool is_built = false;
  for (const RateCell& few : seen_.rates) {
    for (const RateCell& many : seen_.rates) {
      // The smallest may have a least memory.
      if (few.size != many.size || few.memory_bits < 200 || many.inserted <= few.inserted) continue;
      const double keys = static_cast<double>(many.inserted) / static_cast<double>(few.inserted);
      const double memory =
          static_cast<double>(many.memory_bits) / static_cast<double>(few.memory_bits);
      if (!(memory > nearly * keys && memory < keys / nearly)) return false;
      is_built = true;
    }
  }
  return is_built;
}

bool RateTests::seed_ignored() const {
  const SeedCheck& seeds = seen_.seeds;
  // A filter that reports every key says nothing of its seed.
  return seeds.first >= 30 && seeds.first < seeds.queries && seeds.first == seeds.second &&
         seeds.both == seeds.first;
}

}  // namespace bloomlab::audit
