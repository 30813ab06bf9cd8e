#include "planner/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

#include "core/catalogue.hpp"
#include "core/filters/sizing.hpp"
#include "core/parameters.hpp"
#include "planner/units.hpp"
#include "record/number_text.hpp"

namespace bloomlab::planner {
namespace {

/// Collects what a filter's description says, with the values.
struct ValueCollector {
  std::vector<ParameterValue> values = {};

  template <std::unsigned_integral Value>
  void operator()(const IntegerField& field, Value& value) {
    values.push_back({std::string(field.name), std::uint64_t{value}});
  }
  void operator()(const RealField& field, double& value) {
    values.push_back({std::string(field.name), value});
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const ChoiceField& field, Enum& value) {
    values.push_back(
        {std::string(field.name), std::string(field.words[static_cast<std::size_t>(value)])});
  }
};

/// Smallest H with n 2^-H <= rate / 100.
std::uint64_t hash_bits_for(std::uint64_t n, double rate) {
  constexpr double share = 0.01;
  constexpr double widest = 1024.0;
  const double bits = std::ceil(std::log2(static_cast<double>(n) / (share * rate)));
  return static_cast<std::uint64_t>(std::clamp(bits, 1.0, widest));
}

/// Fills in what a filter of these parameters costs and promises.
template <Sized Filter>
void settle(Candidate& candidate, typename Filter::Parameters parameters, std::uint64_t n) {
  candidate.rate_at = [parameters](std::uint64_t keys) {
    return predicted_rate<Filter>(parameters, keys);
  };
  candidate.rate = candidate.rate_at(n);
  candidate.memory_bits = Filter::memory_bits(parameters, n);
  candidate.bits_per_key = static_cast<double>(candidate.memory_bits) / static_cast<double>(n);
  candidate.lines = Filter::lines(parameters, n);
  const bool hashes = !candidate.traits.exact && !candidate.traits.whole_hashes;
  if (hashes) candidate.fewest_hash_bits = hash_bits_for(n, candidate.rate);
  ValueCollector collect;
  Filter::describe(collect, parameters);
  candidate.parameters = std::move(collect.values);
}

template <Sized Filter>
Candidate sized(const Sizing<typename Filter::Parameters>& sizing, const Goal& goal) {
  Candidate candidate{.filter = std::string(Filter::name),
                      .traits = sizing.traits,
                      .false_negatives = sizing.false_negatives,
                      .note = sizing.note,
                      .unavailable = sizing.unavailable};
  if (!candidate.available()) return candidate;
  if (const auto parameters = best_parameters<Filter>(sizing, goal)) {
    settle<Filter>(candidate, *parameters, goal.n);
  } else {
    candidate.unavailable = goal.rate ? "does not reach this rate at any size that it takes"
                                      : "does not fit into this memory";
  }
  return candidate;
}

/// Most memory that is taken to stay in a core's own caches [bits]: 1 MiB.
constexpr std::uint64_t cached_bits = std::uint64_t{8} << 20;

/// Memory that a one-line filter may cost more than the smallest filter of bits.
constexpr double memory_for_one_line = 0.35;

/// Rate that a one-line filter may have above the lowest one, where memory is given.
constexpr double rate_for_one_line = 3.0;

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

/// Why this one: no sentence.
std::string reason_for(const Goal& goal, const Candidate& small, const Candidate* line,
                       const Candidate& taken) {
  if (&taken == line) {
    return "one cache line a lookup instead of " + lines_text(small) + " of " + small.filter +
           ", for " + excess_text(goal, excess(goal, taken, small));
  }
  std::string text = goal.rate ? "the smallest filter that takes keys one by one"
                               : "the lowest rate of the filters that take keys one by one";
  if (small.memory_bits <= cached_bits) {
    text += ", and at this size it stays in a cache, where several lines a lookup cost little";
  } else if (line != nullptr) {
    text += "; the best filter of one cache line a lookup, " + line->filter + ", has ";
    text += excess_text(goal, excess(goal, *line, small));
  }
  return text;
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
/// so that the memory for the rate of `taken` is said first. Nothing where none has the ability.
std::optional<Alternative> alternative(const Goal& goal, const Candidate& taken,
                                       const Comparison& comparison, const Comparison& at_its_rate,
                                       const Wanted& wanted) {
  const Comparison& sized = goal.rate ? comparison : at_its_rate;
  const auto found = best_wanted({.n = goal.n, .rate = taken.rate}, sized, wanted);
  if (!found) return std::nullopt;
  const Candidate& one = sized.candidates[*found];
  std::string text = figures_text(one);
  if (!fits(goal, one)) text += ", more than the memory given";
  const auto within = std::ranges::find(comparison.candidates, one.filter, &Candidate::filter);
  if (!goal.rate && !fits(goal, one) && within->available()) {
    text += "; within it the rate is " + significant(within->rate, 3);
  }
  return Alternative{.condition = {}, .filter = one.filter, .figures = std::move(text)};
}

bool deletes(const Candidate& one) { return one.traits.deletes; }

bool only_grows(const Candidate& one) {
  return one.traits.grows && !one.traits.exact && !one.traits.whole_hashes;
}

/// The candidates for the goal in the order of the catalogue. @param wanted which filters, by what
/// they can do; all where it is empty
std::vector<Candidate> sized_candidates(const Goal& goal,
                                        const std::function<bool(const Traits&)>& wanted = {}) {
  std::vector<Candidate> candidates;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    if constexpr (Sized<Filter>) {
      const auto sizing = Filter::sizing(goal);
      if (!wanted || wanted(sizing.traits)) candidates.push_back(sized<Filter>(sizing, goal));
    }
  });
  return candidates;
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

/// What to take under other conditions.
std::vector<Alternative> otherwise(const Goal& goal, const Comparison& comparison,
                                   const Candidate& taken) {
  std::vector<Alternative> list;
  if (taken.traits.takes_keys_later) {
    const auto found = best_wanted(goal, comparison, [&](const Candidate& one) {
      return !one.traits.takes_keys_later && excess(goal, one, taken) < 1.0;
    });
    if (found) {
      const Candidate& one = comparison.candidates[*found];
      list.push_back({"all keys are known beforehand", one.filter, figures_text(one)});
    }
  }
  const Comparison at_its_rate = goal.rate ? Comparison() : sized_for(goal.n, taken.rate);
  for (const auto& [condition, wanted] :
       {std::pair{"keys are deleted", &deletes}, std::pair{"n is not known", &only_grows}}) {
    auto other = alternative(goal, taken, comparison, at_its_rate, wanted);
    if (!other) continue;
    other->condition = condition;
    list.push_back(*std::move(other));
  }
  return list;
}

/// Reason and alternatives as sentences. @param what "Take blocked"
void say(const std::string& what, Comparison& comparison) {
  comparison.recommendation = what + ": " + comparison.reason + ".";
  for (const Alternative& one : comparison.otherwise) {
    comparison.recommendation +=
        " If " + one.condition + ", take " + one.filter + " (" + one.figures + ").";
  }
}

/// Sets `recommended` and what is said of it: among the filters that take keys one by one, the
/// smallest where it stays in a cache or where one-line filters cost too much more, else the best
/// one-line filter. The sentences also name the filters for keys known beforehand, for deleting and
/// for an unknown number of keys, each with its memory and its rate; where memory was given, with
/// the memory that the recommended filter's rate would take.
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
  const Candidate* one_line = line ? &comparison.candidates[*line] : nullptr;
  const bool line_fits = one_line != nullptr && fits(goal, *one_line);
  // Tables of keys and filters of layers would be the smallest where filters of bits end.
  const bool too_large =
      !small && !line_fits && any && comparison.candidates[*any].memory_bits > max_filter_bits;
  if (!any || too_large) {
    comparison.recommendation = too_large ? "No filter of the catalogue takes so many keys."
                                          : "No filter of the catalogue reaches this goal.";
    return;
  }
  comparison.recommended = small ? small : line_fits ? line : any;
  const Candidate& least = comparison.candidates[*comparison.recommended];
  if (small && line_fits && least.memory_bits > cached_bits) {
    const double most = goal.rate ? 1.0 + memory_for_one_line : rate_for_one_line;
    if (excess(goal, *one_line, least) <= most) comparison.recommended = line;
  }
  const Candidate& taken = comparison.candidates[*comparison.recommended];
  comparison.reason = reason_for(goal, least, one_line, taken);
  comparison.otherwise = otherwise(goal, comparison, taken);
  say("Take " + taken.filter, comparison);
}

/// The same for a plan that fixes its form: the standard filter at `index`.
void recommend_as_asked(const Plan& plan, std::size_t index, Comparison& comparison) {
  const Candidate& taken = comparison.candidates[index];
  if (!taken.available()) {
    comparison.recommendation = "No filter of the catalogue has so many bits.";
    return;
  }
  comparison.recommended = index;
  comparison.reason = plan.mode == Mode::compatible ? "the calculators' answer was asked for"
                      : !plan.solves_for("k")       ? "this k was asked for"
                                                    : "this size was asked for";
  if (!plan.keeps_promise()) comparison.reason += ", though it misses the rate";
  comparison.otherwise = otherwise(goal_of(plan), comparison, taken);
  say("Take " + taken.filter + " with this m and k", comparison);
}

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

Goal goal_of(const Plan& plan) {
  Goal goal{.n = plan.n};
  if (plan.rate_requested) goal.rate = plan.p;
  if (!plan.rate_requested || !plan.solves_for("m")) goal.memory_bits = plan.memory_bits;
  return goal;
}

Candidate standard_candidate(std::uint64_t n, std::uint64_t m, std::uint64_t k) {
  Candidate candidate{.filter = std::string(Standard::name)};
  if (m > max_filter_bits) {
    candidate.unavailable = "would pass 2^48 bits";
  } else {
    settle<Standard>(candidate, {.m = m, .k = k}, n);
  }
  return candidate;
}

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
