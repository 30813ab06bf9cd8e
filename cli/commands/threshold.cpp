// bloomlab threshold: how many false positives a test of a filter may allow.

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "core/theory/rate_bound.hpp"
#include "planner/rate_test.hpp"
#include "planner/units.hpp"
#include "record/fields_json.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::cli {
namespace {

using record::Json;

struct ThresholdOptions {
  std::string fpr, trials;
  std::string alpha = "1e-6";
  std::string power = "0.9";
  std::optional<std::string> items, snippet, limit;
  bool json = false;
};

planner::RateTest test_of(const ThresholdOptions& options) {
  constexpr std::uint64_t most = 1'000'000'000'000;
  planner::RateTest test;
  test.fpr = planner::parse_probability("--fpr", options.fpr);
  test.trials = planner::parse_count("--queries", options.trials, "absent keys", most);
  test.alpha = planner::parse_probability("--alpha", options.alpha);
  test.power = planner::parse_probability("--power", options.power);
  if (options.items) test.items = planner::parse_count("--items", *options.items, "keys", most);
  return test;
}

Json plan_json(const planner::RateTest& test, const planner::RateTestPlan& plan) {
  const auto rate = plan.detected_factor ? plan.detected_rate : std::nullopt;
  return record::object("fpr", test.fpr, "trials", test.trials, "alpha", test.alpha, "items",
                        test.items > 0 ? Json(test.items) : Json(nullptr), "power", test.power,
                        "max_false_positives", plan.max_false_positives, "false_alarm",
                        plan.false_alarm, "detected_factor", plan.detected_factor, "detected_fpr",
                        rate, "trials_needed", plan.trials_needed);
}

/// What is detected: a rate, or nothing.
std::string detected_text(const planner::RateTest& test, std::optional<double> factor,
                          std::optional<double> rate) {
  if (!factor || !rate) {
    return "  detects      nothing: no higher rate fails with probability " +
           parameter_text(test.power) + "; ask for more absent keys\n";
  }
  return "  detects      " + significant(*factor, 4) + " times that rate, " +
         significant(*rate, 3) + ", with probability " + parameter_text(test.power) + "\n";
}

std::string asserted_text(std::uint64_t limit, std::uint64_t trials) {
  return "Assert at most " + planner::counted_text(limit, "false positive") + " in " +
         planner::counted_text(trials, "absent key") + ".\n";
}

/// Why no number of absent keys is given: there are more than are searched, or chance hides it.
std::string missing_trials(const planner::RateTest& test) {
  constexpr double few = 1e6;  // false positives in all keys that are searched
  if (test.items == 0 || test.fpr * static_cast<double>(theory::most_searched_trials) < few) {
    return "more than " + planner::spaced(theory::most_searched_trials) + " absent keys";
  }
  return "no number is enough: filters differ by more; test several, or a larger one";
}

std::string plan_text(const planner::RateTest& test, const planner::RateTestPlan& plan) {
  std::string text = asserted_text(plan.max_false_positives, test.trials);
  text += "  false alarm  a filter of rate " + planner::rate_text(test.fpr) +
          " fails with probability " + significant(plan.false_alarm, 3) + "\n";
  text += detected_text(test, plan.detected_factor, plan.detected_rate);
  for (const auto& one : plan.trials_needed) {
    text += "  for +" + percent(one.deviation, 2) + "     ";
    text += one.trials ? planner::counted_text(*one.trials, "absent key") : missing_trials(test);
    text += "\n";
  }
  return text;
}

/// 0 to the number of absent keys.
std::uint64_t limit_of(const std::string& text, std::uint64_t trials) {
  if (text == "0") return 0;
  try {
    return planner::parse_count("--limit", text, "false positives", trials);
  } catch (const record::InputError&) {
    throw record::InputError("--limit: found \"" + text +
                             "\"; a whole number of false positives from 0 to " +
                             std::to_string(trials) + ", the absent keys, is allowed");
  }
}

Json verdict_json(const planner::RateTest& test, std::uint64_t limit,
                  const planner::LimitVerdict& verdict) {
  return record::object("fpr", test.fpr, "trials", test.trials, "limit", limit, "items",
                        test.items > 0 ? Json(test.items) : Json(nullptr), "power", test.power,
                        "false_alarm", verdict.false_alarm, "detected_factor",
                        verdict.detected_factor, "detected_fpr", verdict.detected_rate,
                        "least_limits", verdict.least_limits);
}

std::string verdict_text(const planner::RateTest& test, std::uint64_t limit,
                         const planner::LimitVerdict& verdict) {
  std::string text = "\"At most " + planner::counted_text(limit, "false positive") + " in " +
                     planner::counted_text(test.trials, "absent key") + "\"\n";
  text += "  false alarm  a filter of rate " + planner::rate_text(test.fpr) +
          " fails with probability " + significant(verdict.false_alarm, 3);
  if (verdict.false_alarm >= 1e-4) text += ", " + percent(verdict.false_alarm, 3);
  text += "\n" + detected_text(test, verdict.detected_factor, verdict.detected_rate);
  for (const planner::LeastLimit& one : verdict.least_limits) {
    text += "  least limit  " + planner::spaced(one.limit) +
            " for alpha = " + parameter_text(one.alpha) + ": fails with probability " +
            significant(one.false_alarm, 3) + "\n";
  }
  return text;
}

int judge_limit(const ThresholdOptions& options, const planner::RateTest& test) {
  if (options.snippet) {
    throw record::InputError(
        "threshold: --snippet prints the bound for --alpha; leave out --limit");
  }
  const std::uint64_t limit = limit_of(*options.limit, test.trials);
  const planner::LimitVerdict verdict = planner::judge_limit(test, limit);
  print_answer(options.json, verdict_json(test, limit, verdict),
               verdict_text(test, limit, verdict));
  return done;
}

int show_threshold(const ThresholdOptions& options) {
  const planner::RateTest test = test_of(options);
  if (options.limit) return judge_limit(options, test);
  const planner::RateTestPlan plan = planner::plan_rate_test(test);
  if (options.snippet) {
    std::cout << planner::snippet(*options.snippet, test, plan);
  } else {
    print_answer(options.json, plan_json(test, plan), plan_text(test, plan));
  }
  return done;
}

}  // namespace

Action add_threshold(CLI::App& parser) {
  auto options = std::make_shared<ThresholdOptions>();
  parser.add_option("-p,--fpr", options->fpr, "Rate that the filter has, such as 1%")->required();
  parser.add_option("--queries,--trials", options->trials, "Absent keys that the test asks for")
      ->required();
  parser.add_option("--limit", options->limit,
                    "Judge a bound that a test has already: how often a right filter fails it");
  parser.add_option("--alpha", options->alpha,
                    "Most that a right filter may fail; 1e-6 unless given");
  parser.add_option("-n,--items", options->items,
                    "Keys of the one filter that is tested: the spread of its own rate is in");
  parser.add_option("--power", options->power, "Power of what is called detected; 0.9");
  parser.add_option("--snippet", options->snippet, "Print a test: junit, go, pytest, jest or cpp");
  parser.add_flag("--json", options->json, "Print the same as JSON");
  parser.footer(
      "Examples: bloomlab threshold --fpr 1% --queries 10k --alpha 1e-6\n"
      "          bloomlab threshold --fpr 1% --queries 100k --items 1000 --snippet pytest\n"
      "          bloomlab threshold --limit 3 --fpr 1% --queries 300");
  return [options] { return show_threshold(*options); };
}

}  // namespace bloomlab::cli
