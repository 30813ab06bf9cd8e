// A filter whose keys grow by a share a year: how long the bits last, and what else could be done:
// build it anew each year, let it grow by layers, or build it large at once and serve it folded.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "planner/plan.hpp"

namespace bloomlab::planner {

/// The factor on n a year, above 1: "50%/year", "5%/month", "2x/year". Throws record::InputError,
/// with `what` as the place.
[[nodiscard]] double parse_growth(std::string_view what, std::string_view text);

/// The state at the end of a year; year 0 is the plan.
struct GrowthYear {
  std::uint64_t year = 0;
  std::uint64_t n = 0;              ///< distinct keys then
  double kept_rate = 0.0;           ///< exact rate of the planned filter, kept as it is
  std::uint64_t rebuilt_bits = 0;   ///< memory of the smallest standard filter for n and p
  std::uint64_t scalable_bits = 0;  ///< memory of a scalable filter (0.85, 2) started for the plan
  std::uint64_t scalable_layers = 0;
  /// A filter made for the last year's n, folded as often as p allows; see GrowthPlan.
  std::uint64_t folded_bits = 0;
  double folded_rate = 0.0;  ///< exact
};

struct GrowthPlan {
  double factor = 1.0;          ///< on n a year
  double years = 0.0;           ///< the planned filter keeps p for so long; 0: it is full at once
  std::uint64_t last_keys = 0;  ///< distinct keys until then
  std::uint64_t best_k = 0;     ///< with this k, chosen for the end, the same bits last longest:
  double best_years = 0.0;
  std::uint64_t best_last_keys = 0;
  std::uint64_t large_bits = 0;        ///< the filter that is folded: its bits unfolded
  std::uint64_t large_k = 0;           ///< and its probes
  std::uint64_t rebuilt_keys = 0;      ///< keys inserted again, if it is built anew every year
  std::vector<GrowthYear> table = {};  ///< years 0 to the last one that is possible
};

/// What becomes of a plan over so many years. Where n or a size passes what the theory answers,
/// the table ends before. @param factor above 1   @param years 1 to 100
[[nodiscard]] GrowthPlan growth_plan(const Plan& plan, double factor, std::uint64_t years);

}  // namespace bloomlab::planner
