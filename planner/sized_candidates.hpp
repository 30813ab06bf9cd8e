// Every filter of the catalogue, sized for a goal by what stands beside it
// (core/filters/sizing.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "planner/candidate.hpp"

namespace bloomlab::planner {

/// The candidates for the goal in the order of the catalogue. @param wanted which filters, by what
/// they can do; all where it is empty
[[nodiscard]] std::vector<Candidate> sized_candidates(
    const Goal& goal, const std::function<bool(const Traits&)>& wanted = {});

/// The standard filter of exactly these m and k for n keys; unavailable beyond 2^48 bits.
[[nodiscard]] Candidate standard_candidate(std::uint64_t n, std::uint64_t m, std::uint64_t k);

}  // namespace bloomlab::planner
