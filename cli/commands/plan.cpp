// bloomlab plan: the filter for what is known of keys, rate, size and probes.

#include "planner/plan.hpp"

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/plot/gnuplot.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/plan/answer.hpp"
#include "cli/plan/calibration.hpp"
#include "cli/plan/experiment.hpp"
#include "cli/process_runs.hpp"
#include "cli/terminal.hpp"
#include "core/parameters.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"

namespace bloomlab::cli {
namespace {

/// An option is given where it is not std::nullopt.
struct PlanOptions {
  std::vector<std::string> quantities;
  std::optional<std::string> items, fpr, bits, probes, memory;
  std::optional<std::string> miss_cost, filter_cost, hit_ratio, lookups, memory_price;
  std::optional<std::string> calibration, emit_config, plot, keys, absent_keys, max_memory;
  std::optional<std::string> growth, years, levels, level_ratio, batch, shards, window;
  bool all = false;
  bool compatible = false;
  bool verify = false;
  bool yes = false;
  bool json = false;
};

/// Takes n=10M p=0.01%, as `judge` and `system` do, for the options of the same meaning.
void take_quantities(PlanOptions& options) {
  Assignments given("plan", options.quantities);
  const auto take = [&](const char* name, const char* option, std::optional<std::string>& value) {
    auto text = given.take(name);
    if (!text) return;
    if (value) {
      throw record::InputError(std::string("plan: ") + name + "=" + *text + " and " + option + " " +
                               *value + " are the same quantity; give one of them");
    }
    value = std::move(text);
  };
  take("n", "--items", options.items);
  take("p", "--fpr", options.fpr);
  take("fpr", "--fpr", options.fpr);
  take("m", "--bits", options.bits);
  take("k", "--probes", options.probes);
  take("memory", "--memory", options.memory);
  given.require_known({"n", "p", "fpr", "m", "k", "memory"});
}

std::optional<std::uint64_t> count_of(std::string_view option,
                                      const std::optional<std::string>& text,
                                      std::string_view things,
                                      std::uint64_t most = planner::largest_quantity) {
  if (!text) return std::nullopt;
  return things == "bits" ? planner::parse_bits(option, *text, most)
                          : planner::parse_count(option, *text, things, most);
}

/// Keys, as a number or as a range, 1M..5M.
struct Items {
  std::optional<std::uint64_t> fewest;
  std::uint64_t most = 0;
};

Items items_of(const std::string& text) {
  constexpr std::string_view to = "..";
  const auto parse = [](const std::string& part) {
    return planner::parse_count("--items", part, "keys");
  };
  const std::size_t at = text.find(to);
  if (at == std::string::npos) return {std::nullopt, parse(text)};
  const Items items{parse(text.substr(0, at)), parse(text.substr(at + to.size()))};
  if (*items.fewest > items.most) {
    throw record::InputError("--items: found \"" + text +
                             "\"; the fewest keys come first, such as 1M..5M");
  }
  return items;
}

planner::Request request_of(const PlanOptions& options) {
  planner::Request request;
  if (options.items) request.n = items_of(*options.items).most;
  request.m = count_of("--bits", options.bits, "bits");
  request.k = count_of("--probes", options.probes, "probes", max_probes);
  if (options.fpr) request.p = planner::parse_probability("--fpr", *options.fpr);
  if (options.memory) request.memory_bits = planner::parse_memory("--memory", *options.memory);
  if (options.compatible) request.mode = planner::Mode::compatible;
  return request;
}

/// The calibration that was named, or the default one where there is one.
std::optional<Calibration> calibration_of(const PlanOptions& options) {
  if (options.calibration) return read_calibration(*options.calibration);
  const std::filesystem::path path = calibration_path();
  if (!std::filesystem::exists(path)) return std::nullopt;
  return read_calibration(path);
}

void add_break_even(const PlanOptions& options, PlanAnswer& answer) {
  if (!options.miss_cost) {
    for (const auto& [given, name] :
         {std::pair{options.filter_cost.has_value(), "--filter-cost"},
          std::pair{options.hit_ratio.has_value(), "--hit-ratio"},
          std::pair{options.memory_price.has_value(), "--memory-price"}}) {
      if (given) {
        throw record::InputError(std::string("plan: ") + name +
                                 " is given without --miss-cost; say what a lookup in the store "
                                 "costs, such as --miss-cost 5ms");
      }
    }
    return;
  }
  planner::StoreCosts costs;
  costs.miss_cost_ns = planner::parse_duration_ns("--miss-cost", *options.miss_cost);
  if (options.hit_ratio) costs.hit_ratio = planner::parse_share("--hit-ratio", *options.hit_ratio);
  if (options.lookups) {
    costs.lookups_per_second = planner::parse_frequency("--lookups", *options.lookups);
  }
  if (options.memory_price) {
    costs.price_per_bit = planner::parse_price_per_bit("--memory-price", *options.memory_price);
  }
  const FilterCost cost =
      filter_cost_of(options.filter_cost.value_or("auto"), answer.comparison, costs.hit_ratio);
  costs.filter_cost_ns = cost.ns;
  answer.filter_cost = cost.source;
  answer.costs = costs;
  const planner::Candidate* filter = answer.recommended();
  answer.break_even =
      planner::break_even(answer.plan.n, filter ? filter->rate : answer.plan.rate, costs);
}

/// Times of another machine: they are shown, and decide nothing.
void add_reference(PlanAnswer& answer) {
  const Calibration reference = reference_calibration();
  answer.reference_processor = reference.processor;
  for (const planner::Candidate& one : answer.comparison.candidates) {
    if (!one.available()) continue;
    if (const auto timing = reference.timing_of(one)) answer.reference[one.filter] = *timing;
  }
}

PlanAnswer answer_of(const PlanOptions& options) {
  PlanAnswer answer;
  answer.plan = planner::plan(request_of(options));
  const std::optional<Calibration> calibration = calibration_of(options);
  planner::TimingOf timing;
  if (calibration) {
    answer.calibration = calibration->path.string();
    timing = [&](const planner::Candidate& one) { return calibration->timing_of(one); };
  }
  answer.comparison = planner::compare_for(answer.plan, timing);
  if (!calibration) add_reference(answer);
  answer.sensitivity = planner::sensitivity_of(answer.plan);
  if (options.lookups) {
    answer.lookups_per_second = planner::parse_frequency("--lookups", *options.lookups);
  }
  answer.batch = count_of("--batch", options.batch, "keys");
  answer.shards = count_of("--shards", options.shards, "filters");
  if (options.items) answer.fewest_items = items_of(*options.items).fewest;
  if (const auto shares = count_of("--window", options.window, "filters", 1000)) {
    answer.rotation = planner::rotation(answer.plan.n, answer.plan.p, *shares);
  }
  add_break_even(options, answer);
  return answer;
}

const planner::Candidate& recommended(const PlanAnswer& answer) {
  if (const planner::Candidate* filter = answer.recommended()) return *filter;
  throw record::InputError(
      "plan: no filter of the catalogue reaches this goal; there is none to "
      "build or to write a config for");
}

/// Hours of work are not begun without a word: asks where there is somebody to answer.
void require_consent(double keys) {
  constexpr double asked_from = 1e11;  // about an hour
  constexpr double keys_per_second = 3e7;
  if (keys < asked_from) return;
  const std::string work = "--verify: inserts and looks up about " + significant(keys, 2) +
                           " keys, which takes about " + duration_text(keys / keys_per_second);
  if (isatty(STDIN_FILENO) == 1) {
    std::cerr << "bloomlab: " << work << ". Go on? [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    if (answer == "y" || answer == "Y" || answer == "yes") return;
    throw record::InputError("--verify: not begun");
  }
  throw record::InputError(work + "; add --yes to begin, or plan for fewer keys");
}

std::optional<Verification> verification_of(const PlanOptions& options, const PlanAnswer& answer) {
  if (!options.verify) {
    if (options.max_memory) {
      throw record::InputError("plan: --max-memory is for --verify; add it");
    }
    if (options.keys || options.absent_keys) {
      throw record::InputError("plan: --keys and --absent-keys are for --verify; add it");
    }
    return std::nullopt;
  }
  if (options.absent_keys && !options.keys) {
    throw record::InputError("plan: --absent-keys is given without --keys; give both, or neither");
  }
  VerifyRequest request{.goal = planner::goal_of(answer.plan), .filter = recommended(answer)};
  request.keys_file = options.keys.value_or("");
  request.absent_keys_file = options.absent_keys.value_or("");
  request.max_memory_bytes = max_memory_bytes(options.max_memory);
  if (request.keys_file.empty() && !options.yes) require_consent(verification_keys(request));
  return verify(request);
}

/// The years and the levels, where they were asked for.
void add_outlook(const PlanOptions& options, PlanAnswer& answer) {
  const planner::Plan& plan = answer.plan;
  if (options.years && !options.growth) {
    throw record::InputError("plan: --years is for --growth; give both, such as --growth 50%/year");
  }
  if (options.level_ratio && !options.levels) {
    throw record::InputError("plan: --level-ratio is for --levels; give both");
  }
  if (options.growth) {
    answer.growth =
        planner::growth_plan(plan, planner::parse_growth("--growth", *options.growth),
                             count_of("--years", options.years, "years", 100).value_or(5));
  }
  if (const auto levels = count_of("--levels", options.levels, "levels", 30)) {
    const auto ratio = count_of("--level-ratio", options.level_ratio, "", 1000).value_or(10);
    if (*levels < 2 || ratio < 2) {
      throw record::InputError("plan: --levels and --level-ratio are at least 2");
    }
    answer.levels = planner::lsm_split(plan.n, plan.m, *levels, ratio);
  }
}

int answer_plan(const PlanOptions& options) {
  PlanAnswer answer = answer_of(options);
  add_outlook(options, answer);
  const std::optional<Verification> verified = verification_of(options, answer);
  if (options.emit_config) {
    emit_config(*options.emit_config, experiment_config(recommended(answer), answer.plan.n),
                "this plan");
  }
  if (options.plot) {
    for (const auto& figure : plan_figures(answer)) analysis::plot::draw(figure, *options.plot);
  }
  record::Json json = options.json ? plan_json(answer) : record::Json();
  if (options.json && verified) json["verification"] = verification_json(*verified);
  print_answer(options.json, json,
               (options.all ? whole_plan_text(answer) : plan_text(answer)) +
                   (verified ? verification_text(*verified) : ""));
  return !verified || verified->holds() ? done : failed;
}

void add_store_options(CLI::App& parser, PlanOptions& options) {
  parser.add_option("--miss-cost", options.miss_cost,
                    "Break-even: time of a lookup in the store behind the filter, such as 5ms");
  parser.add_option("--filter-cost", options.filter_cost,
                    "Time of a lookup in the filter, such as 30ns; auto (the default): as measured "
                    "by bench --calibrate, else 100 ns a cache line");
  parser.add_option("--hit-ratio", options.hit_ratio,
                    "Share of lookups for keys that are present: 0.3 or 30%; default 0");
  parser.add_option("--lookups", options.lookups,
                    "Lookups a second, such as 20k/s: false positives a second, if all are of "
                    "absent keys");
  parser.add_option("--memory-price", options.memory_price,
                    "Price of memory in seconds of the store a second, such as 0.05/GiB");
}

void add_output_options(CLI::App& parser, PlanOptions& options) {
  parser.add_option("--calibration", options.calibration,
                    "Times of this machine; default: what bench --calibrate wrote");
  parser.add_option("--emit-config", options.emit_config,
                    "Write an experiment that measures the recommended filter to this file");
  parser.add_option("--plot", options.plot,
                    "Draw the rate against n, m and k, the years and the break-even into this "
                    "folder");
  parser.add_flag("--verify", options.verify,
                  "Build the recommended filter and measure it; exit status 1 if it breaks its "
                  "promise");
  parser.add_flag("--yes", options.yes, "Verify without asking, however many keys it takes");
  parser.add_option("--keys", options.keys, "Verify with the lines of this file as keys");
  parser.add_option("--absent-keys", options.absent_keys,
                    "... and with the lines of this file as absent keys");
  add_max_memory(parser, options.max_memory);
  parser.add_flag("--all", options.all,
                  "Print every filter of the catalogue, and what a wrong guess of n, k or m does");
  parser.add_flag("--json", options.json, "Print all of it as JSON");
}

}  // namespace

Action add_plan(CLI::App& parser) {
  auto options = std::make_shared<PlanOptions>();
  parser.add_option("quantities", options->quantities,
                    "Two of n, p, and m or memory, as name=value, or by the options below; also k");
  parser.add_option("-n,--items", options->items,
                    "Distinct keys: 10000000, 1e7, 10M; or a range, 1M..5M");
  parser.add_option("-p,--fpr", options->fpr, "False-positive rate: 1e-4, 0.01%, \"1 in 1000000\"");
  parser.add_option("-m,--bits", options->bits, "Size of the filter in bits");
  parser.add_option("-k,--probes", options->probes, "Probes per key");
  parser.add_option("--memory", options->memory, "Size with its unit: 64MiB, 64MB, 64Mb, 4096bits");
  parser.add_flag("--compatible", options->compatible,
                  "The m and k of the calculators on the web, and by how much they miss the rate");
  parser.add_option(
      "--growth", options->growth,
      "How n grows, such as 50%/year: until when the bits last, and the years' table");
  parser.add_option("--years", options->years, "Years of that table; default 5");
  parser.add_option(
      "--levels", options->levels,
      "Split the bits over so many levels of an LSM tree, for the fewest false reads");
  parser.add_option("--level-ratio", options->level_ratio,
                    "How many times the keys of the level above a level has; default 10");
  parser.add_option("--batch", options->batch,
                    "Absent keys looked up together: the chance that at least one is reported");
  parser.add_option("--shards", options->shards,
                    "Such filters that a lookup asks in turn: the chance that one of them reports "
                    "an absent key");
  parser.add_option("--window", options->window,
                    "The last n keys of an endless stream must be known: filters that take turns, "
                    "so many\nand one that fills");
  add_store_options(parser, *options);
  add_output_options(parser, *options);
  parser.footer(
      "Give two of --items, --fpr and --bits (or --memory), and --probes if you like; the rest is\n"
      "solved for. By default the answer is guaranteed: the smallest m whose exact rate is at "
      "most\n"
      "the one asked for, with the best k.\n"
      "Example: bloomlab plan --items 10M --fpr 0.01%, or bloomlab plan n=10M p=0.01%");
  return [options] {
    take_quantities(*options);
    return answer_plan(*options);
  };
}

}  // namespace bloomlab::cli
