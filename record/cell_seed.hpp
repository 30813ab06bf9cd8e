// From a cell to the seed of a trial. Whoever measures draws by it; whoever reads results can tell
// by it whether an observation is what it says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/json.hpp"

namespace bloomlab::record {

/// The cell's JSON in the words of seeds (record/names.hpp), without what the pointers name, as
/// compact JSON. Pointers that name nothing in this cell are passed over.
[[nodiscard]] std::string seed_text_of(const Json& cell,
                                       const std::vector<std::string>& shared_across);

/// The group of a seed text: the first 16 hex digits of its SHA-256.
[[nodiscard]] std::string group_of(const std::string& seed_text);

/// The seed of a trial: the first 8 bytes, read as a big-endian number, of SHA-256 over the text
///   bloomlab-seed-1 LF config seed in decimal LF seed_text LF trial in decimal
/// with LF a line feed.
[[nodiscard]] std::uint64_t trial_seed(std::uint64_t config_seed, const std::string& seed_text,
                                       std::uint64_t trial);

}  // namespace bloomlab::record
