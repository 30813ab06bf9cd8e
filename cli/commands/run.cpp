// bloomlab run CONFIG... --out DIR: measures.

#include "experiments/engine/run.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "analysis/compare/verdicts.hpp"
#include "analysis/data/measurement.hpp"
#include "analysis/data/with_statistics.hpp"
#include "analysis/data/with_theory.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/process_runs.hpp"
#include "cli/project_files.hpp"
#include "cli/slurm.hpp"
#include "cli/terminal.hpp"
#include "experiments/config/config.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/estimate.hpp"
#include "experiments/engine/shard_set.hpp"
#include "experiments/engine/unit.hpp"
#include "record/input_error.hpp"
#include "record/json_view.hpp"
#include "record/result_file.hpp"
#include "record/sha256.hpp"
#include "record/shards.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;

/// Another seed that follows from the config's: the first 8 bytes of a SHA-256.
std::uint64_t other_seed(std::uint64_t seed) {
  const std::string digest = record::sha256_hex("bloomlab-confirmation-1\n" + std::to_string(seed));
  return std::stoull(digest.substr(0, 16), nullptr, 16);
}

bool is_flagged(const experiments::Cell& cell, const std::vector<analysis::FlaggedCell>& flagged) {
  if (flagged.empty()) return false;
  const record::Json json = cell.json();
  return std::any_of(flagged.begin(), flagged.end(),
                     [&](const analysis::FlaggedCell& flag) { return flag.cell == json; });
}

bool draws_anew(const experiments::Cell& cell) { return !cell.redrawn.empty(); }

bool is_complete(const record::ResultFile& file) {
  const auto complete = file.provenance.find("complete");
  return complete != file.provenance.end() && complete->is_boolean() && complete->get<bool>();
}

/// Whether a result of another config stands where this one's goes.
bool is_of_another(const experiments::Config& config, const fs::path& folder) {
  const fs::path path = folder / (config.stem() + ".json");
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown)) return false;
  try {
    return record::read_result_file(path).config != config.json;
  } catch (const record::InputError&) {
    return false;  // the run says that it cannot be read
  }
}

/// The config with confirmation_factor times the queries; as it was where its keys, its kind or the
/// machine do not give so many.
experiments::Config with_more_queries(const experiments::Config& config,
                                      const experiments::Machine& machine) {
  record::Json json = config.json;
  json["queries"] = json.at("queries").get<std::uint64_t>() * experiments::confirmation_factor;
  try {
    // Read again: the kind holds the number too.
    experiments::Config more = experiments::config_of(json, config.path, machine);
    more.pages = config.pages;
    return more;
  } catch (const record::InputError&) {
    return config;
  }
}

/// A config called STEM.confirmation with the flagged cells only, another seed that follows from
/// the config's, and confirmation_factor times the queries: as so many times the trials where a
/// trial draws keys or seeds anew, else as so many times the queries of its one trial.
/// Precondition: some cell is flagged.
experiments::Config confirmation_of(const experiments::Config& config,
                                    const std::vector<analysis::FlaggedCell>& flagged,
                                    const experiments::Machine& machine) {
  const auto keep_flagged = [&](experiments::Config& one) {
    std::erase_if(one.cells,
                  [&](const experiments::Cell& cell) { return !is_flagged(cell, flagged); });
  };
  experiments::Config second = config;
  second.path = config.directory() / (config.stem() + ".confirmation.json");
  second.seed = other_seed(config.seed);
  second.json["seed"] = second.seed;
  keep_flagged(second);
  if (std::all_of(second.cells.begin(), second.cells.end(), draws_anew)) {
    second.trials = config.trials * experiments::confirmation_factor;
    second.json["trials"] = second.trials;
  } else if (config.json.contains("queries")) {
    second = with_more_queries(second, machine);
    keep_flagged(second);
  }
  return second;
}

