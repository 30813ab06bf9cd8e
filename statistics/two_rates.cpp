#include "statistics/two_rates.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "statistics/distributions.hpp"
#include "statistics/require.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::statistics {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

/// Rates of the filters and what they are in all.
struct RatesOfSide {
  double filters = 0.0;
  double hits = 0.0;
  double queries = 0.0;
  double mean = 0.0;              // of the filters' own rates
  double variance_of_mean = 0.0;  // as they show it; 0 for one filter
  double design_effect = 1.0;     // as they show it, never below 1

  [[nodiscard]] bool counts_are_many() const {
    return std::min(hits, queries - hits) >= thresholds::few_hits;
  }
  [[nodiscard]] bool filters_are_many() const { return filters >= thresholds::minimum_trials; }
};

void require_counts(const FilterCounts& counts) {
  const char* where = "compare_rates";
  detail::require_positive_count(where, "number of filters", counts.hits.size());
  detail::require(counts.hits.size() == counts.queries.size(), where, "number of queries' entries",
                  static_cast<double>(counts.queries.size()), "be that of the hits");
  for (std::size_t i = 0; i < counts.hits.size(); ++i) {
    detail::require_hits(where, counts.hits[i], counts.queries[i]);
  }
}

RatesOfSide rates_of_side(const FilterCounts& counts) {
  RatesOfSide side;
  Eigen::ArrayXd rates(static_cast<Eigen::Index>(counts.hits.size()));
  for (std::size_t i = 0; i < counts.hits.size(); ++i) {
    const auto hits = static_cast<double>(counts.hits[i]);
    const auto queries = static_cast<double>(counts.queries[i]);
    rates[static_cast<Eigen::Index>(i)] = hits / queries;
    side.hits += hits;
    side.queries += queries;
  }
  side.filters = static_cast<double>(rates.size());
  side.mean = rates.mean();
  if (rates.size() > 1) {
    const double squares = (rates - side.mean).square().sum();
    side.variance_of_mean = squares / (side.filters - 1.0) / side.filters;
    const double rate = side.hits / side.queries;
    const double binomial = rate * (1.0 - rate) / side.queries;
    if (binomial > 0.0) side.design_effect = std::max(1.0, side.variance_of_mean / binomial);
  }
  return side;
}

/// Theory's design effect at the observed rate of the rarer outcome.
double theory_design_effect(const RateLaw& law, double rare_rate, const RatesOfSide& side) {
  const double rare = std::min(law.rate, 1.0 - law.rate);
  if (!(rare > 0.0) || !(rare_rate > 0.0)) return 1.0;
  const double variance = law.variance / (rare * rare) * rare_rate * rare_rate;
  const double queries = side.queries / side.filters;
  return 1.0 + (queries - 1.0) * variance / (rare_rate * (1.0 - rare_rate));
}

RateChange welch(const RatesOfSide& first, const RatesOfSide& second, double level) {
  const double a = first.variance_of_mean / (first.mean * first.mean);
  const double b = second.variance_of_mean / (second.mean * second.mean);
  RateChange change;
  change.method = RateMethod::welch;
  change.ratio = second.mean / first.mean;
  change.relative_error = std::sqrt(a + b);
  change.degrees =
      (a + b) * (a + b) / (a * a / (first.filters - 1.0) + b * b / (second.filters - 1.0));
  const double t = std::abs(std::log(change.ratio)) / change.relative_error;
  change.p_value = std::min(1.0, 2.0 * detail::student_above(t, change.degrees));
  const double width =
      change.relative_error * detail::student_quantile_above((1.0 - level) / 2.0, change.degrees);
  change.interval = {change.ratio * std::exp(-width), change.ratio * std::exp(width)};
  return change;
}

/// share / (1 - share) of a count in both; infinite for a share of 1.
double odds_of(double share) { return share < 1.0 ? share / (1.0 - share) : endless; }

/// The rates' ratio from that of the misses, the first run's own being taken as they are.
double ratio_from_misses(double ratio, const RatesOfSide& first) {
  const double misses = (first.queries - first.hits) / first.queries;
  return std::max(0.0, 1.0 - ratio * misses) / (1.0 - misses);
}

/// Counts that carry as much as independent queries would.
struct EffectiveCounts {
  double rare = 0.0;
  double queries = 0.0;
};

RateChange conditional(const RatesOfSide& first, const RatesOfSide& second,
                       const std::optional<RateLaw>& law, double level) {
  const double rate = (first.hits + second.hits) / (first.queries + second.queries);
  const bool of_misses = rate > 0.5;
  const double rare_rate = of_misses ? 1.0 - rate : rate;
  const auto effective = [&](const RatesOfSide& side) -> EffectiveCounts {
    const double effect = law ? theory_design_effect(*law, rare_rate, side) : side.design_effect;
    return {(of_misses ? side.queries - side.hits : side.hits) / effect, side.queries / effect};
  };
  const EffectiveCounts before = effective(first);
  const EffectiveCounts after = effective(second);
  RateChange change;
  change.interval = {0.0, endless};
  if (first.hits > 0.0 || second.hits > 0.0) {
    change.ratio =
        first.hits > 0.0 ? second.hits / second.queries / (first.hits / first.queries) : endless;
  }
  const double sum = before.rare + after.rare;
  if (!(sum > 0.0)) return change;
  const double share = after.queries / (before.queries + after.queries);
  change.p_value = std::min(1.0, 2.0 * std::min(detail::binomial_at_most(after.rare, sum, share),
                                                detail::binomial_at_least(after.rare, sum, share)));
  change.relative_error =
      std::sqrt(1.0 / std::max(before.rare, 0.5) + 1.0 / std::max(after.rare, 0.5));
  const Interval of_share = equal_tailed_interval(HitLaw::binomial(sum, share), after.rare, level);
  const double per_query = before.queries / after.queries;
  change.interval = {odds_of(of_share.low) * per_query, odds_of(of_share.high) * per_query};
  if (of_misses) {
    change.interval = {ratio_from_misses(change.interval.high, first),
                       ratio_from_misses(change.interval.low, first)};
    change.relative_error *= rare_rate / rate;
  }
  return change;
}

