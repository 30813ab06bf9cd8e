// The result files of a folder, as the commands that read whole folders see it.
#pragma once

#include <filesystem>
#include <vector>

namespace bloomlab::cli {

/// The *.json of a folder in order of their names; never empty. Throws record::InputError where the
/// folder cannot be read or holds none.
[[nodiscard]] std::vector<std::filesystem::path> result_files(const std::filesystem::path& folder);

}  // namespace bloomlab::cli
