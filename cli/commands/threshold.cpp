// bloomlab threshold: how many false positives a test of a filter may allow.

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "planner/rate_test.hpp"
#include "planner/units.hpp"
#include "record/fields_json.hpp"
#include "record/number_text.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::cli {
namespace {

using record::Json;

struct ThresholdOptions {
  std::string fpr, trials;
  std::string alpha = "1e-6";
  std::string power = "0.9";
  std::optional<std::string> items, snippet;
  bool json = false;
};

planner::RateTest test_of(const ThresholdOptions& options) {
  constexpr std::uint64_t most = 1'000'000'000'000;
  planner::RateTest test;
  test.fpr = planner::parse_probability("--fpr", options.fpr);
  test.trials = planner::parse_count("--trials", options.trials, "absent keys", most);
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

std::string plan_text(const planner::RateTest& test, const planner::RateTestPlan& plan) {
  std::string text = "Assert at most " + planner::spaced(plan.max_false_positives) +
                     " false positives in " + planner::spaced(test.trials) + " absent keys.\n";
  text += "  false alarm  a filter of rate " + parameter_text(test.fpr) +
          " fails with probability " + significant(plan.false_alarm, 3) + "\n";
  if (plan.detected_factor) {
    text += "  detects      " + significant(*plan.detected_factor, 4) + " times that rate, " +
            significant(*plan.detected_rate, 3) + ", with probability " +
            parameter_text(test.power) + "\n";
  } else {
    text += "  detects      nothing: no higher rate fails with probability " +
            parameter_text(test.power) + "; ask for more absent keys\n";
  }
  for (const auto& one : plan.trials_needed) {
    text += "  for +" + percent(one.deviation, 2) + "     ";
    text += one.trials ? planner::spaced(*one.trials) + " absent keys\n"
                       : "no number is enough: filters differ by chance more than that; test "
                         "several, or a larger one\n";
  }
  return text;
}

int show_threshold(const ThresholdOptions& options) {
  const planner::RateTest test = test_of(options);
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
  parser.add_option("--fpr", options->fpr, "Rate that the filter has, such as 1%")->required();
  parser.add_option("--trials", options->trials, "Absent keys that the test asks for")->required();
  parser.add_option("--alpha", options->alpha,
                    "Most that a right filter may fail; 1e-6 unless given");
  parser.add_option("--items", options->items,
                    "Keys of the one filter that is tested: the spread of its own rate is in");
  parser.add_option("--power", options->power, "Power of what is called detected; 0.9");
  parser.add_option("--snippet", options->snippet, "Print a test: junit, go, pytest, jest or cpp");
  parser.add_flag("--json", options->json, "Print the same as JSON");
  parser.footer(
      "Examples: bloomlab threshold --fpr 1% --trials 10k --alpha 1e-6\n"
      "          bloomlab threshold --fpr 1% --trials 100k --items 1000 --snippet pytest");
  return [options] { return show_threshold(*options); };
}

}  // namespace bloomlab::cli
