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

std::optional<SizeChoice> smallest_for_rate(const std::vector<SizeCurve>& curves, std::uint64_t n,
                                            double rate) {
  // A first guess, half above the least memory that any filter needs.
  const double bound = theory::lower_bound_bits(n, rate);
  const auto likely = static_cast<std::uint64_t>(std::min(1.5 * bound + 64.0, 0x1p62));
  Best best;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const SizeCurve& curve = curves[i];
    // Only what is smaller than the best so far can be better: most curves end after one rate.
    const std::uint64_t most = units_within(curve, best.memory_bits - 1);
    if (most < curve.least || curve.rate(most) > rate) continue;
    const std::uint64_t guess = best.choice ? most : units_within(curve, likely);
    const std::uint64_t units =
        smallest(curve.least, most, guess, [&](std::uint64_t u) { return curve.rate(u) <= rate; });
    best = {SizeChoice{i, units}, curve.memory_bits(units), curve.rate(units)};
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
  return goal.rate ? smallest_for_rate(curves, goal.n, *goal.rate)
                   : lowest_within(curves, goal.memory_bits.value_or(0));
}

}  // namespace bloomlab::detail
