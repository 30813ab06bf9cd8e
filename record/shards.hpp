// Shards of a run: files that each hold every N-th cell, and the whole that they make together.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/result_file.hpp"

namespace bloomlab::record {

/// A shard's place: cells whose number mod `count` is `index` - 1.
struct ShardName {
  std::string stem;         ///< stem of the config
  std::uint64_t index = 1;  ///< I, 1 .. count
  std::uint64_t count = 1;  ///< N

  friend bool operator==(const ShardName&, const ShardName&) = default;
};

/// `STEM.shard-I-of-N.json` taken apart; nothing for any other file name.
[[nodiscard]] std::optional<ShardName> shard_name(const std::filesystem::path& file);

/// `STEM.shard-I-of-N.json`.
[[nodiscard]] std::string file_name(const ShardName& shard);

/// "1/3, 3/3": the shards of `count` that are not among `present` (any order); the first ten, then
/// how many more. Empty where none is missing.
[[nodiscard]] std::string missing_shards(std::uint64_t count,
                                         const std::vector<std::uint64_t>& present);

/// Throws InputError where the file `path` is named as a shard and says itself that it is another:
/// renamed or copied, its cells would come into the whole at a wrong place, or twice.
void require_own_name(const ResultFile& file, const std::filesystem::path& path);

/// The whole result from all N shards of a config, shard I at place I - 1: cells in grid order, the
/// observations of a cell as they stand. Provenance is that of the first shard, with every shard's
/// own under "shards". `where` names the set in errors.
/// Throws RunError where the shards do not fit together: different configs or commits, a shard
/// with too few or too many cells, or a cell in two of them.
[[nodiscard]] ResultFile merge_shards(std::span<const ResultFile> shards, const std::string& where);

}  // namespace bloomlab::record
