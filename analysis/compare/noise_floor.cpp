#include "analysis/compare/noise_floor.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/keys/keyed_permutation.hpp"
#include "statistics/durations.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::compare {

namespace {

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
