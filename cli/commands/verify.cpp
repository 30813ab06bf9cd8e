// bloomlab verify RESULTS_DIR: measures again and demands equal counts.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analysis/data/load.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/process_runs.hpp"
#include "cli/terminal.hpp"
#include "core/hashing.hpp"
#include "experiments/applications/scratch_folder.hpp"
#include "experiments/cells/foreign_cell.hpp"
#include "experiments/config/config.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/provenance.hpp"
#include "experiments/engine/run.hpp"
#include "experiments/engine/unit.hpp"
#include "record/hashes.hpp"
#include "record/input_error.hpp"
#include "record/result_file.hpp"
#include "record/shards.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;

struct VerifyOptions {
  std::string folder;
  std::string configs = "configs";
  std::string only;
  std::optional<std::string> config;  // of which filters from outside are executed
  unsigned jobs = 0;
  std::optional<double> seconds;  // a file; the rest of it is left out
  bool json = false;
};

/// Why a file was not repeated.
struct LeftOut {
  std::string text;   ///< of one line
  record::Json json;  ///< a member that names the reason
};

/// What a result file and its repetition say of each other.
struct Repetition {
  std::string file;
  std::uint64_t observations = 0;              ///< compared
  std::uint64_t left_out = 0;                  ///< for want of time
  std::uint64_t cells = 0;                     ///< with an observation that was compared
  std::uint64_t cells_left_out = 0;            ///< without any
  std::optional<std::string> difference = {};  ///< the first one, where there is any
  std::size_t lacked = 0;                      ///< observations of what one of the two builds lacks
  std::size_t of_changed_files = 0;            ///< observations left out for the files below
  std::set<std::string> changed_files = {};    ///< that are not those of the result
  std::optional<LeftOut> whole_left_out = {};  ///< where nothing may be executed
};

/// An observation without its durations, which no two runs share.
record::Json counts_of(const record::Observation& observation) {
  record::Json json = record::to_json(observation);
  json.erase("timing");
  return json;
}

std::string place_of(const record::Observation& observation) {
  std::string place = "cell " + observation.cell.dump();
  place += ", trial " + std::to_string(observation.trial);
  if (observation.step) place += ", step " + std::to_string(*observation.step);
  return place;
}

/// "false_positives was 17 and is 18 now": the first member that differs; nothing where none does.
std::string member_difference(const record::Json& was, const record::Json& is) {
  for (const auto& [key, value] : was.items()) {
    if (key == "measured" || (is.contains(key) && is.at(key) == value)) continue;
    return key + " was " + value.dump() + " and is " +
           (is.contains(key) ? is.at(key).dump() : "missing") + " now";
  }
  return {};
}

std::string difference_of(const record::Json& was, const record::Json& is) {
  std::string text = member_difference(was, is);
  if (text.empty()) text = member_difference(was.at("measured"), is.at("measured"));
  return text.empty() ? "there are quantities now that were not measured before" : text;
}

/// Whether one of the two builds lacks what is measured, such as the peers of a library.
bool lacked_by_one(const record::Observation& was, const record::Observation& is) {
  const auto lacks = [](const record::Observation& one) {
    return one.measured.value("available", true) == false;
  };
  return lacks(was) != lacks(is);
}

/// What differs between an observation and the same now, with its place; nothing where counts are
/// equal, or need not be.
std::optional<std::string> difference_between(const record::Observation& was,
                                              const record::Observation& is) {
  if (!record::is_repeatable(was) || lacked_by_one(was, is)) return std::nullopt;
  const record::Json before = counts_of(was);
  const record::Json now = counts_of(is);
  if (before == now) return std::nullopt;
  return place_of(was) + ": " + difference_of(before, now);
}

void compare(const record::ResultFile& was, const record::ResultFile& is, Repetition& result) {
  result.observations = std::min(was.observations.size(), is.observations.size());
  for (std::size_t i = 0; i < result.observations; ++i) {
    const record::Observation before = was.observations[i];
    const record::Observation now = is.observations[i];
    result.lacked += lacked_by_one(before, now) ? 1 : 0;
    result.difference = difference_between(before, now);
    if (result.difference) return;
  }
  if (was.observations.size() != is.observations.size()) {
    result.difference = "there were " + std::to_string(was.observations.size()) +
                        " observations and are " + std::to_string(is.observations.size()) + " now";
  }
}

