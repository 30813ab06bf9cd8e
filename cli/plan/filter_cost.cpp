#include "cli/plan/filter_cost.hpp"

#include "planner/units.hpp"

namespace bloomlab::cli {
namespace {

/// Latency of a cache line from memory, about, where nothing was measured.
constexpr double assumed_line_ns = 100.0;

}  // namespace

FilterCost filter_cost_of(const std::string& text, const planner::Comparison& comparison,
                          double hit_ratio) {
  if (text != "auto") {
    return {planner::parse_duration_ns("--filter-cost", text), "as given"};
  }
  if (!comparison.recommended) return {assumed_line_ns, "assumed, no filter is recommended"};
  const auto& filter = comparison.candidates[*comparison.recommended];
  const auto mixed = [&](double absent, double present) {
    return (1.0 - hit_ratio) * absent + hit_ratio * present;
  };
  if (filter.timing) {
    return {mixed(filter.timing->absent_ns, filter.timing->present_ns),
            "measured for " + filter.filter};
  }
  return {assumed_line_ns * mixed(filter.lines.absent, filter.lines.present),
          "assumed for " + filter.filter + ": 100 ns a cache line, not measured"};
}

}  // namespace bloomlab::cli
