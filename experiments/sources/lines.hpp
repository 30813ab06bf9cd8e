// The keys of a text file: its distinct lines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bloomlab::experiments {

/// The distinct lines of a text file in the order in which they first occur. A line ends at LF; a
/// CR before it belongs to the line end; empty lines are passed over; the last line needs no LF.
/// Throws record::InputError with the reason alone ("no such file", ...) where it cannot be read.
[[nodiscard]] std::vector<std::string> distinct_lines(const std::filesystem::path& path);

}  // namespace bloomlab::experiments