/// Where an observation stands in its file: cell, trial, step.
using Place = std::tuple<std::string, std::uint64_t, std::uint64_t>;

Place place_in_file(const record::Observation& observation) {
  return {observation.cell.dump(), observation.trial, observation.step.value_or(0)};
}

/// Measures a trial of every cell before a second one of any, what costs least first, until the
/// time is over; one unit in any case.
std::vector<record::Observation> measured_within(double seconds,
                                                 const experiments::Config& config) {
  std::vector<const experiments::Cell*> cells;
  for (const experiments::Cell& cell : config.cells) cells.push_back(&cell);
  auto units = experiments::units_of(config, cells);
  std::ranges::stable_sort(units, {}, [](const experiments::Unit& unit) {
    return std::pair{unit.trial, unit.weight};
  });
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::vector<record::Observation> measured;
  for (const experiments::Unit& unit : units) {
    if (!measured.empty() && std::chrono::steady_clock::now() > end) break;
    std::ranges::move(experiments::measure(config, unit), std::back_inserter(measured));
  }
  return measured;
}

/// Compares what was measured again with the observations of the same places.
void compare_sample(const record::ResultFile& was, const std::vector<record::Observation>& again,
                    Repetition& result) {
  std::map<Place, std::size_t> before;
  std::size_t row = 0;
  std::set<std::string> all;
  std::set<std::string> compared;
  for (const record::Observation& observation : was.observations) {
    before.emplace(place_in_file(observation), row++);
    all.insert(observation.cell.dump());
  }
  for (const record::Observation& observation : again) {
    const auto found = before.find(place_in_file(observation));
    if (found == before.end()) {
      result.difference = place_of(observation) + ": is not in the file";
      return;
    }
    ++result.observations;
    const record::Observation earlier = was.observations[found->second];
    result.lacked += lacked_by_one(earlier, observation) ? 1 : 0;
    compared.insert(observation.cell.dump());
    result.difference = difference_between(earlier, observation);
    if (result.difference) return;
  }
  result.left_out = was.observations.size() - result.observations;
  result.cells = compared.size();
  result.cells_left_out = all.size() - compared.size();
}

/// The cells that the file holds: a confirmation or a selection holds some of its config's.
void keep_observed(const record::ResultFile& file, const std::string& only,
                   experiments::Config& config) {
  std::unordered_set<std::string> observed;
  for (const auto& observation : file.observations) observed.insert(observation.cell.dump());
  std::erase_if(config.cells, [&](const experiments::Cell& cell) {
    return !observed.contains(cell.text()) || cell.text().find(only) == std::string::npos;
  });
}

void drop_others(const std::string& only, record::ResultFile& file) {
  file.observations.erase_if([&](const record::Observation& observation) {
    return observation.cell.dump().find(only) == std::string::npos;
  });
}

/// The filters and hashes from outside that the observations name.
std::vector<std::string> foreign_filters(const record::ResultFile& file) {
  std::set<std::string> named;
  for (const record::Observation& observation : file.observations) {
    const auto own = observation.cell.find("filter");
    if (own != observation.cell.end() && own->contains("own") &&
        !experiments::is_foreign_filter(*own)) {
      named.insert(own->at("kind").dump() + " of another program");
      continue;
    }
    if (const record::Json* const named_here = experiments::foreign_object(observation.cell)) {
      named.insert(experiments::foreign_text(*named_here));
      continue;
    }
    if (const std::string hash = experiments::hash_named_in(observation.cell);
        !hash.empty() && !record::find_hasher(hash)) {
      named.insert("hash \"" + hash + "\" of another program");
    }
  }
  return {named.begin(), named.end()};
}

