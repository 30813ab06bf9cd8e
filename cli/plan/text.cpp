// The answer of `bloomlab plan` for people.

#include <array>
#include <string>
#include <string_view>

#include "analysis/format/number.hpp"
#include "analysis/planner/warnings.hpp"
#include "cli/plan/answer.hpp"
#include "core/theory/bounds.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::cli {
namespace {

using analysis::significant;
using analysis::planner::Mode;
using analysis::planner::one_in_text;
using analysis::planner::Plan;
using analysis::planner::spaced;

/// A line "  name      text".
std::string entry(std::string_view name, const std::string& text) {
  constexpr std::size_t column = 14;
  std::string line = "  ";
  line.append(name).append(name.size() < column ? column - name.size() : 1, ' ');
  return line + text + "\n";
}

std::string keys(std::uint64_t n) { return spaced(n) + (n == 1 ? " key" : " keys"); }

std::string heading(const Plan& plan) {
  std::string text = "A standard Bloom filter for " + keys(plan.n);
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

}  // namespace

std::string iec_text(std::uint64_t bits) {
  static constexpr std::array<std::string_view, 7> units = {"B",   "KiB", "MiB", "GiB",
                                                            "TiB", "PiB", "EiB"};
  constexpr int digits = 8;
  double size = static_cast<double>(bits) / 8.0;
  std::size_t unit = 0;
  for (; size >= 1024.0 && unit + 1 < units.size(); ++unit) size /= 1024.0;
  return analysis::significant(size, digits) + " " + std::string(units[unit]);
}

std::string plan_text(const PlanAnswer& answer) {
  const Plan& plan = answer.plan;
  std::string text = heading(plan);
  text += entry("m", size_text(plan));
  text += entry("k", probes_text(plan));
  text += entry("memory", memory_text(plan));
  text += entry("rate", significant(plan.rate, 6) + " exactly, " + one_in_text(plan.rate));
  text += entry("lower bound", bound_text(plan));
  for (const std::string& warning : plan.warnings) text += "warning: " + warning + "\n";
  return text;
}

}  // namespace bloomlab::cli
