// Writing a file so that nobody ever sees half of it.
#pragma once

#include <filesystem>
#include <string_view>

namespace bloomlab::record {

/// Writes `text` to a temporary file beside `path`, flushes it to the disk, and renames it over
/// `path`; makes the folder where there is none. Throws RunError where that cannot be done, and
/// leaves what was there as it was. Temporary files of `path` whose process was killed, which are
/// named PATH.PID-NUMBER.tmp, are removed. Where `path` is a link, its target is written.
void write_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace bloomlab::record
