#include "analysis/data/load.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "analysis/data/measurement.hpp"
#include "analysis/data/with_statistics.hpp"
#include "analysis/data/with_theory.hpp"
#include "core/parallel/for_each_index.hpp"
#include "record/input_error.hpp"
#include "record/journal_text.hpp"
#include "record/json_view.hpp"
#include "record/shards.hpp"
#include "record/strict_json.hpp"
#include "record/visible_text.hpp"

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
  std::vector<std::uint64_t> present;
  for (const auto& [index, path] : shards) present.push_back(index);
  return record::missing_shards(count, present);
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
  for (const auto& [index, path] : shards) parts.push_back(read_checked(path));
  return record::merge_shards(parts, where);
}

ResultSet read_set(const fs::path& folder, const std::string& stem, const Found& found) {
  ResultSet set{.stem = stem, .file_name = stem + ".json", .file = {}, .confirmation = {}};
  if (found.whole) {
    set.file = read_checked(*found.whole);
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
  if (found.confirmation) set.confirmation = read_checked(*found.confirmation);
  return set;
}

/// "unfinished: DIR/.partial/a.jsonl holds 12 of 40 trials; run ... to finish".
std::string unfinished_run(const fs::path& folder, const fs::path& path) {
  const record::JournalText journal = record::read_journal(
      record::read_text(path, std::numeric_limits<std::uintmax_t>::max()), path.string());
  std::string text = "unfinished: " + path.string() + " holds ";
  if (journal.head.is_null()) {
    return text + "nothing that this release can read; run its config again, or remove the file";
  }
  text += std::to_string(journal.trials());
  const auto total = as_count(value_at(journal.head, "/trials"));
  if (total && *total != 0) text += " of " + std::to_string(*total);
  const std::string config = word_at(journal.head, "/config_file");
  text += " trials; run `bloomlab run " + (config.empty() ? "CONFIG" : record::shell_word(config)) +
          " --out " + record::shell_word(folder.string());
  std::istringstream arguments(word_at(journal.head, "/arguments"));
  for (std::string word; arguments >> word;) text += " " + record::shell_word(word);
  return text + "` to finish";
}

/// A line for every journal that a run left in the folder.
std::vector<std::string> unfinished_runs(const fs::path& folder) {
  std::vector<fs::path> journals;
  std::error_code fault;
  for (fs::directory_iterator entry(folder / ".partial", fault), end; !fault && entry != end;
       entry.increment(fault)) {
    std::error_code unknown;
    if (entry->path().extension() == ".jsonl" && entry->is_regular_file(unknown)) {
      journals.push_back(entry->path());
    }
  }
  std::sort(journals.begin(), journals.end());
  std::vector<std::string> faults;
  for (const fs::path& journal : journals) faults.push_back(unfinished_run(folder, journal));
  return faults;
}

/// What to say of a folder of which nothing can be used: its first fault, and how many more.
std::string first_of(const std::vector<std::string>& faults) {
  const std::size_t more = faults.size() - 1;
  if (more == 0) return faults.front();
  return faults.front() + " (and " + std::to_string(more) + (more == 1 ? " fault" : " faults") +
         " more)";
}

[[noreturn]] void refuse_empty(const fs::path& folder) {
  throw InputError(folder.string() + ": holds no result file; run `bloomlab run CONFIG --out " +
                   record::shell_word(folder.string()) + "` first");
}

std::string text_setting(const Json& config, const char* key, const std::string& fallback) {
  const auto found = config.find(key);
  return found != config.end() && found->is_string() ? found->get<std::string>() : fallback;
}

/// Title and question are as short as a config may have them.
void check_texts(const Json& config, const std::string& where) {
  for (const auto& [key, most] : {std::pair("title", record::most_title_letters),
                                  std::pair("question", record::most_question_letters)}) {
    const std::size_t letters = record::letters_in(text_setting(config, key, ""));
    if (letters <= most) continue;
    throw InputError(where + ": /config/" + key + ": has " + std::to_string(letters) +
                     " letters; at most " + std::to_string(most) +
                     " are allowed: shorten it in the config, and run that again");
  }
}

std::vector<Measurement> evaluate(const ResultFile& file, const std::string& where) {
  return with_statistics(with_theory(tabulate(file, where), where));
}

/// A result set that can be used, and what is wrong with it or its file.
struct ReadSet {
  std::optional<ResultSet> set;
  std::optional<std::string> fault;
};

ReadSet read_good(const fs::path& folder, const std::string& stem, const Found& found) {
  ReadSet read;
  try {
    if (const auto hidden = record::first_hidden(stem)) {
      throw InputError((folder / stem).string() + ".json: the file's name holds " + *hidden +
                       "; rename it");
    }
    read.set = read_set(folder, stem, found);
    if (const auto part = unfinished_part(read.set->file, read.set->path)) {
      read.fault = "unfinished: " + read.set->path + " " + *part +
                   "; run its config without --only to finish";
    }
  } catch (const InputError& fault) {
    read.fault = fault.what();
  } catch (const RunError& fault) {
    read.fault = fault.what();
  }
  return read;
}

}  // namespace

ResultFile read_checked(const fs::path& path) {
  const std::string where = path.string();
  try {
    ResultFile file = record::read_result_file(path);
    record::require_own_name(file, path);
    check_texts(file.config, where);
    check_trials(file, where);
    check_origin(file, where);
    if (!path.stem().string().ends_with(confirmation_suffix)) {
      check_cells(file, where, record::shard_name(path));
    }
    check_recomputed(file, where);
    static_cast<void>(tabulate(file, where));  // refuses counts that do not fit each other
    return file;
  } catch (const record::Json::exception& fault) {
    throw InputError(record::fault_in(where, fault));
  }
}

Loaded load_good(const fs::path& folder) {
  const auto found = find_files(folder);
  const std::vector<std::pair<std::string, Found>> files(found.begin(), found.end());
  std::vector<ReadSet> read(files.size());
  for_each_index(files.size(), [&](std::size_t i) {
    read[i] = read_good(folder, files[i].first, files[i].second);
  });
  Loaded loaded;
  for (ReadSet& one : read) {
    if (one.set) loaded.sets.push_back(*std::move(one.set));
    if (one.fault) loaded.faults.push_back(*std::move(one.fault));
  }
  const bool bad_input = !loaded.faults.empty();
  for (std::string& journal : unfinished_runs(folder)) loaded.faults.push_back(std::move(journal));
  if (!loaded.sets.empty()) return loaded;
  if (loaded.faults.empty()) refuse_empty(folder);
  if (bad_input) throw InputError(first_of(loaded.faults));
  throw RunError(first_of(loaded.faults));
}

std::vector<ResultSet> load(const fs::path& folder) {
  std::vector<ResultSet> sets;
  for (const auto& [stem, found] : find_files(folder)) {
    sets.push_back(read_set(folder, stem, found));
  }
  if (sets.empty()) refuse_empty(folder);
  return sets;
}

Experiment analyse(ResultSet results) {
  Experiment experiment;
  experiment.stem = results.stem;
  experiment.file_name = results.file_name;
  experiment.config = results.file.config;
  experiment.provenance = results.file.provenance;
  experiment.pages = results.file.pages;
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
