#include "analysis/data/load.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/data/origin.hpp"
#include "analysis/data/tabulate.hpp"
#include "analysis/data/trials.hpp"
#include "analysis/data/with_statistics.hpp"
#include "analysis/data/with_theory.hpp"
#include "record/input_error.hpp"
#include "record/shards.hpp"

namespace bloomlab::analysis {

namespace {

namespace fs = std::filesystem;
using record::InputError;
using record::ResultFile;
using record::RunError;

constexpr std::string_view confirmation_suffix = ".confirmation";

/// What a folder holds of one stem.
struct Found {
  std::optional<fs::path> whole;
  std::optional<fs::path> confirmation;
  std::map<std::uint64_t, std::map<std::uint64_t, fs::path>> shards;  // by N, then I
};

std::map<std::string, Found> find_files(const fs::path& folder) {
  std::error_code fault;
  std::map<std::string, Found> found;
  for (fs::directory_iterator entry(folder, fault), end; !fault && entry != end;
       entry.increment(fault)) {
    const fs::path& path = entry->path();
    if (path.extension() != ".json" || !entry->is_regular_file(fault)) continue;
    std::string stem = path.stem().string();
    if (const auto shard = record::shard_name(path)) {
      found[shard->stem].shards[shard->count][shard->index] = path;
    } else if (stem.ends_with(confirmation_suffix)) {
      stem.resize(stem.size() - confirmation_suffix.size());
      found[stem].confirmation = path;
    } else {
      found[stem].whole = path;
    }
  }
  if (fault) {
    throw InputError(folder.string() + ": cannot be read as a folder (" + fault.message() +
                     "); name the folder that `bloomlab run --out` wrote to");
  }
  return found;
}

std::string missing_shards(std::uint64_t count, const std::map<std::uint64_t, fs::path>& shards) {
  std::string missing;
  for (std::uint64_t index = 1; index <= count; ++index) {
    if (shards.contains(index)) continue;
    missing += (missing.empty() ? "" : ", ") + std::to_string(index) + "/" + std::to_string(count);
  }
  return missing;
}

/// The merged shards, or nothing where there are none.
std::optional<ResultFile> read_shards(const fs::path& folder, const std::string& stem,
                                      const Found& found) {
  if (found.shards.empty()) return std::nullopt;
  const std::string where = (folder / stem).string();
  if (found.shards.size() > 1) {
    throw InputError(where + ": shards of runs with different numbers of shards stand side by " +
                     "side; remove those of all but one");
  }
  const auto& [count, shards] = *found.shards.begin();
  if (const std::string missing = missing_shards(count, shards); !missing.empty()) {
    throw RunError(where + ": shards missing: " + missing +
                   "; run them with `bloomlab run --shard I/N`");
  }
  std::vector<ResultFile> parts;
  for (const auto& [index, path] : shards) parts.push_back(record::read_result_file(path));
  return record::merge_shards(parts, where);
}

ResultSet read_set(const fs::path& folder, const std::string& stem, const Found& found) {
  ResultSet set{.stem = stem, .file_name = stem + ".json", .file = {}, .confirmation = {}};
  if (found.whole) {
    set.file = record::read_result_file(*found.whole);
    const bool complete = found.shards.size() == 1 &&
                          found.shards.begin()->second.size() == found.shards.begin()->first;
    if (complete && record::canonical_text(*read_shards(folder, stem, found)) !=
                        record::canonical_text(set.file)) {
      throw InputError((folder / set.file_name).string() +
                       ": differs from the shards beside it; remove one or the other");
    }
  } else if (auto merged = read_shards(folder, stem, found)) {
    set.file = *std::move(merged);
    set.file_name = found.shards.begin()->second.begin()->second.filename().string();
  } else {
    throw InputError(found.confirmation->string() + ": a confirmation without its result file " +
                     stem + ".json; run the config again");
  }
  set.path = (folder / set.file_name).string();
  check_trials(set.file, set.path);
  check_origin(set.file, set.path);
  if (found.confirmation) {
    set.confirmation = record::read_result_file(*found.confirmation);
    check_trials(*set.confirmation, found.confirmation->string());
    check_origin(*set.confirmation, found.confirmation->string());
  }
  return set;
}

std::string text_setting(const Json& config, const char* key, const std::string& fallback) {
  const auto found = config.find(key);
  return found != config.end() && found->is_string() ? found->get<std::string>() : fallback;
}

std::vector<Measurement> evaluate(const ResultFile& file, const std::string& where) {
  return with_statistics(with_theory(tabulate(file, where), where));
}

}  // namespace

std::vector<ResultSet> load(const fs::path& folder) {
  std::vector<ResultSet> sets;
  for (const auto& [stem, found] : find_files(folder)) {
    sets.push_back(read_set(folder, stem, found));
  }
  if (sets.empty()) {
    throw InputError(folder.string() + ": holds no result file; run `bloomlab run CONFIG --out " +
                     folder.string() + "` first");
  }
  return sets;
}

Experiment analyse(ResultSet results) {
  Experiment experiment;
  experiment.stem = results.stem;
  experiment.file_name = results.file_name;
  experiment.config = results.file.config;
  experiment.provenance = results.file.provenance;
  experiment.kind = text_setting(experiment.config, "kind", "");
  experiment.title = text_setting(experiment.config, "title", results.stem);
  experiment.question = text_setting(experiment.config, "question", "");
  experiment.measurements = evaluate(results.file, results.place());
  if (results.file.observations.empty()) {
    throw InputError(results.place() + ": holds no observation; run the config again");
  }
  experiment.flags =
      check_flags(experiment.measurements, expected_flags(experiment.config, results.place()));
  experiment.family = family_of(experiment.measurements);
  if (results.confirmation) {
    const fs::path whole = results.place();
    const std::string name = results.stem + std::string(confirmation_suffix) + ".json";
    experiment.confirmation =
        evaluate(*results.confirmation, (whole.parent_path() / name).string());
  }
  experiment.observations = std::move(results.file.observations);
  return experiment;
}

}  // namespace bloomlab::analysis
