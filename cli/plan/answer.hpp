// What `bloomlab plan` answers: JSON, text and figures.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/plot/figure.hpp"
#include "core/theory/standard.hpp"
#include "planner/comparison.hpp"
#include "planner/consequences.hpp"
#include "planner/outlook.hpp"
#include "planner/plan.hpp"
#include "record/result_file.hpp"

namespace bloomlab::cli {

/// Everything that the command has found out. `plan` is a standard filter; what the text speaks of
/// first, the break-even and the verification are of the recommended one.
struct PlanAnswer {
  planner::Plan plan = {};
  planner::Comparison comparison = {};
  planner::Sensitivity sensitivity = {};
  std::optional<planner::StoreCosts> costs = std::nullopt;
  std::optional<planner::BreakEven> break_even = std::nullopt;
  std::optional<planner::GrowthPlan> growth = std::nullopt;
  std::optional<planner::LsmSplit> levels = std::nullopt;
  std::string calibration = {};  ///< the calibration file that times are from; empty: none
  /// Without one, times of the reference run by filter, to be shown and no more; and where it ran.
  std::map<std::string, planner::Timing> reference = {};
  std::string reference_processor = {};
  std::optional<double> lookups_per_second = std::nullopt;   ///< of absent keys
  std::optional<std::uint64_t> batch = std::nullopt;         ///< absent keys looked up together
  std::optional<std::uint64_t> shards = std::nullopt;        ///< such filters, asked in turn
  std::optional<std::uint64_t> fewest_items = std::nullopt;  ///< n is a range from here on
  std::optional<planner::Rotation> rotation = std::nullopt;  ///< for the last n keys of many
  std::string filter_cost = {};  ///< where the filter's cost in the break-even comes from

  /// Of the filter to take, else of the plan.
  [[nodiscard]] double rate() const { return recommended() ? recommended()->rate : plan.rate; }
  /// The same with another number of keys.
  [[nodiscard]] double rate_at(std::uint64_t n) const {
    return recommended() ? recommended()->rate_at(n) : theory::exact_fpr(plan.m, n, plan.k);
  }
  /// The filter to take; null where none of the catalogue reaches the goal.
  [[nodiscard]] const planner::Candidate* recommended() const {
    return comparison.recommended ? &comparison.candidates[*comparison.recommended] : nullptr;
  }
};

/// n, p, rate, m, k, memory_bits and mode first, then the rest.
[[nodiscard]] record::Json plan_json(const PlanAnswer& answer);

/// For people, whole lines: what to take, why, and what would change it.
[[nodiscard]] std::string plan_text(const PlanAnswer& answer);
/// All of it: every filter, and what a wrong guess does.
[[nodiscard]] std::string whole_plan_text(const PlanAnswer& answer);

/// The parameters of a candidate as an object, `kind` first: as a config's `filter` has it.
[[nodiscard]] record::Json filter_json(const planner::Candidate& candidate);

/// The rate against n, m and k, the years where there are several, and the break-even.
[[nodiscard]] std::vector<analysis::plot::Figure> plan_figures(const PlanAnswer& answer);

}  // namespace bloomlab::cli
