// Files that somebody else names: read so that nothing that stands there can keep a command
// waiting.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace bloomlab::record {

/// Most that is read of what is no regular file, whatever the limits say [bytes].
inline constexpr std::uintmax_t max_pipe_bytes = std::uintmax_t{1} << 30;

/// What is read at most.
struct ReadLimits {
  std::uintmax_t max_bytes = std::numeric_limits<std::uintmax_t>::max();
  std::chrono::milliseconds silence = std::chrono::seconds(10);  ///< of a pipe, at a time
};

/// The bytes of a regular file, or of a pipe such as `<(...)` until its end. Throws InputError with
/// the reason alone ("no such file; check the path"): for folders, devices and sockets, a pipe that
/// is silent for too long, and more bytes than allowed.
[[nodiscard]] std::string read_input(const std::filesystem::path& path,
                                     const ReadLimits& limits = {});

/// The same of the standard input, whatever it is.
[[nodiscard]] std::string read_standard_input(const ReadLimits& limits = {});

/// The bytes of a regular file that no link leads to, in a folder that somebody else filled. Throws
/// InputError with the path and the reason, where it is anything else too.
[[nodiscard]] std::string read_regular(const std::filesystem::path& path, std::uintmax_t max_bytes);

/// The folder for temporary files, that of TMPDIR where it is set. Throws RunError, which names
/// TMPDIR, where it is no folder that can be written.
[[nodiscard]] std::filesystem::path temporary_folder();

}  // namespace bloomlab::record
