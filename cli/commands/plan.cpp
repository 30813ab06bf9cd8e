// bloomlab plan: the filter for what is known of keys, rate, size and probes.

#include "analysis/planner/plan.hpp"

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "analysis/planner/units.hpp"
#include "cli/command.hpp"
#include "cli/plan/answer.hpp"
#include "core/parameters.hpp"

namespace bloomlab::cli {
namespace {

namespace planner = analysis::planner;

struct PlanOptions {
  std::string items;
  std::string fpr;
  std::string bits;
  std::string probes;
  std::string memory;
  bool compatible = false;
  bool json = false;
};

std::optional<std::uint64_t> count_of(std::string_view option, const CLI::Option* given,
                                      const std::string& text, std::string_view things,
                                      std::uint64_t most = planner::largest_quantity) {
  if (given->empty()) return std::nullopt;
  return planner::parse_count(option, text, things, most);
}

/// The options as CLI11 knows them: whether they were given.
struct Given {
  const CLI::Option* items = nullptr;
  const CLI::Option* fpr = nullptr;
  const CLI::Option* bits = nullptr;
  const CLI::Option* probes = nullptr;
  const CLI::Option* memory = nullptr;
};

planner::Request request_of(const PlanOptions& options, const Given& given) {
  planner::Request request;
  request.n = count_of("--items", given.items, options.items, "keys");
  request.m = count_of("--bits", given.bits, options.bits, "bits");
  request.k = count_of("--probes", given.probes, options.probes, "probes", max_probes);
  if (!given.fpr->empty()) request.p = planner::parse_probability("--fpr", options.fpr);
  if (!given.memory->empty()) {
    request.memory_bits = planner::parse_memory("--memory", options.memory);
  }
  if (options.compatible) request.mode = planner::Mode::compatible;
  return request;
}

int answer_plan(const PlanOptions& options, const Given& given) {
  PlanAnswer answer;
  answer.plan = planner::plan(request_of(options, given));
  if (options.json) {
    std::cout << plan_json(answer).dump(2) << '\n';
  } else {
    std::cout << plan_text(answer);
  }
  return done;
}

}  // namespace

Action add_plan(CLI::App& parser) {
  auto options = std::make_shared<PlanOptions>();
  Given given;
  given.items =
      parser.add_option("-n,--items", options->items, "Distinct keys: 10000000, 1e7, 10M");
  given.fpr = parser.add_option("-p,--fpr", options->fpr,
                                "False-positive rate: 1e-4, 0.01%, \"1 in 1000000\"");
  given.bits = parser.add_option("-m,--bits", options->bits, "Size of the filter in bits");
  given.probes = parser.add_option("-k,--probes", options->probes, "Probes per key");
  given.memory = parser.add_option("--memory", options->memory,
                                   "Size with its unit: 64MiB, 64MB, 64Mb, 4096bits");
  parser.add_flag("--compatible", options->compatible,
                  "The m and k of the calculators on the web, and by how much they miss the rate");
  parser.add_flag("--json", options->json, "Print the same as JSON");
  parser.footer(
      "Give two of --items, --fpr and --bits (or --memory), and --probes if you like; the rest is\n"
      "solved for. By default the answer is guaranteed: the smallest m whose exact rate is at "
      "most\n"
      "the one asked for, with the best k.\n"
      "Example: bloomlab plan --items 10M --fpr 0.01%");
  return [options, given] { return answer_plan(*options, given); };
}

}  // namespace bloomlab::cli
