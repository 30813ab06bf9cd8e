#include "core/filters/sizing.hpp"

#include <algorithm>
#include <limits>

#include "core/filters/detail/search.hpp"
#include "core/theory/bounds.hpp"

namespace bloomlab::detail {
namespace {

/// The best so far.
struct Best {
  std::optional<SizeChoice> choice = std::nullopt;
  std::uint64_t memory_bits = std::numeric_limits<std::uint64_t>::max();
  double rate = 1.0;
};

/// Most units within `memory`; least - 1 where not even the least fit.
std::uint64_t units_within(const SizeCurve& curve, std::uint64_t memory) {
  return largest(curve.least, curve.most, curve.least,
                 [&](std::uint64_t units) { return curve.memory_bits(units) <= memory; });
}

/// Which of the rates of a curve the search goes by.
using RateOf = const std::function<double(std::uint64_t)>& (*)(const SizeCurve& curve);

/// The curve of least memory for the rate, of equal ones the first. Begins with `first`.
std::optional<SizeChoice> smallest_for_rate(const std::vector<SizeCurve>& curves,
                                            const SizingGoal& goal, std::size_t first,
                                            RateOf rate_of) {
  // A first guess, half above the least memory that any filter needs.
  const double bound = theory::lower_bound_bits(goal.n, *goal.rate);
  const auto likely = static_cast<std::uint64_t>(std::min(1.5 * bound + 64.0, 0x1p62));
  Best best;
  const auto improve = [&](std::size_t i) {
    const SizeCurve& curve = curves[i];
    const auto& rate = rate_of(curve);
    // Only what is smaller than the best so far can be better: most curves end after one rate.
    const bool wins_ties = best.choice && i < best.choice->curve;
    const std::uint64_t most = units_within(curve, best.memory_bits - (wins_ties ? 0 : 1));
    if (most < curve.least) return;
    if (curve.at_least && curve.at_least(most) > *goal.rate * (1.0 + 1e-9)) return;
    if (rate(most) > *goal.rate) return;
    const std::uint64_t guess = best.choice ? most : units_within(curve, likely);
    // Rates that rounding makes wobble, as layers of few keys do, are halved only.
    const std::uint64_t units =
        curve.at_least ? smallest_within(curve.least, most, guess, *goal.rate, rate)
                       : smallest(curve.least, most, guess,
                                  [&](std::uint64_t u) { return rate(u) <= *goal.rate; });
    best = {SizeChoice{i, units}, curve.memory_bits(units), rate(units)};
  };
  if (first < curves.size()) improve(first);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (i != first) improve(i);
  }
  return best.choice;
}

std::optional<SizeChoice> lowest_within(const std::vector<SizeCurve>& curves,
                                        std::uint64_t memory) {
  Best best;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const SizeCurve& curve = curves[i];
    const std::uint64_t units = units_within(curve, memory);
    if (units < curve.least) continue;
    const double rate = curve.rate(units);
    if (best.choice && rate >= best.rate) continue;
    best = {SizeChoice{i, units}, curve.memory_bits(units), rate};
  }
  return best.choice;
}

}  // namespace

std::optional<SizeChoice> best_choice(const std::vector<SizeCurve>& curves,
                                      const SizingGoal& goal) {
  if (!goal.rate) return lowest_within(curves, goal.memory_bits.value_or(0));
  std::size_t first = 0;
  if (!curves.empty() && curves.front().at_least) {
    const auto likely = smallest_for_rate(
        curves, goal, 0, [](const SizeCurve& curve) -> const auto& { return curve.at_least; });
    if (likely) first = likely->curve;
  }
  return smallest_for_rate(
      curves, goal, first, [](const SizeCurve& curve) -> const auto& { return curve.rate; });
}

}  // namespace bloomlab::detail
