#include "experiments/engine/shard_set.hpp"

#include <algorithm>
#include <map>
#include <system_error>

#include "experiments/engine/run_options.hpp"
#include "record/input_error.hpp"
#include "record/result_file.hpp"
#include "record/shards.hpp"

namespace bloomlab::experiments {
namespace {

namespace fs = std::filesystem;

/// Paths by index. Throws RunError where the set is not complete.
std::map<std::uint64_t, fs::path> complete_set(const std::vector<fs::path>& files,
                                               const std::string& where) {
  std::map<std::uint64_t, fs::path> by_index;
  const std::uint64_t count = record::shard_name(files.front())->count;
  for (const fs::path& file : files) {
    const auto name = record::shard_name(file);
    if (name->count != count) {
      throw record::RunError(where + ": shards of " + std::to_string(count) + " and of " +
                             std::to_string(name->count) +
                             " stand side by side; remove those of one run, or use --force to "
                             "measure anew");
    }
    by_index[name->index] = file;
  }
  std::vector<std::uint64_t> present;
  for (const auto& [index, file] : by_index) present.push_back(index);
  const std::string missing = record::missing_shards(count, present);
  if (!missing.empty()) {
    throw record::RunError(where + ": shards missing: " + missing +
                           "; run them with --shard, remove the others, or use --force to measure "
                           "anew");
  }
  return by_index;
}

bool fits(const record::ResultFile& shard, const Identity& identity) {
  const Identity own = identity_of(shard.provenance);
  return own.config == identity.config && own.build == identity.build;
}

/// The result at `path`, of this config.
record::ResultFile result_of_config(const fs::path& path, const Config& config) {
  record::ResultFile file = record::read_result_file(path);
  record::require_own_name(file, path);
  if (record::without_page(file.config) == record::without_page(config.json)) return file;
  throw record::InputError(path.string() + ": holds the results of another config of the name " +
                           config.stem() +
                           "; use another --out, rename the config, or remove the file");
}

bool is_whole_here(const fs::path& path, const Config& config, const Identity& identity) {
  std::error_code missing;
  if (!fs::exists(path, missing)) return false;
  const record::ResultFile file = result_of_config(path, config);
  return identity_of(file.provenance) == identity &&
         file.provenance.value("complete", record::Json()) == true;
}

}  // namespace

std::vector<std::uint64_t> lacking_shards(const Config& config, const fs::path& folder,
                                          std::uint64_t count) {
  RunOptions options;
  options.out = folder;
  check_options(config, options);
  const Identity identity = identity_of(config);
  if (is_whole_here(result_of(config, options), config, identity)) return {};
  for (const fs::path& file : shard_files(folder, config.stem())) {
    if (record::shard_name(file)->count == count) continue;
    throw record::InputError(file.string() + ": is a shard of another number than " +
                             std::to_string(count) +
                             ", and shards of one run are merged; ask for as many, use another "
                             "--out, or remove the file");
  }
  std::vector<std::uint64_t> lacking;
  for (std::uint64_t index = 1; index <= count; ++index) {
    options.shard = Shard{index, count};
    const fs::path path = result_of(config, options);
    std::error_code missing;
    if (!fs::exists(path, missing) || !fits(result_of_config(path, config), identity)) {
      lacking.push_back(index);
    }
  }
  return lacking;
}

std::vector<fs::path> shard_files(const fs::path& folder, const std::string& stem) {
  std::vector<fs::path> files;
  std::error_code missing;
  for (fs::directory_iterator entry(folder, missing), end; !missing && entry != end;
       entry.increment(missing)) {
    const auto name = record::shard_name(entry->path());
    if (name && name->stem == stem) files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

std::optional<fs::path> merge_shard_files(const fs::path& folder, const std::string& stem,
                                          const std::optional<Identity>& only_of) {
  const std::vector<fs::path> files = shard_files(folder, stem);
  if (files.empty()) return std::nullopt;
  const std::string where = (folder / stem).string();
  std::vector<record::ResultFile> shards;
  for (const auto& [index, file] : complete_set(files, where)) {
    shards.push_back(record::read_result_file(file));
    record::require_own_name(shards.back(), file);
  }
  record::ResultFile whole = record::merge_shards(shards, where);
  if (only_of &&
      !std::ranges::all_of(shards, [&](const auto& shard) { return fits(shard, *only_of); })) {
    return std::nullopt;
  }
  whole.provenance.erase("shard");
  const fs::path path = folder / (stem + ".json");
  record::write_result_file(path, whole);
  return path;
}

}  // namespace bloomlab::experiments
