// The answer of `bloomlab plan` for people.

#include <string>
#include <string_view>

#include "analysis/format/number.hpp"
#include "analysis/planner/quantity_text.hpp"
#include "cli/plan/answer.hpp"
#include "core/theory/bounds.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::cli {
namespace {

using analysis::signed_percent;
using analysis::significant;
using analysis::planner::iec_text;
using analysis::planner::Mode;
using analysis::planner::one_in_text;
using analysis::planner::Plan;
using analysis::planner::spaced;

/// A line "  name      text".
std::string plan_line(std::string_view name, const std::string& text) {
  constexpr std::size_t column = 14;
  std::string line = "  ";
  line.append(name).append(name.size() < column ? column - name.size() : 1, ' ');
  return line + text + "\n";
}

std::string keys_text(std::uint64_t n) { return spaced(n) + (n == 1 ? " key" : " keys"); }

std::string plan_heading(const Plan& plan) {
  std::string text = "A standard Bloom filter for " + keys_text(plan.n);
  if (plan.rate_requested) text += " with a rate of at most " + analysis::parameter_text(plan.p);
  text += plan.mode == Mode::guaranteed ? "\n" : ", as the calculators on the web have it\n";
  return text;
}

std::string size_text(const Plan& plan) {
  std::string text = spaced(plan.m) + (plan.m == 1 ? " bit, " : " bits, ");
  return text + significant(plan.bits_per_key(), 5) + " a key";
}

std::string memory_text(const Plan& plan) {
  std::string text = iec_text(plan.memory_bits) + " in whole words of 64 bits";
  if (plan.memory_bits != plan.m) text += " (" + iec_text(plan.m) + " unrounded)";
  return text;
}

std::string probes_text(const Plan& plan) {
  std::string text = std::to_string(plan.k) + " a key";
  if (plan.rate_requested && plan.fewest_probes != 0 && plan.fewest_probes < plan.k) {
    text += "; " + std::to_string(plan.fewest_probes) + " keep the rate too, and cost less";
  }
  return text;
}

std::string bound_text(const Plan& plan) {
  const double bound = theory::lower_bound_bits(plan.n, plan.p) / static_cast<double>(plan.n);
  return significant(bound, 4) + " bits a key are the least that any filter needs at this rate";
}

std::string ratio_text(double ratio) {
  return ratio < 10.0 && ratio > 0.1 ? signed_percent(ratio - 1.0, 2)
                                     : "x " + significant(ratio, 3);
}

std::string sensitivity_text(const analysis::planner::Sensitivity& sensitivity) {
  std::string text = "\nIf a guess is wrong\n";
  for (const auto& shift : sensitivity.shifts) {
    text += plan_line(shift.change,
                      "rate " + significant(shift.rate, 4) + ", " + ratio_text(shift.ratio));
  }
  text += "  1 % more keys raise the rate by " + significant(sensitivity.elasticity, 3);
  text += " %. The rate is kept up to " + keys_text(sensitivity.most_keys);
  if (sensitivity.most_keys_twice > 0) {
    text += ", twice it up to " + keys_text(sensitivity.most_keys_twice);
  }
  text += ".\n";
  if (sensitivity.scalable_pays_beyond) {
    text += "  Where n may grow beyond " + significant(*sensitivity.scalable_pays_beyond, 3);
    text +=
        " times the plan, a scalable filter started for n takes less memory than a filter for "
        "the largest n.\n";
  }
  return text;
}

std::string break_even_text(const PlanAnswer& answer) {
  const auto& result = *answer.break_even;
  std::string text = "\nIn front of the store\n";
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
                                       " bits a key for a real k (rate " +
                                       significant(*result.best_rate, 3) + "), " +
                                       significant(*result.best_bits_per_key_whole_k, 4) +
                                       " with k = " + std::to_string(*result.best_k));
  }
  return text;
}

}  // namespace

std::string plan_text(const PlanAnswer& answer) {
  const Plan& plan = answer.plan;
  std::string text = plan_heading(plan);
  text += plan_line("m", size_text(plan));
  text += plan_line("k", probes_text(plan));
  text += plan_line("memory", memory_text(plan));
  text += plan_line("rate", significant(plan.rate, 6) + " exactly, " + one_in_text(plan.rate));
  text += plan_line("lower bound", bound_text(plan));
  for (const std::string& warning : plan.warnings) text += "warning: " + warning + "\n";
  text += comparison_text(answer) + sensitivity_text(answer.sensitivity);
  if (answer.break_even) text += break_even_text(answer);
  return text;
}

}  // namespace bloomlab::cli
