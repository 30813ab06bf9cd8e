// The keys of a text file: its distinct lines.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace bloomlab::experiments {

/// The distinct lines of a text file in the order in which they first occur. A line ends at LF; a
/// CR before it belongs to the line end; empty lines are passed over; the last line needs no LF.
/// Throws record::InputError with the reason alone ("no such file", ...) where it cannot be read.
[[nodiscard]] std::vector<std::string> distinct_lines(const std::filesystem::path& path);

/// Lines that several trials and threads read.
using SharedLines = std::shared_ptr<const std::vector<std::string>>;

/// distinct_lines(), kept: the file that was read last is not read again while its size and its
/// time of writing stay. Throws as distinct_lines(). Safe to call from several threads.
[[nodiscard]] SharedLines shared_distinct_lines(const std::filesystem::path& path);

}  // namespace bloomlab::experiments
