// The filter to take, with the reason in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/candidate.hpp"
#include "planner/plan.hpp"

namespace bloomlab::planner {

/// Most memory that is taken to stay in a core's own caches [bits]: 1 MiB.
inline constexpr std::uint64_t cached_bits = std::uint64_t{8} << 20;

/// Memory that a one-line filter may cost more than the smallest filter of bits.
inline constexpr double memory_for_one_line = 0.35;

/// Rate that a one-line filter may have above the lowest one, where memory is given.
inline constexpr double rate_for_one_line = 3.0;

/// The candidates, in the order of the catalogue, and what to take.
struct Comparison {
  std::vector<Candidate> candidates;
  std::optional<std::size_t> recommended = std::nullopt;  ///< index; nothing where none reaches
  std::string recommendation;                             ///< sentences: what, and why
};

/// What the filters are compared for: the rate where it was asked for, else the memory; both where
/// the size was given beside the rate.
[[nodiscard]] Goal goal_of(const Plan& plan);

/// Sets `recommended` and `recommendation`: among the filters that take keys one by one, the
/// smallest where it stays in a cache or where one-line filters cost too much more, else the best
/// one-line filter. The sentences also name the filters for keys known beforehand, for deleting and
/// for an unknown number of keys, each with its memory and its rate; where memory was given, with
/// the memory that the recommended filter's rate would take.
void recommend(const Goal& goal, Comparison& comparison);

/// Sets both for a plan that fixes its form: the standard filter at `index`.
void recommend_as_asked(const Plan& plan, std::size_t index, Comparison& comparison);

}  // namespace bloomlab::planner
