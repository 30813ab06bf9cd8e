// How filters that grow by layers are sized for a goal: as started for a tenth of the keys, since
// who knows n does not need them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/filters/sizing.hpp"
#include "core/theory/scalable.hpp"

namespace bloomlab::detail {

/// Most units of target_of().
inline constexpr std::uint64_t most_target_units = 64 * 60;

/// Keys of the first layer: a tenth of n.
[[nodiscard]] std::uint64_t first_keys(std::uint64_t n);

/// The rate 2^(-units/64), by which filters are sized for memory.
[[nodiscard]] double target_of(std::uint64_t units);

/// Every layer is read for an absent key; an inserted one stops, on average, halfway.
[[nodiscard]] LinesRead layered_lines(const std::vector<theory::Layer>& layers);

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