/// The config to measure again: that in the file, or the one that the user names, where it executes
/// what a file alone must not.
experiments::Config config_to_repeat(const record::ResultFile& was, const fs::path& path,
                                     const VerifyOptions& options, const std::string& stem) {
  if (!options.config) {
    return experiments::config_of(was.config, fs::path(options.configs) / (stem + ".json"));
  }
  auto config = experiments::read_config(*options.config);
  if (record::without_page(config.json) != record::without_page(was.config)) {
    throw record::InputError(*options.config + ": is not the config that " + path.string() +
                             " was measured by; name that one");
  }
  return config;
}

/// Measures again all that the file holds, into a scratch folder.
record::ResultFile measured_again(const fs::path& path, const experiments::Config& config,
                                  const VerifyOptions& options) {
  const experiments::ScratchFolder scratch("bloomlab-verify");
  experiments::RunOptions run_options;
  run_options.out = scratch.path();
  run_options.jobs = options.jobs;
  use_process_runs(run_options);
  ProgressPrinter printer(path.stem().string());
  run_options.progress = [&](const experiments::Progress& progress) { printer.show(progress); };
  const auto outcome = experiments::run(config, run_options);
  for (const experiments::LackingCell& cell : outcome.lacking) {
    if (cell.of_system) throw record::RunError(path.string() + ": not repeated: " + cell.reason);
  }
  return record::read_result_file(outcome.path);
}

std::string joined(const auto& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

/// Why nothing that the file names may or can be executed; nothing where it may.
std::optional<LeftOut> left_out_by_its_program(const record::ResultFile& was, bool config_named) {
  if (was.provenance.contains("peers")) {  // docs/bench.md
    return LeftOut{"another program measured its implementations", {{"by_another_program", true}}};
  }
  const auto named = foreign_filters(was);
  if (named.empty() || config_named) return std::nullopt;
  const std::string why = "it names filters or hashes from outside, which are executed only by ";
  return LeftOut{why + "--config FILE: " + joined(named), {{"left_out", named}}};
}

/// The files that the cells read, where they are not as they were when the result was measured: all
/// of them, as one digest tells of the whole.
std::set<std::string> changed_files(const record::ResultFile& was,
                                    const experiments::Config& config) {
  const std::string before = experiments::identity_of(was.provenance).config;
  std::set<std::string> files;
  for (const experiments::Cell& cell : config.cells) files.merge(config.experiment->files(cell));
  if (files.empty() || before.empty()) return {};
  if (experiments::identity_of(config).config == before) return {};
  return files;
}

/// Leaves out the cells that read files: other counts would be no fault of anybody. Gives the
/// number of observations that were dropped.
std::size_t drop_cells_of_files(record::ResultFile& was, experiments::Config& config) {
  std::unordered_set<std::string> dropped;
  std::erase_if(config.cells, [&](const experiments::Cell& cell) {
    return !config.experiment->files(cell).empty() && dropped.insert(cell.text()).second;
  });
  return was.observations.erase_if([&](const record::Observation& observation) {
    return dropped.contains(observation.cell.dump());
  });
}

/// Nothing where the selection fits no cell of the file.
std::optional<Repetition> verify_file(const fs::path& path, const VerifyOptions& options) {
  record::ResultFile was = analysis::read_checked(path);
  drop_others(options.only, was);
  if (was.observations.empty()) return std::nullopt;
  const auto shard = record::shard_name(path);
  const std::string stem = shard ? shard->stem : path.stem().string();
  const bool is_named = options.config && fs::path(*options.config).stem() == stem;
  Repetition result{.file = path.filename().string()};
  result.whole_left_out = left_out_by_its_program(was, is_named);
  if (result.whole_left_out) return result;
  VerifyOptions of_file = options;
  if (!is_named) of_file.config.reset();
  auto config = config_to_repeat(was, path, of_file, stem);
  result.changed_files = changed_files(was, config);
  keep_observed(was, options.only, config);
  if (!result.changed_files.empty()) result.of_changed_files = drop_cells_of_files(was, config);
  if (was.observations.empty()) return result;
  say_not_isolated(config);
  try {
    if (options.seconds) {
      compare_sample(was, measured_within(*options.seconds, config), result);
    } else {
      compare(was, measured_again(path, config, options), result);
    }
  } catch (const record::MissingProgram& fault) {
    result.whole_left_out = {one_line(fault.what()), {{"missing", fault.what()}}};
  }
  return result;
}

record::Json json_of(const Repetition& result) {
  record::Json json = {{"file", result.file}};
  if (result.whole_left_out) {
    json.update(result.whole_left_out->json);
    return json;
  }
  json["observations"] = result.observations;
  if (result.observations != 0) json["equal"] = !result.difference.has_value();
  if (result.left_out != 0) {
    json["observations_left_out"] = result.left_out;
    json["cells_left_out"] = result.cells_left_out;
  }
  if (result.lacked != 0) json["not_in_both_builds"] = result.lacked;
  if (result.of_changed_files != 0) {
    json["observations_of_changed_files"] = result.of_changed_files;
    json["changed_files"] = result.changed_files;
  }
  if (result.difference) json["first_difference"] = *result.difference;
  return json;
}

std::string text_of(const Repetition& result) {
  if (result.whole_left_out) return "left out: " + result.whole_left_out->text;
  if (result.difference) return "DIFFERS: " + *result.difference;
  std::string text =
      std::to_string(result.observations - result.lacked) + " observations, all equal";
  if (result.lacked != 0) {
    text += "; " + std::to_string(result.lacked) + " of what this build or that one lacks";
  }
  if (result.left_out != 0) {
    text += "; no time for " + std::to_string(result.left_out) + " others (" +
            std::to_string(result.cells) + " of " +
            std::to_string(result.cells + result.cells_left_out) + " cells seen)";
  }
  if (result.of_changed_files != 0) {
    if (result.observations == 0) text = "none compared";
    text += "; left out " + std::to_string(result.of_changed_files) + " that read " +
            joined(result.changed_files) + ", which is not as it was (provenance.config_digest)";
  }
  return text;
}

int verify(const VerifyOptions& options) {
  record::Json all = record::Json::array();
  bool equal = true;
  for (const fs::path& path : result_files(options.folder)) {
    const auto result = verify_file(path, options);
    if (!result) continue;
    equal = equal && !result->difference;
    all.push_back(json_of(*result));
    if (!options.json) std::cout << result->file << ": " << text_of(*result) << std::endl;
  }
  if (all.empty()) {
    if (options.only.empty()) {
      throw record::InputError(options.folder +
                               ": its result files hold no observations; measure "
                               "them with `bloomlab run --force`");
    }
    throw record::InputError("--only: no cell of " + options.folder + " contains \"" +
                             options.only + "\"; `bloomlab canon` lists its files");
  }
  if (options.json) std::cout << all.dump() << '\n';
  return equal ? done : failed;
}

}  // namespace

