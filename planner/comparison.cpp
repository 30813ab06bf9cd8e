#include "planner/comparison.hpp"

#include <algorithm>

#include "planner/sized_candidates.hpp"

namespace bloomlab::planner {
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
         (a.traits.deletes || !b.traits.deletes) && (a.traits.grows || !b.traits.grows);
}

bool as_good(const Candidate& a, const Candidate& b) {
  return not_above(static_cast<double>(a.memory_bits), static_cast<double>(b.memory_bits)) &&
         not_above(a.rate, b.rate) && not_dearer(a, b) && as_able(a, b);
}

bool better(const Candidate& a, const Candidate& b) { return as_good(a, b) && !as_good(b, a); }

Comparison marked(std::vector<Candidate> candidates, const TimingOf& timing) {
  Comparison result;
  result.candidates = std::move(candidates);
  for (Candidate& one : result.candidates) {
    if (timing && one.available()) one.timing = timing(one);
  }
  for (Candidate& one : result.candidates) {
    one.pareto = one.available() && std::ranges::none_of(result.candidates, [&](const auto& other) {
                   return other.available() && better(other, one);
                 });
  }
  return result;
}

}  // namespace

Comparison compare(const Goal& goal, const TimingOf& timing) {
  Comparison result = marked(sized_candidates(goal), timing);
  recommend(goal, result);
  return result;
}

Comparison compare_for(const Plan& plan, const TimingOf& timing) {
  const Goal goal = goal_of(plan);
  std::vector<Candidate> candidates = sized_candidates(goal);
  Candidate planned = standard_candidate(plan.n, plan.m, plan.k);
  const auto row = std::ranges::find(candidates, planned.filter, &Candidate::filter);
  const auto index = static_cast<std::size_t>(row - candidates.begin());
  *row = std::move(planned);
  Comparison result = marked(std::move(candidates), timing);
  if (plan.fixes_form()) {
    recommend_as_asked(plan, index, result);
  } else {
    recommend(goal, result);
  }
  return result;
}

}  // namespace bloomlab::planner
