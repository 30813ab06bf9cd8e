// bloomlab bench [CONFIG...]: measures speeds and prints them; calibrates a machine.

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "analysis/kinds/speed_rows.hpp"
#include "analysis/report/section.hpp"
#include "analysis/tables/table.hpp"
#include "analysis/text/words.hpp"
#include "cli/arguments.hpp"
#include "cli/bench/calibration.hpp"
#include "cli/bench/summary.hpp"
#include "cli/bench/sweep.hpp"
#include "cli/command.hpp"
#include "cli/process_runs.hpp"
#include "cli/project_files.hpp"
#include "cli/terminal.hpp"
#include "experiments/config/config.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/run.hpp"
#include "record/atomic_file.hpp"
#include "record/fields_json.hpp"
#include "record/input_error.hpp"
#include "record/input_file.hpp"
#include "record/number_text.hpp"
#include "record/result_file.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::cli {
namespace {

/// What the command line says in place of a config.
struct SpeedOverrides {
  std::optional<std::uint64_t> n = {};             ///< keys; configs without n keep what they have
  std::optional<std::uint64_t> process_runs = {};  ///< trials of every row
};

namespace fs = std::filesystem;

/// The config with the overrides in it, and with its page.
experiments::Config overridden(const experiments::Config& config, const SpeedOverrides& overrides) {
  record::Json json = config.json;
  if (overrides.process_runs) json["trials"] = *overrides.process_runs;
  if (overrides.n && json["grid"].contains("n")) json["grid"]["n"] = *overrides.n;
  return with_json(config, json);
}

/// The speed configs of the folder configs/, or their small twins.
std::vector<std::string> usual_speed_configs(bool small) {
  const std::string folder = small ? "configs/smoke/" : "configs/speed/";
  std::vector<std::string> paths;
  for (const char* stem :
       {"throughput", "throughput_scale", "peers", "speed_bits", "speed_latency", "speed_cold",
        "speed_keys", "speed_calls", "speed_threads", "hash_speed", "construction",
        "speed_build_threads", "speed_atomic", "speed_deduplication"}) {
    paths.push_back(folder + stem + ".json");
  }
  return paths;
}

/// Reads the configs, with what is overridden in them. Throws record::InputError, also for a kind
/// that yields no speeds.
std::vector<experiments::Config> speed_configs(const std::vector<std::string>& paths,
                                               const SpeedOverrides& overrides) {
  std::vector<experiments::Config> configs;
  for (const std::string& path : paths) {
    experiments::Config config = experiments::read_config(config_named(path));
    if (!analysis::is_speed_kind(config.kind)) {
      throw record::InputError(path + ": /kind: found \"" + config.kind +
                               "\"; bench takes throughput, hash_speed, construction and "
                               "deduplication; use `bloomlab run` for this one");
    }
    if (overrides.n || overrides.process_runs) {
      config = overridden(config, overrides);
    }
    configs.push_back(std::move(config));
  }
  return configs;
}

using record::Json;
using record::object;

Json rate_json(const analysis::SpeedRate& rate) {
  Json json = object("hits", rate.hits, "queries", rate.queries, "measured", rate.value, "low",
                     rate.interval.low, "high", rate.interval.high, "theory", rate.expected,
                     "adjusted_p", rate.adjusted_p, "agrees", !rate.disagrees());
  if (std::isfinite(rate.detectable)) json["detectable"] = rate.detectable;
  return json;
}

Json row_json(const analysis::SpeedRow& row) {
  Json json = row.cell;
  json["process_runs"] = row.process_runs;
  json["available"] = row.available;
  json["times"] = Json::object();
  for (const auto& [name, time] : row.times) {
    json["times"][name] = object("ns_per_key", time.value, "low", time.interval.low, "high",
                                 time.interval.high, "process_runs", time.process_runs);
  }
  if (std::isfinite(row.bytes_per_key)) json["bytes_per_key"] = row.bytes_per_key;
  if (row.rate) json["rate"] = rate_json(*row.rate);
  if (row.structured) json["structured_rate"] = rate_json(*row.structured);
  return json;
}

/// {"rows": [{the cell's fields, "process_runs", "times": {name: {"ns_per_key", "low", "high",
/// "process_runs"}}, "bytes_per_key", "rate": {"hits", "queries", "measured", "low", "high",
/// "theory", "adjusted_p", "agrees", "detectable"}, "structured_rate": as "rate"}], "noise":
/// {"process_runs", "marked", "steal_ticks", "too_many"}, "conditions": provenance's "speed"}. What
/// a row does not have is left out.
Json speed_json(const analysis::SpeedRun& run, const Json& provenance) {
  Json json = {{"rows", Json::array()}};
  for (const analysis::SpeedRow& row : run.rows) json["rows"].push_back(row_json(row));
  json["noise"] =
      object("process_runs", run.noise.process_runs, "marked", run.noise.marked, "steal_ticks",
             run.noise.steal_ticks, "too_many", run.noise.are_too_many());
  if (provenance.contains("speed")) json["conditions"] = provenance.at("speed");
  return json;
}

struct BenchOptions {
  std::vector<std::string> configs;
  std::string out;
  SpeedOverrides overrides;
  bool quick = false;
  bool calibrate = false;
  bool sweep = false;
  bool all = false;
  bool json = false;
};

enum class Tuning { calibrated, built_in };

/// One config, measured anew in process runs of this very program.
record::ResultFile measured(const experiments::Config& config, const fs::path& out, Tuning tuning) {
  ProgressPrinter printer(config.stem());
  experiments::RunOptions options;
  options.out = out;
  options.force = true;
  use_process_runs(options);
  if (tuning == Tuning::built_in) options.calibration.clear();
  options.progress = [&](const experiments::Progress& progress) { printer.show(progress); };
  const experiments::RunOutcome outcome = experiments::run(config, options);
  return record::read_result_file(outcome.path);
}

void print_speeds(const record::ResultFile& file) {
  analysis::Experiment experiment;
  experiment.config = file.config;
  experiment.kind = file.config.value("kind", "");
  experiment.provenance = file.provenance;
  experiment.observations = file.observations;
  const std::string text = analysis::speeds_text(experiment);
  for (const record::Json& warning : file.provenance.at("speed").at("warnings")) {
    std::cout << "warning: " << warning.get<std::string>() << '\n';
  }
  std::cout << text << "\n\n";
  std::cout.flush();
}

/// Of few configs a sentence for each duration, the config's name in front; of more a line of a
/// table for each.
void print_answers(const std::string& stem, const analysis::SpeedRun& run, bool are_few) {
  const std::vector<SpeedAnswer> answers = speed_answers(run, are_few ? 3 : 1);
  if (answers.empty()) std::cout << stem << ": nothing to compare; see --all\n";
  for (const SpeedAnswer& answer : answers) {
    const std::string text = are_few ? stem + ": " + sentence(answer) : speed_line(stem, answer);
    std::cout << broken(text + "\n", 2);
  }
  std::cout.flush();
}

/// Said once, over all configs: the noise, and where the rest is.
void print_end(const analysis::Noise& noise, const fs::path& out) {
  std::cout << noise.marked << " of " << noise.process_runs << " process runs were noisy"
            << (noise.are_too_many() ? ": measure again when it is quiet\n" : "\n")
            << "brackets: 95 % confidence intervals; where one holds 1, not distinguished\n"
            << "bloomlab report " << out.string() << " draws them; --all prints every row\n";
}

int bench(const BenchOptions& options) {
  const std::vector<std::string> paths =
      options.configs.empty() ? usual_speed_configs(options.quick) : options.configs;
  const fs::path out = options.out.empty() ? fs::path("bench-results") : fs::path(options.out);
  const auto configs = speed_configs(paths, options.overrides);
  record::require_writable_folder(out, "--out");
  record::Json all = record::Json::object();
  analysis::Noise noise;
  bool holds = true;
  const bool are_few = configs.size() <= 3;
  if (!are_few && !options.json && !options.all) std::cout << speed_line_head() << std::endl;
  for (const experiments::Config& config : configs) {
    const record::ResultFile file = measured(config, out, Tuning::calibrated);
    const auto run = analysis::speed_run(file.config, file.observations, config.stem());
    if (options.json) {
      all[config.stem()] = speed_json(run, file.provenance);
    } else if (options.all) {
      std::cout << "# " << config.title << "\n\n";
      print_speeds(file);
    } else {
      print_answers(config.stem(), run, are_few);
    }
    noise.process_runs += run.noise.process_runs;
    noise.marked += run.noise.marked;
    noise.steal_ticks += run.noise.steal_ticks;
    for (const analysis::SpeedRow* row : run.wrong_rates()) {
      std::cerr << "bloomlab: " << config.stem() << ": the rate of " << row->implementation()
                << " disagrees with its closed form\n";
    }
    holds = holds && run.wrong_rates().empty() && !run.noise.are_too_many();
  }
  if (options.json) std::cout << all.dump(2) << '\n';
  if (!options.json && !options.all) print_end(noise, out);
  return holds ? done : failed;
}

/// Where the calibration goes. Throws record::InputError where nothing says so.
fs::path calibration_target(const BenchOptions& options) {
  fs::path path = options.out.empty() ? calibration_path() : fs::path(options.out);
  if (path.empty()) {
    throw record::InputError(
        "bench --calibrate: neither XDG_CACHE_HOME nor HOME is set; say where to write with --out");
  }
  return path;
}

record::Json measured_calibration(const BenchOptions& options, const fs::path& folder) {
  const auto measure = [&](const std::string& path, const SpeedOverrides& overrides) {
    const auto configs = speed_configs({path}, overrides);
    return measured(configs.front(), folder / "results", Tuning::built_in);
  };
  const record::ResultFile filters =
      measure(write_calibration_config(folder, options.quick), options.overrides);
  const BatchTuning sizes = tuning_with_sizes(filters);
  // The sizes are those of the caches, whatever number of keys is asked for.
  const record::ResultFile lookaheads = measure(write_tuning_config(folder, sizes, options.quick),
                                                {.process_runs = options.overrides.process_runs});
  return calibration_json(filters, lookaheads, sizes);
}

int calibrate(const BenchOptions& options) {
  const fs::path path = calibration_target(options);
  record::require_writable_file(path, "--out");
  const fs::path folder = record::temporary_folder() /
                          ("bloomlab-calibration-" + std::to_string(std::random_device{}()));
  fs::create_directories(folder);
  const record::Json calibration = measured_calibration(options, folder);
  fs::remove_all(folder);
  if (path.has_parent_path()) fs::create_directories(path.parent_path());
  record::write_atomically(path, calibration.dump(1) + "\n");
  if (options.json) {
    std::cout << calibration.dump(2) << '\n';
  } else {
    const record::Json& tuning = calibration.at("tuning");
    std::cout << path.string() << ": " << calibration.at("filters").size()
              << " figures of filters, " << calibration.at("caches").size()
              << " caches; filters beyond " << tuning.at("cached_bytes") << " bytes ask "
              << tuning.at("shared_lookahead") << " keys ahead, beyond "
              << tuning.at("shared_bytes") << " bytes " << tuning.at("memory_lookahead") << '\n';
  }
  return done;
}

void print_sweep(const SweepTimes& times) {
  const SweepSize& size = times.size;
  const std::uint64_t asked = size.queries * size.trials;
  const auto row = [&](const char* way, const std::vector<double>& seconds) {
    std::cout << way << ": " << fixed(seconds.front(), 2) << " s, "
              << fixed(times.speedup(seconds), 1) << " times as fast\n";
  };
  std::cout << times.cells.size() << " cells, " << size.trials << " trials, n = " << size.n << ", "
            << size.queries << " queries a trial\n"
            << "naive, 1 thread: " << fixed(times.naive.front(), 2) << " s\n";
  row("engine, 1 thread", times.one_thread);
  row("engine, 2 threads", times.two_threads);
  std::cout << "largest deviation from theory of cells with 10 000 hits: naive "
            << percent(largest_deviation(times.cells, &SweepCell::naive_hits, asked * size.rounds))
            << ", engine "
            << percent(largest_deviation(times.cells, &SweepCell::sliced_hits, asked)) << '\n';
}

int sweep(const BenchOptions& options) {
  SweepSize size;
  if (options.quick) size = {.n = 10'000, .queries = 20'000, .trials = 2};
  if (options.overrides.n) size.n = *options.overrides.n;
  if (options.overrides.process_runs) size.trials = *options.overrides.process_runs;
  const fs::path folder = options.out.empty() ? fs::path("bench-results") : fs::path(options.out);
  const SweepTimes times = measure_sweep(size, folder);
  if (options.json) {
    std::cout << sweep_json(times).dump(2) << '\n';
  } else {
    print_sweep(times);
  }
  return done;
}

}  // namespace

