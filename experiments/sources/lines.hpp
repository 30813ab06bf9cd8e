// The keys of a text file: its distinct lines.
#pragma once

#include <cstdint>
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

/// distinct_lines(), kept: the two files that were read last are not read again while their size
/// and their time of writing stay. Throws as distinct_lines(). Safe to call from several threads.
[[nodiscard]] SharedLines shared_distinct_lines(const std::filesystem::path& path);

/// Places of lines among others, which several trials and threads read.
using SharedPlaces = std::shared_ptr<const std::vector<std::uint64_t>>;

/// For each distinct line of `lines` its place among the distinct lines of `among`, or their number
/// where it is not there. The last answer is kept as lines are. Throws and is safe to call as
/// shared_distinct_lines().
[[nodiscard]] SharedPlaces shared_places(const std::filesystem::path& among,
                                         const std::filesystem::path& lines);

}  // namespace bloomlab::experiments
