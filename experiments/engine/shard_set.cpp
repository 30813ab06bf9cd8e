#include "experiments/engine/shard_set.hpp"

#include <algorithm>
#include <map>
#include <system_error>

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

}  // namespace

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
