#include "audit/measure.hpp"

#include <algorithm>

#include "audit/attempt.hpp"
#include "audit/expected_layout.hpp"

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

Layout Examined::layout(std::uint64_t size, std::uint64_t memory_bits) const {
  if (expected) return expected(size, memory_bits);
  return layout_of({{"kind", "standard"}}, size, size, memory_bits);
}

Evidence measure(const Examined& examined, const Plan& plan, const Progress& progress) {
  struct NamedPart {
    std::string_view name;
    detail::MeasuredPart* measure;
  };
  static constexpr NamedPart parts[] = {
      {"keys of every kind", detail::measure_situations},  {"rates", detail::measure_rates},
      {"bits that are reached", detail::measure_bits},     {"lost keys", detail::measure_pattern},
      {"seeds and structured keys", detail::measure_keys}, {"speed", detail::measure_speed},
  };
  Evidence evidence;
  evidence.name = examined.name;
  try {
    evidence.never_started = true;
    detail::RestartingFilter filter(examined);
    evidence.never_started = false;
    evidence.version = filter.description().version;
    evidence.says_deterministic = filter.description().deterministic;
    // What fails here fails at random keys in a small filter, and so everywhere.
    if (progress) progress("an empty filter");
    detail::measure_repeats(filter, examined, plan, evidence);
    for (const NamedPart& part : parts) {
      if (progress) progress(part.name);
      detail::attempted(evidence, std::string(part.name),
                        [&] { part.measure(filter, examined, plan, evidence); });
    }
  } catch (const foreign::Failure& failure) {
    evidence.failure = failure.what();
  }
  return evidence;
}

}  // namespace bloomlab::audit
