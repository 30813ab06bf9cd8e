#include "analysis/compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "statistics/multiplicity.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::compare {

namespace {

namespace thresholds = statistics::thresholds;

double p_of(const RateDifference& difference) { return difference.change.p_value; }
double p_of(const TimeDifference& difference) { return difference.p_value; }

/// Adjusts the p-values of one group among `groups`.
template <class Difference>
void adjust(std::vector<Difference>& differences, double groups) {
  std::vector<double> p_values;
  for (const Difference& difference : differences) p_values.push_back(p_of(difference));
  const std::vector<double> adjusted = statistics::holm(p_values);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    differences[i].adjusted_p = std::min(1.0, adjusted[i] * groups);
  }
}

/// Changed ones first, then by p-value; equals stay in their order.
template <class Difference>
void put_changed_first(std::vector<Difference>& differences) {
  std::stable_sort(differences.begin(), differences.end(),
                   [](const Difference& a, const Difference& b) {
                     if (a.changed != b.changed) return a.changed;
                     return p_of(a) < p_of(b);
                   });
}

double log_size(double ratio) { return std::abs(std::log(ratio)); }

double typical_detectable(const std::vector<RateDifference>& rates, double alpha) {
  if (rates.empty()) return unknown;
  std::vector<double> effects;
  for (const RateDifference& rate : rates) {
    effects.push_back(statistics::detectable_change(rate.change, alpha, thresholds::power));
  }
  const auto middle = effects.begin() + static_cast<std::ptrdiff_t>(effects.size() / 2);
  std::nth_element(effects.begin(), middle, effects.end());
  return *middle;
}

/// Whether even launches without any overlap would not be beyond chance.
bool are_mute(const std::vector<TimeDifference>& times, double alpha) {
  return !times.empty() && std::all_of(times.begin(), times.end(), [&](const TimeDifference& time) {
    // Two of C(a + b, a) arrangements have no overlap.
    const auto a = static_cast<double>(time.first_launches);
    const auto b = static_cast<double>(time.second_launches);
    const double log_ways = std::lgamma(a + b + 1.0) - std::lgamma(a + 1.0) - std::lgamma(b + 1.0);
    return 2.0 * std::exp(-log_ways) > alpha;
  });
}

void judge(Comparison& comparison) {
  const double groups = !comparison.rates.empty() && !comparison.times.empty() ? 2.0 : 1.0;
  comparison.alpha = thresholds::family_alpha;
  adjust(comparison.rates, groups);
  adjust(comparison.times, groups);
  for (RateDifference& rate : comparison.rates) {
    rate.changed = rate.adjusted_p <= comparison.alpha;
  }
  for (TimeDifference& time : comparison.times) {
    time.changed =
        time.adjusted_p <= comparison.alpha && log_size(time.ratio) > std::log(time.noise_floor);
  }
  const auto each = [&](std::size_t tests) {
    return comparison.alpha / groups / static_cast<double>(std::max<std::size_t>(tests, 1));
  };
  comparison.detectable_rate = typical_detectable(comparison.rates, each(comparison.rates.size()));
  comparison.times_are_mute = are_mute(comparison.times, each(comparison.times.size()));
  put_changed_first(comparison.rates);
  put_changed_first(comparison.times);
}

template <class Difference>
std::uint64_t count_changed(const std::vector<Difference>& differences) {
  return static_cast<std::uint64_t>(
      std::count_if(differences.begin(), differences.end(),
                    [](const Difference& difference) { return difference.changed; }));
}

}  // namespace

std::uint64_t Comparison::changed_rates() const { return count_changed(rates); }

std::uint64_t Comparison::changed_times() const { return count_changed(times); }

Comparison compare_pairs(const Pairing& pairing) {
  Comparison comparison;
  for (const FilePair& files : pairing.files) {
    RateFindings rates = rate_findings(files);
    TimeFindings times = time_findings(files);
    std::move(rates.tested.begin(), rates.tested.end(), std::back_inserter(comparison.rates));
    std::move(times.tested.begin(), times.tested.end(), std::back_inserter(comparison.times));
    times.tested.clear();
    comparison.files.push_back({.files = &files,
                                .equal_counts = rates.equal_counts,
                                .untested = rates.untested,
                                .other_counts = std::move(rates.other_counts),
                                .times = std::move(times)});
  }
  judge(comparison);
  return comparison;
}

bool fails(const RateDifference& difference, const FailOn& limits) {
  return limits.rate && difference.changed && difference.possible_size() >= *limits.rate;
}

bool fails(const TimeDifference& difference, const FailOn& limits) {
  return limits.time && difference.changed && difference.ratio - 1.0 >= *limits.time;
}

bool fails(const Comparison& comparison, const FailOn& limits) {
  const auto any = [&](const auto& differences) {
    return std::any_of(differences.begin(), differences.end(),
                       [&](const auto& difference) { return fails(difference, limits); });
  };
  return any(comparison.rates) || any(comparison.times);
}

}  // namespace bloomlab::analysis::compare
