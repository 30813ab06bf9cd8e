// The shards of a config's result in a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/config/config.hpp"
#include "experiments/engine/provenance.hpp"

namespace bloomlab::experiments {

/// Paths of the shards of `stem` in `folder`, in the order of their names.
[[nodiscard]] std::vector<std::filesystem::path> shard_files(const std::filesystem::path& folder,
                                                             const std::string& stem);

/// The shards of `count` that a whole run in `folder` would lack, by index: those whose file is not
/// there, or was made by another build or with other key files; none where the whole result is
/// there. Makes nothing. Throws record::InputError where a run of the shards or their merging would
/// be refused: by the folder, a result of another config, shards of another count, a damaged file.
[[nodiscard]] std::vector<std::uint64_t> lacking_shards(const Config& config,
                                                        const std::filesystem::path& folder,
                                                        std::uint64_t count);

/// Merges the shards of `stem` in `folder` into FOLDER/STEM.json, written at once; the shards stay.
/// @param only_of merge them only if they were made for this config by this build (on any machine)
/// @return the file, or nothing where there are no shards or `only_of` does not fit.
/// Throws record::RunError where a shard is missing, naming it, where they do not fit together, or
/// where shards of different counts stand side by side; record::InputError where one has the name
/// of another.
std::optional<std::filesystem::path> merge_shard_files(
    const std::filesystem::path& folder, const std::string& stem,
    const std::optional<Identity>& only_of = std::nullopt);

}  // namespace bloomlab::experiments
