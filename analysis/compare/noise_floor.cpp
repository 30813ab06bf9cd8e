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
    if (values.size() < least_to_halve) continue;
    if (!(*std::min_element(values.begin(), values.end()) > 0)) continue;
    for (std::uint64_t number = 0; number < halvings; ++number) {
      const std::vector<double> order = shuffled(values, number);
      const std::span<const double> all = order;
      const std::size_t half = all.size() / 2;
      ratios.push_back(ratio_above_one(statistics::median(all.first(half)),
                                       statistics::median(all.subspan(half))));
    }
  }
  return ratios;
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
