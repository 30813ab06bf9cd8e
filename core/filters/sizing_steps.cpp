#include "core/filters/sizing_steps.hpp"

#include <algorithm>
#include <cmath>

#include "core/filters/lines_read.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::detail {
namespace {

/// Layers take a few more probes than log2(1/p).
constexpr std::uint64_t spare_probes = 4;

/// Largest k that may be best.
std::uint64_t most_probes(const SizingGoal& goal) {
  const double bits = static_cast<double>(goal.memory_bits.value_or(0));
  const double ideal =
      goal.rate ? -std::log2(*goal.rate) : bits / static_cast<double>(goal.n) * std::log(2.0);
  return static_cast<std::uint64_t>(std::clamp(std::ceil(ideal) + static_cast<double>(spare_probes),
                                               1.0, static_cast<double>(theory::max_exact_probes)));
}

}  // namespace

std::vector<std::uint64_t> probe_counts(const SizingGoal& goal) {
  const std::uint64_t most = most_probes(goal);
  const std::uint64_t likeliest = most > spare_probes ? most - spare_probes : 1;
  std::vector<std::uint64_t> counts;
  for (std::uint64_t k = likeliest; k >= 1; --k) counts.push_back(k);
  for (std::uint64_t k = likeliest + 1; k <= most; ++k) counts.push_back(k);
  return counts;
}

StandardSize standard_size(const SizingGoal& goal, std::uint64_t bits_per_place) {
  if (goal.rate) {
    const theory::FilterSize size = theory::smallest_filter_exact(goal.n, *goal.rate);
    return size.m <= max_filter_bits ? StandardSize{size.m, size.k} : StandardSize{};
  }
  const std::uint64_t memory = std::min(goal.memory_bits.value_or(0), max_filter_bits);
  const std::uint64_t m = memory / bits_per_place;
  return m == 0 ? StandardSize{} : StandardSize{m, theory::optimal_k(m, goal.n).k};
}

LinesRead one_run(std::uint64_t run_bits, std::uint64_t step_bits) {
  const double lines = run_lines(run_bits, step_bits);
  return {lines, lines};
}

std::uint64_t first_keys(std::uint64_t n) { return (n + 9) / 10; }

double target_of(std::uint64_t units) { return std::exp2(-static_cast<double>(units) / 64.0); }

LinesRead layered_lines(std::span<const theory::Layer> layers) {
  double keys = 0.0;
  for (const theory::Layer& layer : layers) keys += static_cast<double>(layer.n);
  LinesRead sum;
  double goes_on = 1.0;  // P(no newer layer reports a key that is not in it)
  for (std::size_t i = layers.size(); i-- > 0;) {
    const theory::Layer& layer = layers[i];
    const LinesRead one = probed_lines(layer.m, layer.n, layer.k);
    // Without keys there is one layer.
    const double share = keys > 0.0 ? static_cast<double>(layer.n) / keys : 1.0;
    sum.present += share * (sum.absent + goes_on * one.present);
    sum.absent += goes_on * one.absent;
    const double fill =
        theory::mean_set_bits(layer.m, layer.n, layer.k) / static_cast<double>(layer.m);
    goes_on *= 1.0 - std::pow(fill, static_cast<double>(layer.k));
  }
  return sum;
}

}  // namespace bloomlab::detail