/// Confirms the flags of a complete result file, if there are any, into STEM.confirmation.json
/// beside it; where there are none, an old confirmation is removed. Nothing for an incomplete file.
/// @return what the confirmation run did, or nothing where none was needed
std::optional<experiments::RunOutcome> confirm(const experiments::Config& config,
                                               const experiments::RunOutcome& outcome,
                                               experiments::RunOptions options) {
  const std::string where = outcome.path.string();
  analysis::FlagSearch search(where);
  const record::ResultFile file =
      record::read_result_file(outcome.path, [&](const auto& cell) { search.add(cell); });
  if (!is_complete(file)) return std::nullopt;
  auto flagged = search.flagged(file.config);
  // Whether a filter from outside is right, its author tries again after each change.
  std::erase_if(flagged, [](const analysis::FlaggedCell& flag) {
    return analysis::is_from_outside(flag.cell);
  });
  if (flagged.empty()) {
    fs::remove(outcome.path.parent_path() / (config.stem() + ".confirmation.json"));
    return std::nullopt;
  }
  options.shard.reset();
  options.only.reset();
  const experiments::Config second =
      confirmation_of(config, flagged, experiments::Machine::here(options.max_memory_bytes));
  // One that was made for an earlier config has nothing left that it confirms.
  options.force = options.force || is_of_another(second, options.out);
  return experiments::run(second, options);
}