Action add_bench(CLI::App& parser) {
  auto options = std::make_shared<BenchOptions>();
  parser.add_option("configs", options->configs,
                    "Configs of the kinds throughput, hash_speed, construction and deduplication; "
                    "default: those of configs/ that are meant for this");
  parser.add_flag("--quick", options->quick, "The small twins of configs/smoke/, in seconds");
  parser.add_flag(
      "--calibrate", options->calibrate,
      "Measure this machine instead, for `bloomlab plan` and for the tuning of process runs");
  parser
      .add_flag("--sweep", options->sweep,
                "Time instead a sweep of 100 cells beside the naive way, a filter a cell and trial "
                "(30 trials, two minutes or more; --process-runs: fewer trials)")
      ->excludes("--calibrate");
  parser.add_option("--n", options->overrides.n, "Keys, in place of what the configs say")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 36));
  parser
      .add_option("--process-runs", options->overrides.process_runs,
                  "Process runs of every row, in place of the configs' trials")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}));
  parser.add_flag("--all", options->all, "Print every row, with its times, rates and intervals");
  parser.add_flag("--json", options->json, "Print the rows as JSON");
  parser.add_option("--out", options->out,
                    "Folder of the result files, default bench-results; with --calibrate the file, "
                    "default ~/.cache/bloomlab/calibration.json");
  parser.footer(
      "Every trial is a process of its own. Exit status 1 when a rate disagrees with its closed\n"
      "form or the machine was not quiet.");
  return [options] {
    if (options->sweep) return sweep(*options);
    return options->calibrate ? calibrate(*options) : bench(*options);
  };
}

}  // namespace bloomlab::cli
