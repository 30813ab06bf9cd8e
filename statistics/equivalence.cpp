#include "statistics/equivalence.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "statistics/distributions.hpp"
#include "statistics/ensemble.hpp"
#include "statistics/require.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::statistics {
namespace {

// An interval of the rate from as much sampling, should the share of hits stay what it is.
using Projection = std::function<Interval(const Sampling&, double level)>;

Interval relative(const Interval& rate, double theory) {
  return {rate.low / theory, rate.high / theory};
}

bool equivalent(const Interval& ratio) {
  return ratio.low >= 1.0 - thresholds::equivalence_tolerance &&
         ratio.high <= 1.0 + thresholds::equivalence_tolerance;
}

Verdict judge(const Interval& at_equivalence, const Interval& at_rejection) {
  if (equivalent(at_equivalence)) return Verdict::accepted;
  return at_rejection.contains(1.0) ? Verdict::undecided : Verdict::rejected;
}

bool decides(const Projection& project, const Sampling& sampling, double theory) {
  return equivalent(relative(project(sampling, thresholds::equivalence_level), theory)) ||
         !relative(project(sampling, thresholds::rejection_level), theory).contains(1.0);
}

// Smallest number in (given, most] that suffices, by doubling and halving the last step.
std::optional<std::uint64_t> smallest(std::uint64_t given, std::uint64_t most,
                                      const std::function<bool(std::uint64_t)>& suffices) {
  std::uint64_t low = given;
  std::uint64_t high = given;
  do {
    if (high >= most) return std::nullopt;
    low = high;
    high = high > most / 2 ? most : 2 * high;
  } while (!suffices(high));
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (suffices(middle) ? high : low) = middle;
  }
  return high;
}

void plan_further(Equivalence& result, const Sampling& sampling, double theory,
                  const Projection& project) {
  const auto queries = smallest(sampling.queries, detail::largest_count / sampling.trials,
                                [&](std::uint64_t number) {
                                  return decides(project, {sampling.trials, number}, theory);
                                });
  if (queries) {
    result.further_queries = (*queries - sampling.queries) * sampling.trials;
    return;
  }
  result.filters_needed = smallest(sampling.trials, detail::largest_count / sampling.queries,
                                   [&](std::uint64_t number) {
                                     return decides(project, {number, sampling.queries}, theory);
                                   });
}

Equivalence conclude(double share, const Interval& rate_at_equivalence,
                     const Interval& rate_at_rejection, const Sampling& sampling,
                     const RateLaw& rung, Further further, const Projection& project) {
  Equivalence result;
  result.ratio = share / rung.rate;
  result.at_equivalence = relative(rate_at_equivalence, rung.rate);
  result.at_rejection = relative(rate_at_rejection, rung.rate);
  result.verdict = judge(result.at_equivalence, result.at_rejection);
  result.significantly_different = !result.at_rejection.contains(1.0);
  if (result.verdict == Verdict::undecided && further == Further::planned) {
    plan_further(result, sampling, rung.rate, project);
  }
  return result;
}

void require_rung(const RateLaw& rung) {
  require_valid("compare_with_theory", rung);
  detail::require(rung.rate > 0.0, "compare_with_theory", "rate", rung.rate, "be above 0");
}

Projection with_theory_spread(double share, const RateLaw& rung) {
  return [share, rung](const Sampling& sampling, double level) {
    const auto hits = static_cast<std::uint64_t>(std::llround(share * sampling.total()));
    return estimate_with_law(std::min(hits, sampling.trials * sampling.queries), sampling, rung,
                             level)
        .interval;
  };
}

// Variance between filters as their counts show it: what is beyond the binomial variance.
double observed_between(std::span<const std::uint64_t> hits, double queries, double share) {
  double squares = 0.0;
  for (const std::uint64_t count : hits) {
    const double difference = static_cast<double>(count) - share * queries;
    squares += difference * difference;
  }
  const double variance = squares / static_cast<double>(hits.size() - 1);
  const double binomial = queries * share * (1.0 - share);
  return queries > 1.0 ? std::max(0.0, (variance - binomial) / (queries * (queries - 1.0))) : 0.0;
}

Projection with_observed_spread(double share, double between) {
  return [share, between](const Sampling& sampling, double level) {
    const auto queries = static_cast<double>(sampling.queries);
    const double ratio = 1.0 + (queries - 1.0) * between / (share * (1.0 - share));
    const double draws = sampling.total() / ratio;
    const double quantile = detail::student_quantile_above(
        (1.0 - level) / 2.0, static_cast<double>(sampling.trials - 1));
    return score_interval(share, draws, -1.0 / draws, quantile);
  };
}

}  // namespace

Equivalence compare_with_theory(std::uint64_t hits, const Sampling& sampling, const RateLaw& rung,
                                Further further) {
  require_rung(rung);
  require_valid("compare_with_theory", sampling);
  detail::require_hits("compare_with_theory", hits, sampling.trials * sampling.queries);
  const double share = static_cast<double>(hits) / sampling.total();
  const auto interval = [&](double level) {
    return estimate_with_law(hits, sampling, rung, level).interval;
  };
  return conclude(share, interval(thresholds::equivalence_level),
                  interval(thresholds::rejection_level), sampling, rung, further,
                  with_theory_spread(share, rung));
}

Equivalence compare_with_theory(std::span<const std::uint64_t> hits, std::uint64_t queries,
                                const RateLaw& rung, Further further) {
  require_rung(rung);
  const Estimate narrow = estimate_ensemble(hits, queries, rung, thresholds::equivalence_level);
  const Sampling sampling{hits.size(), queries};
  if (narrow.method != IntervalMethod::score_observed) {
    return compare_with_theory(std::accumulate(hits.begin(), hits.end(), std::uint64_t{0}),
                               sampling, rung, further);
  }
  const Estimate wide = estimate_ensemble(hits, queries, rung, thresholds::rejection_level);
  const double between = observed_between(hits, static_cast<double>(queries), narrow.value);
  return conclude(narrow.value, narrow.interval, wide.interval, sampling, rung, further,
                  with_observed_spread(narrow.value, between));
}

}  // namespace bloomlab::statistics