Action add_verify(CLI::App& parser) {
  auto options = std::make_shared<VerifyOptions>();
  parser.add_option("results", options->folder, "Folder of result files")->required();
  parser.add_option("--only", options->only,
                    "Measure only cells whose compact JSON contains this text");
  parser.add_option("--jobs", options->jobs, "Threads that measure; default: all processors")
      ->check(CLI::Range(1U, 4096U));
  parser
      .add_option("--seconds", options->seconds,
                  "Measure for about so long a file, a trial of every cell before a second one, "
                  "the\nshortest first, at least one; default: all of it")
      ->check(any_seconds())
      ->excludes("--jobs");
  parser.add_option("--configs", options->configs,
                    "Folder that relative paths in configs start from; default: configs");
  parser.add_option(
      "--config", options->config,
      "Config of a result with filters or hashes from outside, which are executed then");
  parser.add_flag("--json", options->json, "Print one JSON array, an object a file");
  parser.footer(
      "Every result file holds its config; what it says is measured again, in a scratch folder,\n"
      "and the counts are compared. Exit status 1 and the first cell that differs, where one "
      "does.\n"
      "A file that another program wrote (provenance.peers) is named and left out; so is one with "
      "filters\nfrom outside: nothing that a result names is executed; and one that takes a "
      "program "
      "which is not here,\nor cells that read files which are not those they were measured with.");
  return [options] { return verify(*options); };
}

}  // namespace bloomlab::cli
