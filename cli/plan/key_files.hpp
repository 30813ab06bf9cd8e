// The keys of `bloomlab plan --verify --keys FILE --absent-keys FILE`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiments/key_set.hpp"

namespace bloomlab::cli {

/// Texts to insert and texts to ask for; no text is in both.
struct FileKeys {
  std::vector<std::string> inserted_keys;
  std::vector<std::string> absent_keys;
};

/// The first `most_inserted_keys` distinct lines of `keys_file`, and the distinct lines of
/// `absent_keys_file` that are not inserted; without that file (an empty name) `queries` generated
/// texts. Throws record::InputError for a file that cannot be read or leaves nothing.
[[nodiscard]] FileKeys read_key_files(const std::string& keys_file,
                                      const std::string& absent_keys_file,
                                      std::uint64_t most_inserted_keys, std::uint64_t queries);

/// The texts as the keys of a trial; `keys` must outlive them.
[[nodiscard]] std::unique_ptr<experiments::KeySet> text_keys(const FileKeys& keys);

}  // namespace bloomlab::cli
