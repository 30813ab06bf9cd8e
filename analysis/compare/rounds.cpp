#include "analysis/compare/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/keys/keyed_permutation.hpp"
#include "statistics/durations.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::compare {

namespace {

/// A stratum weighs at most this many times what the one of the median variance does: a change of
/// the quietest cell alone is not one of all cells.
constexpr double most_weight = 4.0;

/// A loop that varies by less than this, as a logarithm, tells of rounding alone.
constexpr double least_variation = 1e-6;

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Logarithms of both runs, the first's before the second's, less their mean.
std::vector<double> centred_logarithms(const std::vector<double>& first,
                                       const std::vector<double>& second) {
  std::vector<double> values;
  for (const double value : first) values.push_back(std::log(value));
  for (const double value : second) values.push_back(std::log(value));
  const double middle = mean(values);
  for (double& value : values) value -= middle;
  return values;
}

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

using Columns = std::vector<std::vector<double>>;

/// One over the variances of the strata, as far as `most_weight` lets them; equal ones where the
/// median stratum does not vary at all.
std::vector<double> weights_of(const Columns& strata) {
  std::vector<double> variances;
  for (const auto& values : strata) variances.push_back(product(values, values));
  const double least = statistics::median(variances) / most_weight;
  if (!(least > 0)) return std::vector<double>(strata.size(), 1.0);
  std::vector<double> weights;
  for (const double variance : variances) weights.push_back(1.0 / std::max(variance, least));
  return weights;
}

std::vector<double> weighted_means(const Columns& strata, const std::vector<double>& weights) {
  std::vector<double> means(strata.front().size(), 0.0);
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < strata.size(); ++i) {
    for (std::size_t round = 0; round < means.size(); ++round) {
      means[round] += weights[i] / all * strata[i][round];
    }
  }
  return means;
}

bool know_the_loop(std::span<const Stratum> strata) {
  return std::all_of(strata.begin(), strata.end(), [](const Stratum& stratum) {
    return stratum.first.line_ns.size() == stratum.first.ns.size() &&
           stratum.second.line_ns.size() == stratum.second.ns.size();
  });
}

/// What a straight line through the origin makes of the loop's means; both have the mean 0.
std::vector<double> made_of_the_loop(std::span<const Stratum> strata,
                                     const std::vector<double>& weights,
                                     const std::vector<double>& scores) {
  Columns loops;
  for (const Stratum& stratum : strata) {
    loops.push_back(centred_logarithms(stratum.first.line_ns, stratum.second.line_ns));
  }
  std::vector<double> loop = weighted_means(loops, weights);
  const double squares = product(loop, loop);
  const double least = least_variation * least_variation * static_cast<double>(loop.size());
  const double slope = squares > least ? product(loop, scores) / squares : 0.0;
  for (double& value : loop) value *= slope;
  return loop;
}

constexpr std::uint64_t halving_seed = 20211121;
constexpr std::size_t least_to_halve = 4;

double ratio_above_one(double a, double b) { return std::max(a, b) / std::min(a, b); }

/// Hodges and Lehmann's shift of logarithms as a ratio above one.
double shift_ratio(std::span<const double> one, std::span<const double> other) {
  return std::exp(std::abs(statistics::compare_durations(one, other).shift));
}

/// The values in an order that follows from the number of the halving alone.
std::vector<double> shuffled(const std::vector<double>& values, std::uint64_t number) {
  const KeyedPermutation random(halving_seed + number);
  std::vector<std::pair<std::uint64_t, double>> keyed;
  for (std::size_t i = 0; i < values.size(); ++i) keyed.emplace_back(random(i), values[i]);
  std::sort(keyed.begin(), keyed.end());
  std::vector<double> result;
  for (const auto& [key, value] : keyed) result.push_back(value);
  return result;
}

