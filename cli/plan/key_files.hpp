// The keys of `bloomlab plan --verify --keys FILE --strangers FILE`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiments/key_set.hpp"

namespace bloomlab::cli {

/// Texts to insert and texts to ask for; no text is in both.
struct FileKeys {
  std::vector<std::string> members;
  std::vector<std::string> strangers;
};

/// The first `most_members` distinct lines of `keys_file`, and the distinct lines of
/// `strangers_file` that are no members; without that file (an empty name) `queries` generated
/// texts. Throws record::InputError for a file that cannot be read or leaves nothing.
[[nodiscard]] FileKeys read_key_files(const std::string& keys_file,
                                      const std::string& strangers_file, std::uint64_t most_members,
                                      std::uint64_t queries);

/// The texts as the keys of a trial; `keys` must outlive them.
[[nodiscard]] std::unique_ptr<experiments::KeySet> text_keys(const FileKeys& keys);

}  // namespace bloomlab::cli
