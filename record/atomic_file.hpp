// Writing a file so that nobody ever sees half of it.
#pragma once

#include <filesystem>
#include <string_view>

namespace bloomlab::record {

/// Writes `text` to `path` as FileSink does (core/serialization/file.hpp); makes the folder where
/// there is none. Throws RunError where that cannot be done, also where something stands there that
/// is no regular file, and leaves what was there as it was.
void write_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace bloomlab::record
