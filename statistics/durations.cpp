#include "statistics/durations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "statistics/distributions.hpp"
#include "statistics/require.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::statistics {
namespace {

constexpr std::size_t most_values = std::size_t{1} << 13;

void require_values(const char* where, std::span<const double> values) {
  detail::require(!values.empty(), where, "number of values", 0.0, "be at least 1");
  for (const double value : values) {
    detail::require(std::isfinite(value), where, "a value", value, "be finite");
  }
}

void require_samples(const char* where, std::span<const double> first,
                     std::span<const double> second) {
  for (const std::span<const double> values : {first, second}) {
    require_values(where, values);
    detail::require(values.size() <= most_values, where, "number of values",
                    static_cast<double>(values.size()), "not exceed 8192");
  }
}

double median_in_place(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*std::max_element(values.begin(), middle) + *middle);
}

// SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"): a
// resample must be the same with every standard library.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  /// Uniform below `bound` <= 2^31; the bias, bound / 2^32, is far below the resampling's noise.
  std::size_t below(std::uint64_t bound) {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    mixed ^= mixed >> 31;
    return static_cast<std::size_t>((mixed >> 32) * bound >> 32);
  }

 private:
  std::uint64_t state_;
};

// Where the ordered resamples have this share below them: linear between two of them.
double quantile_of(const std::vector<double>& ordered, double share) {
  const double place = share * static_cast<double>(ordered.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, ordered.size() - 1);
  return ordered[low] + (place - static_cast<double>(low)) * (ordered[high] - ordered[low]);
}

// Sizes of the groups of equal values in both samples together.
std::vector<double> group_sizes(std::span<const double> first, std::span<const double> second) {
  std::vector<double> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  std::sort(all.begin(), all.end());
  std::vector<double> sizes;
  for (auto at = all.begin(); at != all.end();) {
    const auto next = std::upper_bound(at, all.end(), *at);
    sizes.push_back(static_cast<double>(next - at));
    at = next;
  }
  return sizes;
}

// P(U = v) for v = 0 .. ab when every arrangement of a and b values is equally likely.
std::vector<double> arrangements(std::size_t a, std::size_t b) {
  const std::size_t most = a * b;
  // ways[i][v]: choices of i places, of those looked at, for the first sample, with U = v so far.
  // The i-th one chosen at place r has r - i values of the second sample below it.
  std::vector<std::vector<double>> ways(a + 1, std::vector<double>(most + 1, 0.0));
  ways[0][0] = 1.0;
  for (std::size_t place = 1; place <= a + b; ++place) {
    for (std::size_t i = std::min(a, place); i >= 1; --i) {
      const std::size_t below = place - i;
      for (std::size_t v = below; v <= most; ++v) ways[i][v] += ways[i - 1][v - below];
    }
  }
  const double all = std::accumulate(ways[a].begin(), ways[a].end(), 0.0);
  for (double& share : ways[a]) share /= all;
  return std::move(ways[a]);
}

// P(U <= u) under the same.
double arrangements_at_most(std::size_t a, std::size_t b, double u) {
  const std::vector<double> shares = arrangements(a, b);
  double at_most = 0.0;
  for (std::size_t v = 0; v < shares.size() && static_cast<double>(v) <= u; ++v) {
    at_most += shares[v];
  }
  return at_most;
}

// How many values of U from 0 on have together a probability of at most `tail`.
std::size_t rejected_below(std::size_t a, std::size_t b, double tail) {
  const auto pairs = static_cast<double>(a) * static_cast<double>(b);
  if (static_cast<double>(std::max(a, b)) > thresholds::exact_rank_sample) {
    const double sd = std::sqrt(pairs * static_cast<double>(a + b + 1) / 12.0);
    const double last = 0.5 * pairs - 0.5 - detail::normal_quantile_above(tail) * sd;
    return last < 0.0 ? 0 : static_cast<std::size_t>(last) + 1;
  }
  double sum = 0.0;
  std::size_t count = 0;
  for (const double share : arrangements(a, b)) {
    sum += share;
    if (sum > tail) break;
    ++count;
  }
  return count;
}

double normal_p_value(double distance, double pairs, const std::vector<double>& groups) {
  double size = 0.0;
  double tied = 0.0;
  for (const double group : groups) {
    size += group;
    tied += group * (group * group - 1.0);
  }
  const double variance = pairs / 12.0 * (size + 1.0 - tied / (size * (size - 1.0)));
  if (!(variance > 0.0)) return 1.0;
  return detail::normal_two_sided(std::max(0.0, distance - 0.5) / std::sqrt(variance));
}

}  // namespace

double median(std::span<const double> values) {
  require_values("median", values);
  std::vector<double> copy(values.begin(), values.end());
  return median_in_place(copy);
}

Interval bootstrap_median(std::span<const double> values, double level, std::uint64_t seed) {
  require_values("bootstrap_median", values);
  detail::require_open_unit("bootstrap_median", "level", level);
  SplitMix random(seed);
  std::vector<double> resample(values.size());
  std::vector<double> medians(static_cast<std::size_t>(thresholds::bootstrap_resamples.value));
  for (double& one : medians) {
    for (double& value : resample) value = values[random.below(values.size())];
    one = median_in_place(resample);
  }
  std::sort(medians.begin(), medians.end());
  return {quantile_of(medians, (1.0 - level) / 2.0), quantile_of(medians, (1.0 + level) / 2.0)};
}

RankComparison compare_durations(std::span<const double> first, std::span<const double> second) {
  require_samples("compare_durations", first, second);
  RankComparison result;
  std::vector<double> differences;
  differences.reserve(first.size() * second.size());
  for (const double a : first) {
    for (const double b : second) {
      differences.push_back(a - b);
      result.u += a > b ? 1.0 : a < b ? 0.0 : 0.5;
    }
  }
  const auto pairs = static_cast<double>(differences.size());
  result.shift = median_in_place(differences);

  const std::vector<double> groups = group_sizes(first, second);
  const bool ties = groups.size() < first.size() + second.size();
  result.exact = !ties && static_cast<double>(std::max(first.size(), second.size())) <=
                              thresholds::exact_rank_sample;
  const double smaller = std::min(result.u, pairs - result.u);
  result.p_value =
      result.exact ? std::min(1.0, 2.0 * arrangements_at_most(first.size(), second.size(), smaller))
                   : normal_p_value(0.5 * pairs - smaller, pairs, groups);
  return result;
}

Interval shift_interval(std::span<const double> first, std::span<const double> second,
                        double level) {
  require_samples("shift_interval", first, second);
  detail::require_open_unit("shift_interval", "level", level);
  std::vector<double> differences;
  differences.reserve(first.size() * second.size());
  for (const double a : first) {
    for (const double b : second) differences.push_back(a - b);
  }
  std::sort(differences.begin(), differences.end());
  // U of a shifted sample counts the differences above the shift.
  const std::size_t rejected = rejected_below(first.size(), second.size(), (1.0 - level) / 2.0);
  if (rejected == 0) {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  return {differences[rejected - 1], differences[differences.size() - rejected]};
}

}  // namespace bloomlab::statistics
