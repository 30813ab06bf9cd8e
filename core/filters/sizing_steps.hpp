// What the sizings of several filters share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/filters/sizing.hpp"
#include "core/theory/scalable.hpp"

namespace bloomlab::detail {

/// Every k that may be best for the goal, the likeliest first: log2(1/p), or (m/n) ln 2, downwards,
/// then a little above.
[[nodiscard]] std::vector<std::uint64_t> probe_counts(const SizingGoal& goal);

/// The standard filter that the goal leads to; m = 0 where it would pass the largest filter.
struct StandardSize {
  std::uint64_t m = 0;
  std::uint64_t k = 1;
};
/// @param bits_per_place how many bits of the memory a place takes
[[nodiscard]] StandardSize standard_size(const SizingGoal& goal, std::uint64_t bits_per_place = 1);

/// No shape, and why.
template <class Parameters>
[[nodiscard]] Sizing<Parameters> no_size(std::string why) {
  Sizing<Parameters> sizing;
  sizing.unavailable = std::move(why);
  return sizing;
}

/// Filters of whole blocks, one shape for each k: `make` takes k and the number of blocks.
template <class Parameters, class Make>
[[nodiscard]] Sizing<Parameters> block_sizing(const std::vector<std::uint64_t>& counts,
                                              std::uint64_t most_blocks, Make make) {
  Sizing<Parameters> sizing;
  for (const std::uint64_t k : counts) {
    sizing.shapes.push_back(
        {1, most_blocks, [make, k](std::uint64_t blocks) { return make(k, blocks); }});
  }
  return sizing;
}

/// Filters of counters from the goal's standard filter of m places; m = 0 where there is none.
template <class Parameters, class Make>
[[nodiscard]] Sizing<Parameters> counter_sizing(const SizingGoal& goal, std::uint64_t m,
                                                Make make) {
  Sizing<Parameters> sizing{.traits = {.deletes = true}};
  if (m == 0) {
    sizing.unavailable = goal.rate ? "would pass 2^48 counters" : "does not fit into this memory";
    return sizing;
  }
  sizing.shapes = {{goal.rate ? m : 1, m, make}};
  sizing.false_negatives = "after deleting a key that was never inserted";
  return sizing;
}

/// Why there is no size.
inline constexpr const char* too_many_bits = "would pass 2^48 bits";

/// Fewest bits of a fingerprint that are worth a filter.
inline constexpr std::uint64_t narrowest_fingerprint = 2;

/// A table at most half full: the place of a key and, now and then, the next line.
inline constexpr LinesRead half_full_table{1.1, 1.1};

/// Lines of a lookup that reads one run of bits whatever the answer.
[[nodiscard]] LinesRead one_run(std::uint64_t run_bits, std::uint64_t step_bits);

// Filters that grow by layers are sized as started for a tenth of the keys, since who knows n does
// not need them.

/// Most units of target_of().
inline constexpr std::uint64_t most_target_units = 64 * 60;

/// Keys of the first layer: a tenth of n.
[[nodiscard]] std::uint64_t first_keys(std::uint64_t n);

/// The rate 2^(-units/64), by which filters are sized for memory.
[[nodiscard]] double target_of(std::uint64_t units);

/// A lookup begins at the newest layer, the last, and ends at the first that reports the key.
/// @param layers one at least; without keys just one
[[nodiscard]] LinesRead layered_lines(std::span<const theory::Layer> layers);

/// Filters whose layers tighten towards a target.
template <class Filter>
[[nodiscard]] Sizing<typename Filter::Parameters> tightened_sizing(const SizingGoal& goal) {
  const auto make = [n = goal.n, rate = goal.rate](std::uint64_t units) {
    typename Filter::Parameters parameters;
    parameters.target = rate ? *rate : target_of(units);
    parameters.tightening = 0.85;
    parameters.growth = 2;
    parameters.first_capacity = first_keys(n);
    return parameters;
  };
  Sizing<typename Filter::Parameters> sizing{.traits = {.grows = true},
                                             .note = "started for a tenth of the keys"};
  if (Filter::check(make(1))) sizing.unavailable = "no layer reaches this rate";
  sizing.shapes = {{1, goal.rate ? 1 : most_target_units, make}};
  return sizing;
}

}  // namespace bloomlab::detail
