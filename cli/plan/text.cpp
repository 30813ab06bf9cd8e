// The answer of `bloomlab plan` for people.

#include <string>
#include <string_view>
#include <vector>

#include "cli/plan/answer.hpp"
#include "core/theory/bounds.hpp"
#include "core/theory/standard.hpp"
#include "planner/quantity_text.hpp"
#include "record/number_text.hpp"

namespace bloomlab::cli {
namespace {

using planner::Candidate;
using planner::iec_text;
using planner::Mode;
using planner::one_in_text;
using planner::Plan;
using planner::spaced;

/// A line "  name      text".
std::string plan_line(std::string_view name, const std::string& text) {
  constexpr std::size_t column = 14;
  std::string line = "  ";
  line.append(name).append(name.size() < column ? column - name.size() : 1, ' ');
  return line + text + "\n";
}

std::string keys_text(std::uint64_t n) { return spaced(n) + (n == 1 ? " key" : " keys"); }

/// "for 10 keys with a rate of at most 0.01"
std::string request_text(const Plan& plan) {
  std::string text = " for " + keys_text(plan.n);
  if (plan.rate_requested) text += " with a rate of at most " + parameter_text(plan.p);
  return text +
         (plan.mode == Mode::guaranteed ? "\n" : ", as the calculators on the web have it\n");
}

bool takes_the_plan(const PlanAnswer& answer) {
  const Candidate* taken = answer.recommended();
  return taken == nullptr || taken->filter == "standard";
}

std::string size_text(const Plan& plan) {
  std::string text = spaced(plan.m) + (plan.m == 1 ? " bit, " : " bits, ");
  return text + significant(plan.bits_per_key(), 5) + " per key";
}

std::string memory_text(const Plan& plan) {
  std::string text = iec_text(plan.memory_bits) + " in whole words of 64 bits";
  if (plan.memory_bits != plan.m) text += " (" + iec_text(plan.m) + " unrounded)";
  return text;
}

std::string probes_text(const Plan& plan) {
  std::string text = std::to_string(plan.k) + " per key";
  if (plan.rate_requested && plan.fewest_probes != 0 && plan.fewest_probes < plan.k) {
    text += "; " + std::to_string(plan.fewest_probes) + " keep the rate too, and cost less";
  }
  return text;
}

std::string bound_text(const Plan& plan) {
  const double bound = theory::lower_bound_bits(plan.n, plan.p) / static_cast<double>(plan.n);
  return significant(bound, 4) + " bits per key are the least that any filter needs at this rate";
}

/// The recommended filter, where it is another one than the plan; with a line to end it.
std::string recommended_text(const PlanAnswer& answer) {
  if (takes_the_plan(answer)) return "";
  const Candidate& taken = *answer.recommended();
  std::string text = "Recommended: " + taken.filter + request_text(answer.plan);
  text += plan_line("parameters", parameters_text(taken));
  text += plan_line("memory", iec_text(taken.memory_bits) + ", " +
                                  significant(taken.bits_per_key, 5) + " bits per key");
  text += plan_line(
      "rate", significant(taken.rate, 6) + " by its own closed form, " + one_in_text(taken.rate));
  return text + "\n";
}

std::string ratio_text(double ratio) {
  return ratio < 10.0 && ratio > 0.1 ? signed_percent(ratio - 1.0, 2)
                                     : "x " + significant(ratio, 3);
}

/// What room for growth costs, and whether a scalable filter ever takes less once it has grown.
std::string growth_text(const std::vector<planner::Growth>& growth) {
  if (growth.empty()) return "";
  std::string text =
      "\nIf n grows: a plain filter made for that n, and a scalable one started for the planned "
      "n\n";
  bool always_more = true;
  for (const auto& row : growth) {
    std::string line = iec_text(row.plain_bits, 4) + " plain, " + iec_text(row.scalable_bits, 4);
    line += " scalable in " + std::to_string(row.layers) + (row.layers == 1 ? " layer" : " layers");
    if (row.scalable_less_up_to > 0 && row.scalable_less_up_to < row.n) {
      line += " (less than the plain one up to " + keys_text(row.scalable_less_up_to) + ")";
    }
    text += plan_line("n x " + parameter_text(row.factor), line);
    always_more = always_more && row.scalable_bits > row.plain_bits;
  }
  if (always_more) {
    text +=
        "  Once grown, the scalable filter takes more each time: it is for an n that nobody "
        "knows.\n";
  }
  return text;
}

std::string sensitivity_text(const planner::Sensitivity& sensitivity, bool standard) {
  std::string text =
      standard ? "\nIf a guess is wrong\n" : "\nIf a guess is wrong, in the standard filter\n";
  for (const auto& shift : sensitivity.shifts) {
    text += plan_line(shift.change,
                      "rate " + significant(shift.rate, 4) + ", " + ratio_text(shift.ratio));
  }
  text += "  The rate is kept up to " + keys_text(sensitivity.most_keys);
  if (sensitivity.most_keys_twice > 0) {
    text += ", twice it up to " + keys_text(sensitivity.most_keys_twice);
  }
  return text + ".\n" + growth_text(sensitivity.growth);
}

std::string break_even_text(const PlanAnswer& answer) {
  const auto& result = *answer.break_even;
  const Candidate* taken = answer.recommended();
  std::string text = "\nIn front of the store, the filter ";
  text += (taken ? taken->filter : "standard") + std::string(" with a rate of ");
  text += significant(taken ? taken->rate : answer.plan.rate, 6) + "\n";
  text += plan_line("lookup", significant(result.with_filter_ns, 4) + " ns with the filter, " +
                                  significant(result.without_filter_ns, 4) + " ns without");
  text += plan_line("filter cost",
                    significant(answer.costs->filter_cost_ns, 3) + " ns, " + answer.filter_cost);
  text += plan_line("verdict", result.pays ? "the filter pays" : "the filter does not pay");
  text += plan_line("break-even", "it stops paying at a hit ratio of " +
                                      significant(result.break_even_hit_ratio, 6));
  if (result.store_lookups_saved_per_second) {
    text += plan_line("saved", significant(*result.store_lookups_saved_per_second, 4) +
                                   " store lookups a second, " +
                                   significant(*result.store_seconds_saved_per_second, 4) +
                                   " seconds of the store a second");
  }
  if (result.best_bits_per_key) {
    text += plan_line("best size", significant(*result.best_bits_per_key, 4) +
                                       " bits per key of a standard filter for a real k (rate " +
                                       significant(*result.best_rate, 3) + "), " +
                                       significant(*result.best_bits_per_key_whole_k, 4) +
                                       " with k = " + std::to_string(*result.best_k));
  }
  return text;
}

}  // namespace

std::string plan_text(const PlanAnswer& answer) {
  const Plan& plan = answer.plan;
  std::string text = recommended_text(answer);
  text += "A standard Bloom filter" + request_text(plan);
  text += plan_line("m", size_text(plan));
  text += plan_line("k", probes_text(plan));
  text += plan_line("memory", memory_text(plan));
  text += plan_line("rate", significant(plan.rate, 6) + " exactly, " + one_in_text(plan.rate));
  text += plan_line("lower bound", bound_text(plan));
  for (const std::string& warning : plan.warnings) text += "warning: " + warning + "\n";
  text += comparison_text(answer);
  text += sensitivity_text(answer.sensitivity, takes_the_plan(answer));
  if (answer.break_even) text += break_even_text(answer);
  return text;
}

}  // namespace bloomlab::cli
