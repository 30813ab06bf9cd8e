// bloomlab run CONFIG... --out DIR: measures.

#include "experiments/run.hpp"

#include <charconv>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/confirmation.hpp"
#include "cli/launches.hpp"
#include "cli/max_memory.hpp"
#include "cli/progress_printer.hpp"
#include "experiments/config.hpp"
#include "record/input_error.hpp"
#include "record/shards.hpp"

namespace bloomlab::cli {
namespace {

struct RunOptions {
  std::vector<std::string> configs;
  std::string out;
  std::optional<std::string> shard;
  std::optional<std::string> only;
  std::optional<std::string> max_memory;
  unsigned jobs = 0;
  bool force = false;
};

bool parse_number(std::string_view text, std::uint64_t& value) {
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc() && stop == text.data() + text.size();
}

/// An empty text, as an unset variable of a shell gives it, is no choice.
void require_text(const char* option, const std::string& text, const char* allowed) {
  if (!text.empty()) return;
  throw record::InputError(std::string(option) + ": found an empty text; " + allowed +
                           " is allowed");
}

experiments::Shard parse_shard(const std::string& text) {
  const auto slash = text.find('/');
  experiments::Shard shard;
  if (slash == std::string::npos || !parse_number(text.substr(0, slash), shard.index) ||
      !parse_number(text.substr(slash + 1), shard.count) || shard.index < 1 ||
      shard.index > shard.count) {
    throw record::InputError("--shard: found \"" + text +
                             "\"; I/N with 1 <= I <= N is allowed, such as 2/3");
  }
  return shard;
}

/// Refuses the names under which the results of other configs go.
void require_own_name(const experiments::Config& config) {
  const bool is_shard = record::shard_name(config.stem() + ".json").has_value();
  if (!is_shard && !config.stem().ends_with(".confirmation")) return;
  throw record::InputError(config.path.string() + ": its result would go where " +
                           (is_shard ? "a shard" : "the confirmation") +
                           " of another config goes; rename the config");
}

std::vector<experiments::Config> read_all(const std::vector<std::string>& paths,
                                          const experiments::Machine& machine) {
  std::vector<experiments::Config> configs;
  for (const std::string& path : paths) {
    configs.push_back(experiments::read_config(path, machine));
    require_own_name(configs.back());
    for (std::size_t i = 0; i + 1 < configs.size(); ++i) {
      if (configs[i].stem() == configs.back().stem()) {
        throw record::InputError(path + ": its results would overwrite those of " +
                                 configs[i].path.string() +
                                 ", which has the same file name; rename one, or run them with "
                                 "different --out");
      }
    }
  }
  return configs;
}

void print(const experiments::RunOutcome& outcome, double elapsed) {
  std::cout << outcome.message();
  if (outcome.status == experiments::RunOutcome::Status::measured) {
    std::cout << " in " << duration_text(elapsed);
  }
  std::cout << '\n';
  for (const std::string& notice : outcome.notices) std::cout << "  note: " << notice << '\n';
  std::cout.flush();
}

template <class Work>
auto timed(Work work) {
  const auto start = std::chrono::steady_clock::now();
  auto result = work();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return std::pair(std::move(result), elapsed.count());
}

void run_one(const experiments::Config& config, experiments::RunOptions options) {
  const auto [outcome, elapsed] = timed([&] {
    ProgressPrinter printer(config.stem());
    options.progress = [&](const experiments::Progress& progress) { printer.show(progress); };
    return experiments::run(config, options);
  });
  print(outcome, elapsed);
  if (options.shard) return;
  const auto [confirmed, confirming] = timed([&] {
    ProgressPrinter printer(config.stem() + " (confirming flags)");
    options.progress = [&](const experiments::Progress& progress) { printer.show(progress); };
    return confirm(config, outcome, options);
  });
  if (confirmed) print(*confirmed, confirming);
}

int run_all(const RunOptions& options) {
  experiments::RunOptions run_options;
  run_options.out = options.out;
  run_options.jobs = options.jobs;
  require_text("--out", options.out, "the name of a folder");
  if (options.shard) run_options.shard = parse_shard(*options.shard);
  if (options.only) require_text("--only", *options.only, "a part of a cell's compact JSON");
  run_options.only = options.only;
  run_options.force = options.force;
  run_options.max_memory_bytes = max_memory_bytes(options.max_memory);
  launch_this_program(run_options);
  // Every config is read before the first is run, so that a fault in the last costs nothing.
  const auto machine = experiments::Machine::here(run_options.max_memory_bytes);
  for (const experiments::Config& config : read_all(options.configs, machine)) {
    run_one(config, run_options);
  }
  return done;
}

}  // namespace

Action add_run(CLI::App& parser) {
  auto options = std::make_shared<RunOptions>();
  parser.add_option("configs", options->configs, "Configs to run")->required();
  parser.add_option("--out", options->out, "Folder of the result files; made if missing")
      ->required();
  parser.add_option("--jobs", options->jobs, "Threads that measure; default: all processors")
      ->check(CLI::Range(1U, 4096U));
  parser.add_option("--shard", options->shard, "Measure only share I of N, written I/N");
  parser.add_option("--only", options->only,
                    "Measure only cells whose compact JSON contains this text");
  add_max_memory(parser, options->max_memory);
  parser.add_flag("--force", options->force, "Measure again what is there already");
  parser.footer(
      "An interrupted run continues where it was. Counts are the same for every --jobs, order,\n"
      "shard and resume. Cells that deviate from theory are measured once more, with other seeds\n"
      "and ten times the queries, into DIR/STEM.confirmation.json.");
  return [options] { return run_all(*options); };
}

}  // namespace bloomlab::cli
