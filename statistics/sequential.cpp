#include "statistics/sequential.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/distributions.hpp"
#include "statistics/require.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::statistics {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr auto first_batch = static_cast<std::uint64_t>(thresholds::first_batch.value);
constexpr auto growth_divisor = static_cast<std::uint64_t>(thresholds::batch_growth_divisor.value);

// Mathematical libraries differ in the last digits of a quantile; a decision must not.
double nine_decimals(double value) { return std::round(value * 1e9) / 1e9; }

void require_target(const char* where, const PrecisionTarget& target) {
  detail::require(target.relative > 0.0 && target.relative <= thresholds::largest_precision, where,
                  "relative half-width", target.relative, "lie in (0, 0.1]");
  detail::require_open_unit(where, "level", target.level);
}

// Exact sums of the counts and of their squares.
struct Sums {
  Wide hits = 0;
  Wide squares = 0;
};

Sums sums_of(std::span<const std::uint64_t> hits) {
  Sums sums;
  for (const std::uint64_t count : hits) {
    sums.hits += count;
    sums.squares += static_cast<Wide>(count) * count;
  }
  return sums;
}

}  // namespace

std::uint64_t next_batch_end(std::uint64_t done) {
  detail::require(done <= detail::largest_count, "next_batch_end", "queries done",
                  static_cast<double>(done), "not exceed 2^53");
  const std::uint64_t batches = done / first_batch;
  return (batches + std::max<std::uint64_t>(1, batches / growth_divisor)) * first_batch;
}

std::uint64_t needed_hits(const PrecisionTarget& target) {
  require_target("needed_hits", target);
  const double root =
      nine_decimals(detail::normal_quantile_above((1.0 - target.level) / 2.0)) / target.relative;
  const double hits = std::max(1.0, std::ceil(root * root));
  detail::require(hits <= static_cast<double>(detail::largest_count), "needed_hits", "hits needed",
                  hits, "not exceed 2^53: ask for a coarser precision");
  return static_cast<std::uint64_t>(hits);
}

bool precise_enough(std::uint64_t hits, std::uint64_t queries, std::uint64_t needed) {
  detail::require_hits("precise_enough", hits, queries);
  detail::require_positive_count("precise_enough", "needed hits", needed);
  if (hits == 0) return false;
  return static_cast<Wide>(hits) * queries >= static_cast<Wide>(needed) * (queries - hits);
}

EnsemblePrecision::EnsemblePrecision(const PrecisionTarget& target, std::uint64_t trials)
    : trials_(trials), needed_(needed_hits(target)), limit_(0.0) {
  detail::require(static_cast<double>(trials) >= thresholds::precision_trials, "EnsemblePrecision",
                  "trials", static_cast<double>(trials), "be at least 10");
  const double quantile = nine_decimals(
      detail::student_quantile_above((1.0 - target.level) / 2.0, static_cast<double>(trials - 1)));
  limit_ = target.relative / quantile * (target.relative / quantile);
}

Precision EnsemblePrecision::decide(std::span<const std::uint64_t> hits,
                                    std::uint64_t queries) const {
  const Sampling sampling{hits.size(), queries};
  require_valid("EnsemblePrecision", sampling);
  detail::require(hits.size() == trials_, "EnsemblePrecision", "number of counts",
                  static_cast<double>(hits.size()), "be the number of filters");
  for (const std::uint64_t count : hits) detail::require_hits("EnsemblePrecision", count, queries);

  const Sums sums = sums_of(hits);
  const auto total = static_cast<std::uint64_t>(sums.hits);
  if (!precise_enough(total, trials_ * queries, needed_)) return Precision::not_yet;

  const auto filters = static_cast<double>(trials_);
  const double mean = static_cast<double>(total) / filters;
  // T sum h^2 - (sum h)^2 without rounding: the two nearly cancel where filters are alike.
  const double spread = static_cast<double>(trials_ * sums.squares - sums.hits * sums.hits);
  const double variance = spread / (filters * (filters - 1.0));
  const double allowed = limit_ * mean * mean * filters;
  if (variance <= allowed) return Precision::reached;

  const auto asked = static_cast<double>(queries);
  const double binomial = mean * (1.0 - mean / asked);
  // (s^2 - binomial) / (Q (Q - 1)) against the allowed variance of a rate, allowed / Q^2.
  const bool floor_is_too_high = (variance - binomial) * asked > allowed * (asked - 1.0);
  return floor_is_too_high ? Precision::more_queries_cannot_help : Precision::not_yet;
}

Estimate estimate_at_fixed_hits(std::uint64_t hits, std::uint64_t queries, double level) {
  detail::require_hits("estimate_at_fixed_hits", hits, queries);
  detail::require(hits >= 2, "estimate_at_fixed_hits", "hits", static_cast<double>(hits),
                  "be at least 2");
  detail::require_open_unit("estimate_at_fixed_hits", "level", level);
  const double value = static_cast<double>(hits - 1) / static_cast<double>(queries - 1);
  return {value,
          {clopper_pearson(hits, queries, level).low,
           clopper_pearson(hits - 1, queries - 1, level).high},
          IntervalMethod::negative_binomial};
}

}  // namespace bloomlab::statistics