struct RunOptions {
  std::vector<std::string> configs;
  std::string out;
  std::optional<std::string> shard;
  std::optional<std::string> only;
  std::optional<std::string> max_memory;
  std::optional<double> timeout;
  std::optional<std::uint64_t> draw;
  std::optional<std::uint64_t> slurm;
  std::vector<std::string> sbatch;
  bool dry_run = false;
  unsigned jobs = 0;
  bool force = false;
  bool pages = false;
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

/// The config with the seed of another draw.
void draw_anew(std::uint64_t draw, experiments::Config& config) {
  config.seed = analysis::compare::replicated_seed(draw, config.seed);
  config.json["seed"] = config.seed;
}

std::vector<experiments::Config> read_all(const RunOptions& options,
                                          const experiments::Machine& machine) {
  std::vector<experiments::Config> configs;
  for (const std::string& path : options.configs) {
    configs.push_back(experiments::read_config(config_named(path), machine));
    require_own_name(configs.back());
    if (options.draw) draw_anew(*options.draw, configs.back());
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

/// What every task of a cluster is told too.
std::vector<std::string> shared_arguments(const RunOptions& options) {
  std::vector<std::string> words;
  const auto add = [&](const char* option, std::string value) {
    words.emplace_back(option);
    words.push_back(std::move(value));
  };
  if (options.max_memory) add("--max-memory", *options.max_memory);
  if (options.timeout) add("--timeout", record::shortest(*options.timeout));
  if (options.draw) add("--replicate", std::to_string(*options.draw));
  return words;
}

/// The command that goes on where this one ends. Without --force: it would begin anew.
std::string resuming_command(const RunOptions& options) {
  std::string text = "bloomlab run";
  for (const std::string& config : options.configs) text += " " + record::shell_word(config);
  text += " --out " + record::shell_word(options.out);
  if (options.slurm) text += " --slurm " + std::to_string(*options.slurm);
  for (const std::string& words : options.sbatch) text += " --sbatch " + record::shell_word(words);
  if (options.shard) text += " --shard " + record::shell_word(*options.shard);
  if (options.only) text += " --only " + record::shell_word(*options.only);
  if (options.jobs != 0) text += " --jobs " + std::to_string(options.jobs);
  for (const std::string& word : shared_arguments(options)) text += " " + record::shell_word(word);
  return text;
}

/// What is said when the run is interrupted.
std::string advice(const RunOptions& options, const experiments::Config& config,
                   const experiments::RunOptions& run_options, bool replaces_a_result) {
  const auto journal = experiments::journal_of(config, run_options);
  std::error_code unknown;
  const bool kept = std::filesystem::exists(journal, unknown);
  const std::string command = "`" + resuming_command(options);
  if (replaces_a_result) {
    return "the result from before stands; " + command + " --force` measures anew";
  }
  if (!kept) return command + "` goes on";
  return journal.string() + " keeps what is measured; " + command + "` goes on";
}

/// The threads that will measure.
unsigned threads_of(unsigned jobs, const experiments::Config& config) {
  if (config.by_process_runs()) return 1;
  return jobs != 0 ? jobs : std::max(1U, std::thread::hardware_concurrency());
}

/// @param confirms the run goes on to confirm what it flags
void say_estimate(const experiments::Config& config, const experiments::Estimate& estimate,
                  unsigned threads, bool confirms) {
  const std::scoped_lock lock(terminal_mutex());
  std::cerr << config.stem() << ": " << estimate.cells
            << (estimate.cells == 1 ? " cell, about " : " cells, about ")
            << duration_text(estimate.seconds / threads) << " by estimate";
  if (confirms && estimate.confirmation_seconds > 0) {
    std::cerr << ", and up to " << duration_text(estimate.confirmation_seconds / threads)
              << " to confirm the flags that it expects";
  }
  std::cerr << '\n';
  for (const std::string& note : estimate.notes) std::cerr << "  note: " << note << '\n';
}

/// Runs the config with its progress on standard error.
experiments::RunOutcome run_shown(const experiments::Config& config,
                                  experiments::RunOptions options) {
  const experiments::Estimate estimate = experiments::estimate(config);
  const unsigned threads = threads_of(options.jobs, config);
  const bool confirms = !options.shard && !options.only;
  ProgressPrinter printer(config.stem(), estimate.seconds / threads);
  bool said = false;
  options.progress = [&](const experiments::Progress& progress) {
    if (!std::exchange(said, true)) say_estimate(config, estimate, threads, confirms);
    printer.show(progress);
  };
  return experiments::run(config, options);
}

/// What of others' will be executed, before it is.
void say_foreign(const experiments::Config& config) {
  std::string text;
  for (const auto& [target, digest] : experiments::foreign_digests(config)) {
    text += (text.empty() ? "" : "; ") + target;
  }
  if (text.empty()) return;
  {
    const std::scoped_lock lock(terminal_mutex());
    const auto folder = config.directory();
    std::cerr << config.stem() << ": executes, in " << (folder.empty() ? "." : folder.string())
              << ": " << text << '\n';
  }
  say_not_isolated(config);
}

/// The cells that lack results, last of all: each by what distinguishes it, under its reason.
void say_lacking(const experiments::Config& config, std::span<const experiments::LackingCell> cells,
                 std::string& text) {
  std::string_view reason;
  for (const experiments::LackingCell& cell : cells) {
    if (cell.reason != reason) {
      reason = cell.reason;
      text += "bloomlab: " + config.stem() + ": no result: " + one_line(cell.reason) + "\n";
    }
    text += "  " + one_line(cell.label);
    if (cell.trials != config.trials) {
      text +=
          ": " + std::to_string(cell.trials) + " of " + std::to_string(config.trials) + " trials";
    }
    text += "\n";
  }
}

/// Returns the cells that lack results.
std::vector<experiments::LackingCell> run_one(const experiments::Config& config,
                                              const RunOptions& asked,
                                              experiments::RunOptions options) {
  if (!asked.pages) say_foreign(config);
  std::error_code unknown;
  const bool replaces =
      options.force && std::filesystem::exists(
                           std::filesystem::path(options.out) / (config.stem() + ".json"), unknown);
  const Interruption interruption([&] { return advice(asked, config, options, replaces); });
  const auto measured = timed([&] { return run_shown(config, options); });
  const experiments::RunOutcome& outcome = measured.first;
  print(outcome, measured.second);
  if (options.shard) return outcome.lacking;
  const auto [confirmed, confirming] = timed([&] {
    ProgressPrinter printer(config.stem() + " (confirming flags)");
    options.progress = [&](const experiments::Progress& progress) { printer.show(progress); };
    return confirm(config, outcome, options);
  });
  if (confirmed) print(*confirmed, confirming);
  return outcome.lacking;
}

/// Lets Slurm measure what lacks of the shards, or prints the script.
void run_by_slurm(const std::vector<experiments::Config>& configs, const RunOptions& options) {
  SlurmRun run;
  run.shards = *options.slurm;
  run.out = fs::absolute(options.out);
  run.jobs = options.jobs;
  run.options = options.sbatch;
  run.resuming = resuming_command(options);
  run.arguments = {"run"};
  for (const auto& config : configs) run.arguments.push_back(fs::absolute(config.path).string());
  run.arguments.insert(run.arguments.end(), {"--out", run.out.string()});
  for (std::string& word : shared_arguments(options)) run.arguments.push_back(std::move(word));
  run.lacking = [&] {
    std::set<std::uint64_t> lacking;
    for (const experiments::Config& config : configs) {
      for (const auto shard : lacking_shards(config, run.out, run.shards)) lacking.insert(shard);
    }
    return std::vector<std::uint64_t>(lacking.begin(), lacking.end());
  };
  check_slurm(run);
  if (!options.dry_run) return measure_by_slurm(run);
  if (const auto lacking = run.lacking(); !lacking.empty()) {
    std::cout << slurm_script(run, lacking);
  } else {
    std::cerr << "every shard is there: nothing would be submitted\n";
  }
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
  run_options.pages_only = options.pages;
  run_options.max_memory_bytes = max_memory_bytes(options.max_memory);
  run_options.timeout_seconds = options.timeout;
  use_process_runs(run_options);
  int status = done;
  std::string lacking;
  // Every config is read before the first is run, so that a fault in the last costs nothing.
  const auto machine = experiments::Machine::here(run_options.max_memory_bytes);
  const std::vector<experiments::Config> configs = read_all(options, machine);
  if (options.slurm) run_by_slurm(configs, options);
  if (options.dry_run) return done;
  for (const experiments::Config& config : configs) {
    try {
      say_lacking(config, run_one(config, options, run_options), lacking);
    } catch (const experiments::CellsTimedOut& fault) {
      std::cerr << "bloomlab: " << one_line(fault.what()) << '\n';
      status = failed;
    }
  }
  std::cerr << lacking;
  return lacking.empty() ? status : failed;
}

void add_slurm(CLI::App& parser, RunOptions& options) {
  CLI::Option* slurm = parser.add_option(
      "--slurm", options.slurm,
      "Let the cluster's Slurm measure N shards as tasks of an array, each with --jobs\n"
      "processors; follow it, submit again what ended without a result, at most three rounds\n"
      "in all, and merge. DIR is on a file system that all nodes share");
  slurm->check(CLI::Range(1U, 100000U));
  for (const char* other : {"--shard", "--only", "--pages", "--force"}) slurm->excludes(other);
  parser
      .add_option("--sbatch", options.sbatch,
                  "With --slurm: options of sbatch, such as \"--partition=long --time=2:00:00\"")
      ->allow_extra_args(false)
      ->needs(slurm);
  parser
      .add_flag("--dry-run", options.dry_run,
                "With --slurm: print the batch script and submit nothing")
      ->needs(slurm);
}

}  // namespace

Action add_run(CLI::App& parser) {
  auto options = std::make_shared<RunOptions>();
  parser
      .add_option("configs", options->configs,
                  "Configs to run: files, or names of `bloomlab list configs`")
      ->required();
  parser.add_option("--out", options->out, "Folder of the result files; made if missing")
      ->required();
  parser.add_option("--jobs", options->jobs, "Threads that measure; default: all processors")
      ->check(CLI::Range(1U, 4096U));
  parser.add_option("--shard", options->shard, "Measure only share I of N, written I/N");
  parser.add_option("--only", options->only,
                    "Measure only cells whose compact JSON contains this text");
  add_max_memory(parser, options->max_memory);
  parser
      .add_option("--timeout", options->timeout,
                  "Seconds that a cell may take; one that takes longer is named, the others are "
                  "measured")
      ->check(any_seconds());
  parser
      .add_option(
          "--replicate", options->draw,
          "Draw with other seeds, which follow from the configs' and this number; `bloomlab\n"
          "compare --replication` says which verdicts came out the same")
      ->check(fault_of_number);
  parser.add_flag("--pages", options->pages,
                  "Only bring the configs' pages, titles and questions into their results;\n"
                  "measure nothing");
  parser.add_flag(
      "--force", options->force,
      "Measure again what is there already, and replace results of another config of the\n"
      "name, or a file that is no result");
  add_slurm(parser, *options);
  parser.footer(
      "An interrupted run (exit status 130 or 143) continues where it was. Counts are the same for "
      "every --jobs, order,\n"
      "shard and resume. Cells that deviate from theory are measured once more, with other seeds\n"
      "and ten times the queries, into DIR/STEM.confirmation.json, but for filters from outside.\n"
      "Exit status 1 where a cell lacks results, which the last lines name.");
  return [options] { return run_all(*options); };
}

}  // namespace bloomlab::cli