/// Appends what `ratio_of` says of the two halves, for each halving; nothing for too few values.
template <class RatioOf>
void add_halvings(const std::vector<double>& values, std::vector<double>& ratios,
                  RatioOf&& ratio_of) {
  if (values.size() < least_to_halve) return;
  for (std::uint64_t number = 0; number < halvings; ++number) {
    const std::vector<double> order = shuffled(values, number);
    const std::span<const double> all = order;
    const std::size_t half = all.size() / 2;
    ratios.push_back(ratio_of(all.first(half), all.subspan(half)));
  }
}

std::vector<double> loop_durations(std::span<const record::Observation> observations,
                                   const char* loop) {
  std::vector<double> values;
  for (const record::Observation& observation : observations) {
    const auto found = observation.timing.find(loop);
    if (found == observation.timing.end() || !found->is_array()) continue;
    for (const record::Json& value : *found) {
      if (value.is_number() && value.get<double>() > 0) values.push_back(value.get<double>());
    }
  }
  return values;
}

}  // namespace

bool have_rounds(std::span<const Stratum> strata) {
  if (strata.empty()) return false;
  const std::size_t first = strata.front().first.ns.size();
  const std::size_t second = strata.front().second.ns.size();
  return first > 0 && second > 0 &&
         std::all_of(strata.begin(), strata.end(), [&](const Stratum& stratum) {
           return stratum.first.ns.size() == first && stratum.second.ns.size() == second;
         });
}

RoundScores round_scores(std::span<const Stratum> strata) {
  Columns columns;
  for (const Stratum& stratum : strata) {
    columns.push_back(centred_logarithms(stratum.first.ns, stratum.second.ns));
  }
  const std::vector<double> weights = weights_of(columns);
  std::vector<double> scores = weighted_means(columns, weights);
  const std::size_t rounds = strata.front().first.ns.size();
  RoundScores result;
  if (know_the_loop(strata)) {
    const std::vector<double> made = made_of_the_loop(strata, weights, scores);
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] -= made[i];
    const std::span<const double> all = made;
    result.explained = std::exp(mean(all.subspan(rounds)) - mean(all.first(rounds)));
  }
  const auto second = scores.begin() + static_cast<std::ptrdiff_t>(rounds);
  result.first.assign(scores.begin(), second);
  result.second.assign(second, scores.end());
  return result;
}

std::vector<double> half_ratios(std::span<const std::vector<double>> lists) {
  std::vector<double> ratios;
  for (const std::vector<double>& values : lists) {
    if (values.empty() || !(*std::min_element(values.begin(), values.end()) > 0)) continue;
    add_halvings(values, ratios, [](std::span<const double> one, std::span<const double> other) {
      return ratio_above_one(statistics::median(one), statistics::median(other));
    });
  }
  return ratios;
}

std::vector<double> half_shifts(std::span<const std::vector<double>> lists) {
  std::vector<double> ratios;
  for (const std::vector<double>& scores : lists) {
    add_halvings(scores, ratios, shift_ratio);
  }
  return ratios;
}

double drift(std::span<const std::vector<double>> lists) {
  double largest = 1.0;
  for (const std::vector<double>& scores : lists) {
    if (scores.size() < least_to_halve) continue;
    const std::span<const double> all = scores;
    const std::size_t half = all.size() / 2;
    largest = std::max(largest, shift_ratio(all.first(half), all.subspan(half)));
  }
  return largest;
}

double noise_floor(std::vector<double> ratios) {
  if (ratios.empty()) return 1.0;
  std::sort(ratios.begin(), ratios.end());
  const auto last = static_cast<double>(ratios.size());
  const auto rank =
      static_cast<std::size_t>(std::ceil(statistics::thresholds::noise_quantile * last));
  return ratios[std::clamp<std::size_t>(rank, 1, ratios.size()) - 1];
}

double bracket_ratio(std::span<const record::Observation> first,
                     std::span<const record::Observation> second, const char* loop) {
  const std::vector<double> before = loop_durations(first, loop);
  const std::vector<double> after = loop_durations(second, loop);
  if (before.empty() || after.empty()) return 1.0;
  return ratio_above_one(statistics::median(before), statistics::median(after));
}

}  // namespace bloomlab::analysis::compare
