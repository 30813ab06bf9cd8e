#include "audit/plan.hpp"

#include <algorithm>

namespace bloomlab::audit {
namespace {

/// The sizes that the plan has anyway, and the one that somebody means.
void add_items(Plan& plan, std::uint64_t items, std::uint64_t queries) {
  const auto same = [items](const PlanSize& size) { return size.size == items; };
  if (items == 0 || std::ranges::any_of(plan.sizes, same)) return;
  plan.sizes.push_back({items, items < 10'000 ? 20U : 2U, queries, {0.25, 0.5, 1.0, 2.0}});
  std::ranges::sort(plan.sizes, {}, &PlanSize::size);
}

}  // namespace

Plan quick_plan(std::uint64_t items) {
  Plan plan;
  plan.sizes = {{64, 20, 500, {0.25, 1.0, 2.0, 4.0}},
                {1000, 20, 1000, {0.125, 0.25, 0.5, 1.0, 2.0, 4.0}}};
  plan.repeated_answers = 20'000;
  plan.source_queries = 2000;
  plan.source_filters = 4;
  add_items(plan, items, 20'000);
  return plan;
}

Plan usual_plan(std::uint64_t items) {
  Plan plan;
  plan.sizes = {{64, 200, 4000, {0.25, 0.5, 1.0, 2.0, 4.0}},
                {1000, 100, 10'000, {0.016, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0}},
                {30'000, 5, 100'000, {0.125, 0.25, 0.5, 1.0, 2.0, 4.0}}};
  add_items(plan, items, 200'000);
  return plan;
}

Plan thorough_plan(std::uint64_t items) {
  Plan plan;
  plan.sizes = {{64, 400, 5000, {0.25, 0.5, 1.0, 2.0, 4.0}},
                {1000, 400, 10'000, {0.016, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0}, 20'000},
                {30'000, 24, 100'000, {0.125, 0.25, 0.5, 1.0, 2.0, 4.0}, 1'000'000},
                {1'000'000, 2, 1'000'000, {0.125, 0.25, 0.5, 1.0, 2.0}},
                {3'000'000, 1, 1'000'000, {0.25, 0.5, 1.0}}};
  // No multiple of a round number, so that what happens once in a million is another key's turn.
  plan.repeated_answers = 3'000'017;
  add_items(plan, items, 1'000'000);
  return plan;
}

}  // namespace bloomlab::audit
