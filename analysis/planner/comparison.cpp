#include "analysis/planner/comparison.hpp"

#include <algorithm>

#include "analysis/planner/families.hpp"
#include "analysis/planner/recommendation.hpp"

namespace bloomlab::analysis::planner {
namespace {

/// Differences below it are none.
constexpr double slack = 1.001;

bool not_above(double a, double b) { return a <= slack * b; }

/// Cost of asking for an absent key: measured where both were, lines otherwise.
bool not_dearer(const Candidate& a, const Candidate& b) {
  if (a.timing && b.timing) return not_above(a.timing->absent_ns, b.timing->absent_ns);
  return not_above(a.lines.absent, b.lines.absent);
}

bool as_able(const Candidate& a, const Candidate& b) {
  return (a.traits.takes_keys_later || !b.traits.takes_keys_later) &&
         (a.traits.erases || !b.traits.erases) && (a.traits.grows || !b.traits.grows);
}

bool as_good(const Candidate& a, const Candidate& b) {
  return not_above(static_cast<double>(a.memory_bits), static_cast<double>(b.memory_bits)) &&
         not_above(a.rate, b.rate) && not_dearer(a, b) && as_able(a, b);
}

bool better(const Candidate& a, const Candidate& b) { return as_good(a, b) && !as_good(b, a); }

}  // namespace

Goal goal_of(const Plan& plan) {
  if (plan.rate_requested) return {.n = plan.n, .rate = plan.p};
  return {.n = plan.n, .memory_bits = plan.memory_bits};
}

Comparison compare(const Goal& goal, const TimingOf& timing) {
  Comparison result;
  for (const Family& family : families(goal)) {
    Candidate candidate = best_of(family, goal);
    if (timing && candidate.available()) candidate.timing = timing(candidate);
    result.candidates.push_back(std::move(candidate));
  }
  for (Candidate& one : result.candidates) {
    one.pareto = one.available() && std::ranges::none_of(result.candidates, [&](const auto& other) {
                   return other.available() && better(other, one);
                 });
  }
  recommend(goal, result);
  return result;
}

}  // namespace bloomlab::analysis::planner
