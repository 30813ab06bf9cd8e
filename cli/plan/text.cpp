// What `bloomlab plan` answers to people: ten lines, or all that is known.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/plan/answer.hpp"
#include "cli/plan/calibration.hpp"
#include "cli/terminal.hpp"
#include "core/parameters.hpp"
#include "core/theory/bounds.hpp"
#include "planner/units.hpp"
#include "record/json_view.hpp"
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

std::string keys_text(std::uint64_t n) { return planner::counted_text(n, "key"); }

/// "for 10 keys with a rate of at most 0.01"
std::string request_text(const Plan& plan) {
  std::string text = " for " + keys_text(plan.n);
  if (plan.rate_requested) text += " with a rate of at most " + planner::rate_text(plan.p);
  return text +
         (plan.mode == Mode::guaranteed ? "\n" : ", as the calculators on the web have it\n");
}

bool takes_the_plan(const PlanAnswer& answer) {
  const Candidate* taken = answer.recommended();
  return taken == nullptr || taken->filter == "standard";
}

std::string size_text(const Plan& plan) {
  return planner::counted_text(plan.m, "bit") + ", " + significant(plan.bits_per_key(), 5) +
         " per key";
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

std::string shown_parameters(const Candidate& candidate, bool with_size) {
  std::string text;
  for (const auto& [name, value] : candidate.parameters) {
    if (name == "m" && !with_size) continue;
    text += text.empty() ? "" : " ";
    text += name + "=";
    if (const auto* real = std::get_if<double>(&value)) {
      text += parameter_text(*real);
    } else if (const auto* whole = std::get_if<std::uint64_t>(&value)) {
      text += std::to_string(*whole);
    } else {
      text += std::get<std::string>(value);
    }
  }
  return text;
}

/// The recommended filter, where it is another one than the plan; with a line to end it.
std::string recommended_text(const PlanAnswer& answer) {
  if (takes_the_plan(answer)) return "";
  const Candidate& taken = *answer.recommended();
  std::string text = "Recommended: " + taken.filter + request_text(answer.plan);
  text += plan_line("parameters", shown_parameters(taken, true));
  text += plan_line("memory", iec_text(taken.memory_bits) + ", " +
                                  significant(taken.bits_per_key, 5) + " bits per key");
  text += plan_line(
      "rate", significant(taken.rate, 6) + " by its own closed form, " + one_in_text(taken.rate));
  return text + "\n";
}

std::string ratio_text(double ratio) {
  constexpr double rounding = 1e-12;
  if (std::abs(ratio - 1.0) < rounding) return "the same";
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
  if (sensitivity.most_keys_at_twice_the_rate > 0) {
    text += ", twice it up to " + keys_text(sensitivity.most_keys_at_twice_the_rate);
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
    text +=
        broken(plan_line("best size", significant(*result.best_bits_per_key, 4) +
                                          " bits per key of a standard filter for a real k (rate " +
                                          significant(*result.best_rate, 3) + "), " +
                                          significant(*result.best_bits_per_key_whole_k, 4) +
                                          " with k = " + std::to_string(*result.best_k)),
               16);
  }
  return text;
}

using TextRow = std::vector<std::string>;

/// What it can do beside answering, in three letters.
std::string abilities(const Candidate& candidate) {
  std::string text = candidate.traits.takes_keys_later ? "" : "static";
  const auto add = [&](bool can, const char* word) {
    if (can) text += (text.empty() ? "" : ", ") + std::string(word);
  };
  add(candidate.traits.deletes, "deletes");
  add(candidate.traits.grows, "grows");
  add(!candidate.false_negatives.empty(), "may lose keys");
  return text;
}

TextRow row_of(const PlanAnswer& answer, const Candidate& candidate) {
  const std::string name = (candidate.pareto ? "* " : "  ") + candidate.filter;
  if (!candidate.available()) return {name, "", "", "", "", "", "", "", candidate.unavailable};
  std::optional<planner::Timing> timing = candidate.timing;
  const auto reference = answer.reference.find(candidate.filter);
  if (!timing && reference != answer.reference.end()) timing = reference->second;
  const auto timed = [&](double planner::Timing::*value) {
    return timing ? significant((*timing).*value, 3) : std::string("-");
  };
  return {name,
          significant(candidate.bits_per_key, 4),
          iec_text(candidate.memory_bits, 4),
          significant(candidate.rate, 3),
          significant(candidate.lines.absent, 2) + "/" + significant(candidate.lines.present, 2),
          timed(&planner::Timing::insert_ns),
          timed(&planner::Timing::absent_ns),
          abilities(candidate),
          shown_parameters(candidate, false)};
}

using planner::GrowthYear;
std::string lasts_text(const planner::Plan& plan, const planner::GrowthPlan& growth) {
  const std::string factor = signed_percent(growth.factor - 1.0, 3) + " a year";
  if (growth.best_years == 0.0) {
    return broken("  The budget lasts no time: the filter is made for the n of today (" +
                      std::string(plan.rate_requested
                                      ? "give --memory with more room, or plan for the n of a "
                                        "later year; "
                                      : "give --fpr, the rate that is to be kept; ") +
                      factor + ")\n",
                  4);
  }
  std::string text = "  The budget lasts until n = " + spaced(growth.last_keys) + ", in " +
                     significant(growth.years, 3) + " years (" + factor + ")\n";
  if (growth.best_last_keys > growth.last_keys) {
    text += broken("  With k = " + std::to_string(growth.best_k) +
                       ", chosen for the end, until n = " + spaced(growth.best_last_keys) +
                       ", in " + significant(growth.best_years, 3) +
                       " years; k = " + std::to_string(plan.k) + " is best for today\n",
                   4);
  }
  return text;
}

std::string comparison_text(const PlanAnswer& answer) {
  std::vector<TextRow> rows = {{"  filter", "bits/key", "memory", "rate", "lines", "insert ns",
                                "absent ns", "abilities", "parameters"}};
  for (const Candidate& candidate : answer.comparison.candidates) {
    rows.push_back(row_of(answer, candidate));
  }
  std::string heading = "\nWhich filter (* none is better in every respect";
  std::string times = "medians of " + answer.calibration;
  if (answer.calibration.empty()) {
    times = "not measured on this machine (bloomlab bench --calibrate measures them)";
  }
  if (!answer.reference.empty()) {
    heading += "; ns on " + short_processor(answer.reference_processor);
    times = "the reference run's, " + short_processor(answer.reference_processor) +
            ", by memory at 10 bits per key; " + times;
  }
  return heading + ")\n" + aligned(rows) +
         "lines: cache lines that a lookup of an absent/present key reads; times: " + times + "\n" +
         answer.comparison.recommendation + "\n";
}

std::string growth_plan_text(const planner::Plan& plan, const planner::GrowthPlan& growth) {
  std::ostringstream text;
  text << "\nOver the years, of a standard filter with m=" << plan.m << " k=" << plan.k << '\n'
       << lasts_text(plan, growth);
  text << "  year" << column("n", 16) << column("rate if kept", 14) << column("rebuilt", 14)
       << column("scalable", 14) << column("layers", 8) << column("folded", 14)
       << column("its rate", 14) << '\n';
  for (const GrowthYear& year : growth.table) {
    text << column(std::to_string(year.year), 6) << column(spaced(year.n), 16)
         << column(percent(year.kept_rate, 4), 14) << column(iec_text(year.rebuilt_bits, 4), 14)
         << column(iec_text(year.scalable_bits, 4), 14)
         << column(std::to_string(year.scalable_layers), 8)
         << column(iec_text(year.folded_bits, 4), 14) << column(percent(year.folded_rate, 4), 14)
         << '\n';
  }
  text << "  Rebuilt every year: " << spaced(growth.rebuilt_keys)
       << " keys are inserted again, and must be kept for it.\n"
       << "  Folded: " << iec_text(growth.large_bits, 4) << " with k = " << growth.large_k
       << ", made once for the last year, are served folded until needed.\n";
  return text.str();
}

std::string lsm_text(const planner::LsmSplit& split) {
  std::ostringstream text;
  text << "\nOver the levels of an LSM tree, standard filters, the smallest first\n"
       << "  level" << column("n", 20) << column("bits/key", 14) << column("equal rate", 15)
       << column("bits/key", 14) << column("best rate", 15) << '\n';
  std::size_t number = 0;
  for (const planner::LsmLevel& level : split.levels) {
    const auto per_key = [&](std::uint64_t bits) {
      return significant(static_cast<double>(bits) / static_cast<double>(level.n), 4);
    };
    text << column(std::to_string(++number), 7) << column(spaced(level.n), 20)
         << column(per_key(level.equal_bits), 14) << column(percent(level.equal_rate, 3), 15)
         << column(per_key(level.best_bits), 14) << column(percent(level.best_rate, 3), 15) << '\n';
  }
  text << broken("  False reads per lookup of an absent key: " + significant(split.equal_reads, 4) +
                     " with equal bits per key, " + significant(split.best_reads, 4) +
                     " with the best split (at least one: " + percent(split.equal_any, 3) + ", " +
                     percent(split.best_any, 3) + ")\n",
                 4)
       << "  The best split has the reads of the equal one in "
       << iec_text(split.bits_for_equal_reads, 4) << '\n';
  return text.str();
}

std::string rotation_text(const planner::Rotation& rotation) {
  return broken(
      plan_line("window", std::to_string(rotation.filters) +
                              " standard filters in turn, each m=" + std::to_string(rotation.m) +
                              " k=" + std::to_string(rotation.k) + " for " +
                              keys_text(rotation.keys) + ": " + iec_text(rotation.memory_bits, 4) +
                              ", rate " + significant(rotation.rate, 4) +
                              " of all; when one is full, the oldest is emptied"),
      16);
}

/// A range of n, a window, and what comes of many lookups of absent keys: where they were asked
/// for.
std::string lookups_text(const PlanAnswer& answer) {
  const double rate = answer.rate();
  std::string text;
  if (answer.fewest_items) {
    const double fewest = answer.rate_at(*answer.fewest_items);
    text += plan_line("fewer keys", "rate " + significant(fewest, 4) + ", " + one_in_text(fewest) +
                                        ", with " + keys_text(*answer.fewest_items));
  }
  if (answer.rotation) text += rotation_text(*answer.rotation);
  if (answer.lookups_per_second) {
    text += plan_line("at that rate", significant(rate * *answer.lookups_per_second, 3) +
                                          " false positives a second, if all " +
                                          parameter_text(*answer.lookups_per_second) +
                                          " lookups a second are of absent keys");
  }
  if (answer.batch) {
    text +=
        plan_line("in a batch", percent(planner::any_of(rate, *answer.batch), 3) +
                                    " chance of at least one among " + keys_text(*answer.batch) +
                                    (*answer.batch == 1 ? " that is absent" : " that are absent"));
  }
  if (answer.shards) {
    text += broken(
        plan_line("in turn", percent(planner::any_of(rate, *answer.shards), 3) +
                                 " chance that one of " + std::to_string(*answer.shards) +
                                 " such filters reports an absent key; each at " +
                                 significant(planner::each_of(answer.plan.p, *answer.shards), 4) +
                                 " keeps " + planner::rate_text(answer.plan.p)),
        16);
  }
  return text;
}

/// Break-even, years and levels, where they were asked for.
std::string asked_text(const PlanAnswer& answer) {
  std::string text;
  if (answer.break_even) text += break_even_text(answer);
  if (answer.growth) text += growth_plan_text(answer.plan, *answer.growth);
  if (answer.levels) text += lsm_text(*answer.levels);
  return text;
}

std::optional<std::pair<planner::Timing, std::string>> timing_of(const PlanAnswer& answer,
                                                                 const Candidate& one) {
  if (one.timing) return std::pair{*one.timing, std::string("measured on this machine")};
  const auto reference = answer.reference.find(one.filter);
  if (reference == answer.reference.end()) return std::nullopt;
  return std::pair{reference->second,
                   "reference run, " + short_processor(answer.reference_processor)};
}

std::string time_text(const PlanAnswer& answer, const Candidate& taken) {
  const auto timing = timing_of(answer, taken);
  if (!timing) {
    return "not measured; " + significant(taken.lines.absent, 2) + " to " +
           significant(taken.lines.present, 2) + " cache lines a lookup";
  }
  return significant(timing->first.absent_ns, 3) + " ns per absent key, " +
         significant(timing->first.insert_ns, 3) + " ns per insert; " + timing->second;
}

/// A line that a shell reads as one, broken where it is long.
std::string command_line(std::string_view name, const std::string& command) {
  constexpr std::size_t longest = 100;
  constexpr std::size_t indent = 18;
  const std::string end = " \\\n";
  std::string text = plan_line(name, command);
  for (std::size_t begin = 0; text.size() - begin > longest + 1;) {
    const std::size_t space = text.rfind(' ', begin + longest - 2);
    if (space == std::string::npos || space <= begin + indent) break;
    text.replace(space, 1, end + std::string(indent, ' '));
    begin = space + end.size();
  }
  return text;
}

/// The command that judges the filter, where it is one of bits.
std::string judging_command(const PlanAnswer& answer, const Candidate& taken) {
  std::string command = "bloomlab judge";
  if (taken.filter != "standard") command += " filter=" + taken.filter;
  command += " n=" + std::to_string(answer.plan.n) + " " + shown_parameters(taken, true);
  if (answer.plan.rate_requested) command += " p=" + record::shortest(answer.plan.p);
  return command;
}

bool has_bits(const Candidate& one) {
  return std::ranges::find(one.parameters, "m", &planner::ParameterValue::name) !=
         one.parameters.end();
}

/// What a standard filter would take, and its rate.
std::string standard_text(const Plan& plan) {
  std::string text = "m=" + std::to_string(plan.m) + " k=" + std::to_string(plan.k) + ": " +
                     significant(plan.bits_per_key(), 3) + " bits per key, ";
  if (plan.m > max_filter_bits) text += iec_text(plan.memory_bits, 4) + ", ";
  return text + "rate " + significant(plan.rate, 3);
}

/// What would change the answer, a line each.
std::string otherwise_text(const PlanAnswer& answer) {
  constexpr std::size_t width = 32;
  const auto line = [width](const std::string& condition, const std::string& text) {
    return broken("  " + condition + std::string(width - std::min(width, condition.size()), ' ') +
                      text + "\n",
                  width + 3);
  };
  std::string text;
  if (!takes_the_plan(answer)) {
    const Plan& plan = answer.plan;
    text += line("a standard filter has to do", " " + standard_text(plan));
  }
  for (const planner::Alternative& one : answer.comparison.otherwise) {
    text += line(one.condition, " " + one.filter + ": " + one.figures);
  }
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  if (answer.plan.n < 10 || answer.plan.n > most || !answer.recommended()) return text;
  if (!(answer.rate() > 0.0)) return text;
  for (const auto& [condition, keys] :
       {std::pair{"there are 10 % more keys", answer.plan.n + answer.plan.n / 10},
        std::pair{"there are twice as many keys", 2 * answer.plan.n}}) {
    const double rate = answer.rate_at(keys);
    text +=
        line(condition, " rate " + significant(rate, 4) + ", " + ratio_text(rate / answer.rate()));
  }
  return text;
}

}  // namespace

