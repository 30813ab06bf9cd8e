#include "planner/recommendation.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "planner/quantity_text.hpp"
#include "planner/sized_candidates.hpp"
#include "record/number_text.hpp"

namespace bloomlab::planner {
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
  return one.traits.takes_keys_later && !one.traits.exact && !one.traits.deletes &&
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

std::string size_text(const Candidate& one) {
  return significant(one.bits_per_key, 3) + " bits per key, " + iec_text(one.memory_bits, 3);
}

std::string figures_text(const Candidate& one) {
  return size_text(one) + ", rate " + significant(one.rate, 3);
}

bool fits(const Goal& goal, const Candidate& one) {
  return !goal.memory_bits || one.memory_bits <= *goal.memory_bits;
}

/// A filter of another ability for the same request: in given memory its rate may be another one,
/// so that the memory for the rate of `taken` is said first.
std::string alternative(const Goal& goal, const Candidate& taken, const Comparison& comparison,
                        const Comparison& at_its_rate, const Wanted& wanted) {
  const Comparison& sized = goal.rate ? comparison : at_its_rate;
  const auto found = best_wanted({.n = goal.n, .rate = taken.rate}, sized, wanted);
  if (!found) return "";
  const Candidate& one = sized.candidates[*found];
  std::string text = " take " + one.filter + " (" + figures_text(one);
  if (!fits(goal, one)) text += ", more than the memory given";
  const auto within = std::ranges::find(comparison.candidates, one.filter, &Candidate::filter);
  if (!goal.rate && !fits(goal, one) && within->available()) {
    text += "; within it the rate is " + significant(within->rate, 3);
  }
  return text + ").";
}

bool deletes(const Candidate& one) { return one.traits.deletes; }

bool only_grows(const Candidate& one) {
  return one.traits.grows && !one.traits.exact && !one.traits.whole_hashes;
}

/// The filters that delete or grow, sized for this rate.
Comparison sized_for(std::uint64_t n, double rate) {
  Comparison sized;
  const Goal goal{.n = n, .rate = rate};
  if (!(rate > 0.0 && rate < 1.0)) return sized;
  sized.candidates =
      sized_candidates(goal, [](const Traits& can) { return can.deletes || can.grows; });
  return sized;
}

/// What to take under other conditions, a sentence each.
std::string otherwise(const Goal& goal, const Comparison& comparison, const Candidate& taken) {
  std::string text;
  if (taken.traits.takes_keys_later) {
    const auto found = best_wanted(goal, comparison, [&](const Candidate& one) {
      return !one.traits.takes_keys_later && excess(goal, one, taken) < 1.0;
    });
    if (found) {
      const Candidate& one = comparison.candidates[*found];
      text += " If all keys are known beforehand, take " + one.filter + " (";
      text += figures_text(one) + ").";
    }
  }
  const Comparison at_its_rate = goal.rate ? Comparison() : sized_for(goal.n, taken.rate);
  for (const auto& [condition, wanted] : {std::pair{" If keys are deleted,", &deletes},
                                          std::pair{" If n is not known,", &only_grows}}) {
    const std::string other = alternative(goal, taken, comparison, at_its_rate, wanted);
    if (!other.empty()) text += condition + other;
  }
  return text;
}

}  // namespace

Goal goal_of(const Plan& plan) {
  Goal goal{.n = plan.n};
  if (plan.rate_requested) goal.rate = plan.p;
  if (!plan.rate_requested || !plan.solves_for("m")) goal.memory_bits = plan.memory_bits;
  return goal;
}

void recommend(const Goal& goal, Comparison& comparison) {
  // Given bits that are no whole words would let others take the rest of the last word.
  auto small = best_wanted(goal, comparison, [&](const Candidate& one) {
    return one.filter == "standard" && fits(goal, one);
  });
  if (!small) {
    small = best_wanted(goal, comparison,
                        [&](const Candidate& one) { return takes_bits(one) && fits(goal, one); });
  }
  const auto line = best_wanted(goal, comparison, reads_one_line);
  const auto any =
      best_wanted(goal, comparison, [&](const Candidate& one) { return fits(goal, one); });
  if (!any) {
    comparison.recommendation = "No filter of the catalogue reaches this goal.";
    return;
  }
  const Candidate* one_line = line ? &comparison.candidates[*line] : nullptr;
  const bool line_fits = one_line != nullptr && fits(goal, *one_line);
  comparison.recommended = small ? small : line_fits ? line : any;
  const Candidate& least = comparison.candidates[*comparison.recommended];
  if (small && line_fits && least.memory_bits > cached_bits) {
    const double most = goal.rate ? 1.0 + memory_for_one_line : rate_for_one_line;
    if (excess(goal, *one_line, least) <= most) comparison.recommended = line;
  }
  const Candidate& taken = comparison.candidates[*comparison.recommended];
  comparison.recommendation =
      take(goal, least, one_line, taken) + otherwise(goal, comparison, taken);
}

void recommend_as_asked(const Plan& plan, std::size_t index, Comparison& comparison) {
  const Candidate& taken = comparison.candidates[index];
  if (!taken.available()) {
    comparison.recommendation = "No filter of the catalogue has so many bits.";
    return;
  }
  comparison.recommended = index;
  std::string text = "Take " + taken.filter + " with this m and k: ";
  text += plan.mode == Mode::compatible ? "the calculators' answer was asked for"
          : !plan.solves_for("k")       ? "this k was asked for"
                                        : "this size was asked for";
  if (!plan.keeps_promise()) text += ", though it misses the rate";
  comparison.recommendation = text + "." + otherwise(goal_of(plan), comparison, taken);
}

}  // namespace bloomlab::planner