RateChange paired(const FilterCounts& first, const FilterCounts& second, double mean,
                  double level) {
  const auto filters = static_cast<double>(first.hits.size());
  Eigen::ArrayXd differences(static_cast<Eigen::Index>(first.hits.size()));
  double half_hits = 0.0;
  for (std::size_t i = 0; i < first.hits.size(); ++i) {
    const auto queries = static_cast<double>(first.queries[i]);
    differences[static_cast<Eigen::Index>(i)] =
        (static_cast<double>(second.hits[i]) - static_cast<double>(first.hits[i])) / queries;
    half_hits += 0.5 / queries / filters;
  }
  const double shift = differences.mean();
  const double squares = (differences - shift).square().sum();
  const double error = std::sqrt(squares / (filters - 1.0) / filters);
  RateChange change;
  change.method = RateMethod::paired;
  change.degrees = filters - 1.0;
  change.ratio = 1.0 + shift / mean;
  change.relative_error = error / mean;
  const double beyond = std::max(0.0, std::abs(shift) - half_hits);
  if (error > 0.0) {
    change.p_value = std::min(1.0, 2.0 * detail::student_above(beyond / error, change.degrees));
  } else {
    change.p_value = beyond > 0.0 ? 0.0 : 1.0;
  }
  const double width =
      (half_hits + error * detail::student_quantile_above((1.0 - level) / 2.0, change.degrees)) /
      mean;
  change.interval = {change.ratio - width, change.ratio + width};
  return change;
}

}  // namespace

std::string_view name(RateMethod method) noexcept {
  switch (method) {
    case RateMethod::paired:
      return "paired";
    case RateMethod::welch:
      return "welch";
    case RateMethod::conditional:
      break;
  }
  return "conditional";
}

std::optional<RateChange> compare_rates(const FilterCounts& first, const FilterCounts& second,
                                        std::optional<RateLaw> law, double level) {
  require_counts(first);
  require_counts(second);
  if (law) require_valid("compare_rates", *law);
  detail::require_open_unit("compare_rates", "level", level);
  const RatesOfSide a = rates_of_side(first);
  const RatesOfSide b = rates_of_side(second);
  const bool filters_tell = a.filters_are_many() && b.filters_are_many();
  if (filters_tell && a.counts_are_many() && b.counts_are_many() && a.variance_of_mean > 0.0 &&
      b.variance_of_mean > 0.0) {
    return welch(a, b, level);
  }
  if (!law && !filters_tell) return std::nullopt;
  return conditional(a, b, law, level);
}

RateChange compare_counts(std::uint64_t first_hits, const Sampling& first,
                          std::uint64_t second_hits, const Sampling& second, const RateLaw& law,
                          double level) {
  const char* where = "compare_counts";
  require_valid(where, law);
  detail::require_open_unit(where, "level", level);
  const auto side_of = [&](std::uint64_t hits, const Sampling& sampling) {
    require_valid(where, sampling);
    detail::require_hits(where, hits, static_cast<std::uint64_t>(sampling.total()));
    return RatesOfSide{.filters = static_cast<double>(sampling.trials),
                       .hits = static_cast<double>(hits),
                       .queries = sampling.total()};
  };
  return conditional(side_of(first_hits, first), side_of(second_hits, second), law, level);
}

std::optional<RateChange> compare_paired_rates(const FilterCounts& first,
                                               const FilterCounts& second,
                                               std::optional<RateLaw> law, double level) {
  require_counts(first);
  require_counts(second);
  detail::require(first.queries == second.queries, "compare_paired_rates", "number of filters",
                  static_cast<double>(second.queries.size()),
                  "be that of the first run, asked as often");
  detail::require_open_unit("compare_paired_rates", "level", level);
  const RatesOfSide a = rates_of_side(first);
  const bool many =
      a.filters_are_many() && a.counts_are_many() && rates_of_side(second).counts_are_many();
  if (!many) return compare_rates(first, second, law, level);
  return paired(first, second, a.mean, level);
}

double detectable_change(const RateChange& change, double alpha, double power) {
  detail::require_open_unit("detectable_change", "alpha", alpha);
  detail::require_open_unit("detectable_change", "power", power);
  const auto quantile = [&](double tail) {
    return std::isinf(change.degrees) ? detail::normal_quantile_above(tail)
                                      : detail::student_quantile_above(tail, change.degrees);
  };
  return (quantile(alpha / 2.0) + quantile(1.0 - power)) * change.relative_error;
}

}  // namespace bloomlab::statistics