std::string plan_text(const PlanAnswer& answer) {
  const Plan& plan = answer.plan;
  const Candidate* taken = answer.recommended();
  std::string text = answer.comparison.recommendation + "\n";
  if (taken != nullptr) {
    text = broken("Take " + taken->filter + (taken->parameters.empty() ? "" : " ") +
                      shown_parameters(*taken, true) + request_text(plan),
                  2);
    text += plan_line("memory", iec_text(taken->memory_bits) + ", " +
                                    significant(taken->bits_per_key, 5) + " bits per key");
    text += plan_line("rate", significant(taken->rate, 6) + ", " + one_in_text(taken->rate));
    text += plan_line("time", time_text(answer, *taken));
    if (has_bits(*taken)) text += command_line("check it", judging_command(answer, *taken));
    text += broken(plan_line("why", answer.comparison.reason), 16);
  } else {
    text += broken(plan_line("standard", standard_text(plan)), 16);
  }
  text += lookups_text(answer);
  for (const std::string& warning : plan.warnings) {
    text += broken("warning: " + warning + "\n", 2);
  }
  // A screen has the room for one of the two.
  const std::string asked = asked_text(answer);
  const std::string other = asked.empty() ? otherwise_text(answer) : "";
  if (!other.empty()) text += "If\n" + other;
  return text + asked +
         "--all: every filter with its cost, and what a wrong guess of n, k or m does\n";
}

std::string whole_plan_text(const PlanAnswer& answer) {
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
  text += lookups_text(answer);
  return text + asked_text(answer);
}

}  // namespace bloomlab::cli
