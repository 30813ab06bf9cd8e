#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "record/input_error.hpp"
#include "record/input_file.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::record {
namespace {

[[noreturn]] void fail_to_read(int error) {
  throw InputError(std::string("cannot be read (") + std::strerror(error) +
                   "); check its permissions");
}

class Descriptor {
 public:
  explicit Descriptor(int file) noexcept : file_(file) {}
  ~Descriptor() { ::close(file_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const noexcept { return file_; }

 private:
  int file_;
};

/// Waits until there is something to read, or the end.
void await(int file, std::chrono::milliseconds silence) {
  ::pollfd one{file, POLLIN, 0};
  const int ready = ::poll(&one, 1, static_cast<int>(silence.count()));
  if (ready > 0 || (ready < 0 && errno == EINTR)) return;
  if (ready < 0) fail_to_read(errno);
  throw InputError("nothing came for " + std::to_string(silence.count() / 1000) +
                   " s; name a regular file, or a pipe that is being written");
}

/// Fills `piece` as far as there are bytes; 0 at the end.
std::size_t next_bytes(int file, bool is_first, std::chrono::milliseconds silence,
                       std::array<char, 1 << 16>& piece) {
  // What was opened here does not block: it is read first, as its writer may have gone already.
  bool may_read = (::fcntl(file, F_GETFL) & O_NONBLOCK) != 0;
  for (;;) {
    if (!may_read) await(file, silence);
    const ::ssize_t got = ::read(file, piece.data(), piece.size());
    if (got > 0) return static_cast<std::size_t>(got);
    if (got < 0 && errno != EAGAIN && errno != EINTR) fail_to_read(errno);
    // A pipe ends where it has no writer; before its first byte the writer may be still to come.
    ::pollfd one{file, POLLIN, 0};
    const bool has_ended = ::poll(&one, 1, 0) > 0 && (one.revents & POLLIN) == 0;
    struct stat about {};
    const bool is_pipe = ::fstat(file, &about) == 0 && S_ISFIFO(about.st_mode);
    if (got == 0 && (!is_pipe || !is_first || has_ended)) return 0;
    may_read = false;
  }
}

std::string read_all(int file, const ReadLimits& limits) {
  struct stat about {};
  const bool is_regular = ::fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  const std::uintmax_t most =
      is_regular ? limits.max_bytes : std::min(limits.max_bytes, max_pipe_bytes);
  std::string text;
  // Where there is a size, so that growing does not take twice the room; a pipe has none.
  constexpr std::uintmax_t most_room = std::uintmax_t{1} << 30;
  if (is_regular) {
    text.reserve(std::min({static_cast<std::uintmax_t>(about.st_size), most, most_room}));
  }
  std::array<char, 1 << 16> piece;
  while (const std::size_t got = next_bytes(file, text.empty(), limits.silence, piece)) {
    text.append(piece.data(), got);
    if (text.size() > most) {
      throw InputError("larger than " + std::to_string(most) +
                       (most == limits.max_bytes
                            ? " bytes; this is not a file that is expected here"
                            : " bytes, the most that is read of a pipe; name a regular file"));
    }
  }
  return text;
}

}  // namespace

std::string read_input(const std::filesystem::path& path, const ReadLimits& limits) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status)) throw InputError("no such file; check the path");
  if (std::filesystem::is_directory(status)) throw InputError("is a folder; name a file");
  if (!std::filesystem::is_regular_file(status) && !std::filesystem::is_fifo(status)) {
    throw InputError("is a device or a socket; name a regular file, or a pipe");
  }
  // Opening must not wait for a pipe's writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0) fail_to_read(errno);
  return read_all(file.get(), limits);
}

std::string read_standard_input(const ReadLimits& limits) { return read_all(STDIN_FILENO, limits); }

std::string read_regular(const std::filesystem::path& path, std::uintmax_t max_bytes) {
  try {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat about {};
    if (file.get() < 0 && errno != ELOOP && errno != ENXIO) fail_to_read(errno);
    if (file.get() < 0 || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) {
      throw InputError("is a link or no regular file; put the file itself there");
    }
    return read_all(file.get(), {.max_bytes = max_bytes});
  } catch (const InputError& reason) {
    throw InputError(path.string() + ": " + reason.what());
  }
}

std::string read_text(const std::filesystem::path& path, std::uintmax_t max_bytes) {
  try {
    return read_input(path, {.max_bytes = max_bytes});
  } catch (const InputError& reason) {
    throw InputError(path.string() + ": " + reason.what());
  }
}

std::filesystem::path temporary_folder() {
  const char* const named = std::getenv("TMPDIR");
  const std::string folder = named == nullptr ? "/tmp" : named;
  std::error_code unknown;
  if (std::filesystem::is_directory(folder, unknown) && ::access(folder.c_str(), W_OK) == 0) {
    return folder;
  }
  throw RunError((named == nullptr ? "/tmp" : "TMPDIR: found \"" + folder + "\"") +
                 ", which is no folder that can be written; set TMPDIR to one");
}

}  // namespace bloomlab::record
