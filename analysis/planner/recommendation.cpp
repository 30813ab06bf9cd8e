#include "analysis/planner/recommendation.hpp"

#include <functional>
#include <string>

#include "analysis/format/number.hpp"

namespace bloomlab::analysis::planner {
namespace {

using Wanted = std::function<bool(const Candidate&)>;

/// The best available candidate that is wanted: the smallest for a rate, else the lowest rate.
std::optional<std::size_t> best_wanted(const Goal& goal, const Comparison& comparison,
                                       const Wanted& wanted) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < comparison.candidates.size(); ++i) {
    const Candidate& one = comparison.candidates[i];
    if (!one.available() || !wanted(one)) continue;
    const Candidate* before = best ? &comparison.candidates[*best] : nullptr;
    const bool better =
        !before || (goal.rate ? one.memory_bits < before->memory_bits : one.rate < before->rate);
    if (better) best = i;
  }
  return best;
}

/// Plain filters of bits that take keys one by one.
bool takes_bits(const Candidate& one) {
  return one.filter == "standard" || one.filter == "partitioned";
}

bool reads_one_line(const Candidate& one) {
  return one.traits.takes_keys_later && !one.traits.exact && !one.traits.erases &&
         !takes_bits(one) && one.lines.present <= 1.0;
}

std::string percent_more(double ratio) { return percent(ratio - 1.0, 2) + " more memory"; }

std::string lines_text(const Candidate& one) {
  return significant(one.lines.absent, 2) + " to " + significant(one.lines.present, 2);
}

/// How much more a candidate takes, or errs, than another one.
double excess(const Goal& goal, const Candidate& one, const Candidate& least) {
  if (!goal.rate) return one.rate / least.rate;
  return static_cast<double>(one.memory_bits) / static_cast<double>(least.memory_bits);
}

std::string excess_text(const Goal& goal, double ratio) {
  return goal.rate ? percent_more(ratio) : significant(ratio, 3) + " times the rate";
}

std::string take(const Goal& goal, const Candidate& small, const Candidate* line,
                 const Candidate& taken) {
  std::string text = "Take " + taken.filter + ": ";
  if (&taken == line) {
    text += "one cache line a lookup instead of " + lines_text(small) + " of " + small.filter;
    return text + ", for " + excess_text(goal, excess(goal, taken, small)) + ".";
  }
  text += goal.rate ? "the smallest filter that takes keys one by one"
                    : "the lowest rate of the filters that take keys one by one";
  if (small.memory_bits <= cached_bits) {
    text += ", and at this size it stays in a cache, where several lines a lookup cost little";
  } else if (line != nullptr) {
    text += "; the best filter of one cache line a lookup, " + line->filter + ", has ";
    text += excess_text(goal, excess(goal, *line, small));
  }
  return text + ".";
}

/// What to take under other conditions, a sentence each.
std::string otherwise(const Goal& goal, const Comparison& comparison, const Candidate& taken) {
  std::string text;
  const auto add = [&](const char* condition, const Wanted& wanted) {
    const auto found = best_wanted(goal, comparison, wanted);
    if (!found) return;
    const Candidate& one = comparison.candidates[*found];
    text += std::string(" ") + condition + " take " + one.filter + " (";
    text += significant(one.bits_per_key, 3) + " bits a key";
    if (!goal.rate) text += ", rate " + significant(one.rate, 3);
    text += ").";
  };
  if (taken.traits.takes_keys_later) {
    add("If all keys are known beforehand,", [&](const Candidate& one) {
      return !one.traits.takes_keys_later && excess(goal, one, taken) < 1.0;
    });
  }
  add("If keys are erased,", [](const Candidate& one) { return one.traits.erases; });
  add("If n is not known,",
      [](const Candidate& one) { return one.traits.grows && !one.traits.exact; });
  return text;
}

}  // namespace

void recommend(const Goal& goal, Comparison& comparison) {
  const auto small = best_wanted(goal, comparison, takes_bits);
  const auto line = best_wanted(goal, comparison, reads_one_line);
  const auto any = best_wanted(goal, comparison, [](const Candidate&) { return true; });
  if (!any) {
    comparison.recommendation = "No filter of the catalogue reaches this goal.";
    return;
  }
  comparison.recommended = small ? small : line ? line : any;
  const Candidate& least = comparison.candidates[*comparison.recommended];
  const Candidate* one_line = line ? &comparison.candidates[*line] : nullptr;
  if (small && line && least.memory_bits > cached_bits) {
    const double most = goal.rate ? 1.0 + memory_for_one_line : rate_for_one_line;
    if (excess(goal, *one_line, least) <= most) comparison.recommended = line;
  }
  const Candidate& taken = comparison.candidates[*comparison.recommended];
  comparison.recommendation =
      take(goal, least, one_line, taken) + otherwise(goal, comparison, taken);
}

}  // namespace bloomlab::analysis::planner
