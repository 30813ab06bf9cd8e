#include "planner/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/theory/bounds.hpp"
#include "planner/search.hpp"

namespace bloomlab::planner {
namespace {

/// A shape with its units.
struct Choice {
  const Shape* shape = nullptr;
  std::uint64_t units = 0;
  std::uint64_t memory_bits = std::numeric_limits<std::uint64_t>::max();
  double rate = 1.0;
};

/// Most units within `memory`; least - 1 where not even the least fit.
std::uint64_t units_within(const Shape& shape, std::uint64_t memory) {
  return largest(shape.least, shape.most, shape.least,
                 [&](std::uint64_t units) { return shape.memory_bits(units) <= memory; });
}

Choice smallest_for_rate(const std::vector<Shape>& shapes, std::uint64_t n, double rate) {
  // A first guess, half above the least memory that any filter needs.
  const double bound = theory::lower_bound_bits(n, rate);
  const auto likely = static_cast<std::uint64_t>(std::min(1.5 * bound + 64.0, 0x1p62));
  Choice best;
  for (const Shape& shape : shapes) {
    // Only what is smaller than the best so far can be better: most shapes end after one rate.
    const std::uint64_t most = units_within(shape, best.memory_bits - 1);
    if (most < shape.least || shape.rate(most) > rate) continue;
    const std::uint64_t guess = best.shape ? most : units_within(shape, likely);
    const std::uint64_t units =
        smallest(shape.least, most, guess, [&](std::uint64_t u) { return shape.rate(u) <= rate; });
    best = {&shape, units, shape.memory_bits(units), shape.rate(units)};
  }
  return best;
}

Choice lowest_within(const std::vector<Shape>& shapes, std::uint64_t memory) {
  Choice best;
  for (const Shape& shape : shapes) {
    const std::uint64_t units = units_within(shape, memory);
    if (units < shape.least) continue;
    const double rate = shape.rate(units);
    if (best.shape && rate >= best.rate) continue;
    best = {&shape, units, shape.memory_bits(units), rate};
  }
  return best;
}

/// Smallest H with n 2^-H <= rate / 100.
std::uint64_t hash_bits_for(std::uint64_t n, double rate) {
  constexpr double share = 0.01;
  constexpr double widest = 1024.0;
  const double bits = std::ceil(std::log2(static_cast<double>(n) / (share * rate)));
  return static_cast<std::uint64_t>(std::clamp(bits, 1.0, widest));
}

}  // namespace

Candidate best_of(const Family& family, const Goal& goal) {
  Candidate result;
  result.filter = family.filter;
  result.traits = family.traits;
  result.false_negatives = family.false_negatives;
  result.note = family.note;
  result.unavailable = family.unavailable;
  if (!result.available()) return result;
  const Choice best = goal.rate ? smallest_for_rate(family.shapes, goal.n, *goal.rate)
                                : lowest_within(family.shapes, goal.memory_bits.value_or(0));
  if (!best.shape) {
    result.unavailable = goal.rate ? "does not reach this rate at any size that it takes"
                                   : "does not fit into this memory";
    return result;
  }
  result.parameters = best.shape->parameters(best.units);
  result.rate = best.rate;
  result.memory_bits = best.memory_bits;
  result.bits_per_key = static_cast<double>(best.memory_bits) / static_cast<double>(goal.n);
  result.lines = best.shape->lines(best.units);
  const bool hashes = !family.traits.exact && !family.traits.whole_hashes;
  if (hashes) result.fewest_hash_bits = hash_bits_for(goal.n, best.rate);
  return result;
}

}  // namespace bloomlab::planner
