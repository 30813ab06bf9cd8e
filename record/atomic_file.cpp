#include "record/atomic_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "record/input_error.hpp"

namespace bloomlab::record {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const char* what, int error) {
  throw RunError(path.string() + ": " + what + " (" + std::strerror(error) +
                 "); check that the folder exists, is yours to write, and has room");
}

constexpr std::string_view temporary_ending = ".tmp";

/// NAME.PID-ATTEMPT.tmp beside NAME.
std::string temporary_name(const std::string& target, ::pid_t process, int attempt) {
  std::string name = target;
  name.append(".").append(std::to_string(process)).append("-").append(std::to_string(attempt));
  return name.append(temporary_ending);
}

/// The process that made this temporary file of `target`; nothing where it is none.
std::optional<::pid_t> maker_of(std::string_view name, const std::string& target) {
  if (!name.starts_with(target + ".") || !name.ends_with(temporary_ending)) return std::nullopt;
  ::pid_t process = 0;
  int attempt = 0;
  const char* first = name.data() + target.size() + 1;
  const char* last = name.data() + name.size() - temporary_ending.size();
  const auto [dash, no_process] = std::from_chars(first, last, process);
  if (no_process != std::errc() || dash == last || *dash != '-') return std::nullopt;
  const auto [end, no_attempt] = std::from_chars(dash + 1, last, attempt);
  // Only a name that would be made so: no sign, no zero in front.
  const bool ours = no_attempt == std::errc() && end == last && process > 0 &&
                    name == temporary_name(target, process, attempt);
  return ours ? std::optional(process) : std::nullopt;
}

bool is_running(::pid_t process) { return ::kill(process, 0) == 0 || errno != ESRCH; }

/// Removes what processes that were killed while they wrote `target` left beside it.
void remove_stale_temporaries(const std::filesystem::path& target) {
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  std::error_code fault;  // a folder that cannot be read is reported when it is written
  for (std::filesystem::directory_iterator entry(folder, fault), end; !fault && entry != end;
       entry.increment(fault)) {
    const auto maker = maker_of(entry->path().filename().string(), target.filename().string());
    if (maker && !is_running(*maker)) ::unlink(entry->path().c_str());
  }
}

/// A temporary file that is gone at the end unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target) : target_(target) {
    // O_EXCL: a name that a killed process left behind is passed over, not overwritten.
    for (int attempt = 0; descriptor_ < 0; ++attempt) {
      name_ = temporary_name(target.string(), ::getpid(), attempt);
      descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) refuse(target_, "cannot be written", errno);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(name_.c_str());
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t put = ::write(descriptor_, text.data(), text.size());
      if (put < 0 && errno != EINTR) refuse(target_, "cannot be written", errno);
      if (put > 0) text.remove_prefix(static_cast<std::size_t>(put));
    }
  }

  void rename() {
    if (::fsync(descriptor_) != 0) refuse(target_, "cannot be flushed to the disk", errno);
    if (::close(std::exchange(descriptor_, -1)) != 0) refuse(target_, "cannot be closed", errno);
    if (::rename(name_.c_str(), target_.c_str()) != 0) {
      refuse(target_, "cannot be put in place", errno);
    }
    renamed_ = true;
  }

 private:
  const std::filesystem::path& target_;
  std::string name_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

/// Makes the renaming itself survive a power cut; a file system that cannot is not an error.
void flush_folder(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// Where a link points to at last; the path itself where it is none.
std::filesystem::path target_of(std::filesystem::path path) {
  constexpr int most_links = 40;  // as many as the kernel follows
  std::error_code fault;
  for (int link = 0; link < most_links && std::filesystem::is_symlink(path, fault); ++link) {
    const std::filesystem::path next = std::filesystem::read_symlink(path, fault);
    if (fault) break;
    path = path.parent_path() / next;  // an absolute one replaces it
  }
  return path;
}

}  // namespace

void write_atomically(const std::filesystem::path& link, std::string_view text) {
  const std::filesystem::path path = target_of(link);
  if (path.has_parent_path()) {
    std::error_code ignored;  // the temporary file reports what went wrong
    std::filesystem::create_directories(path.parent_path(), ignored);
  }
  remove_stale_temporaries(path);
  TemporaryFile file(path);
  file.write(text);
  file.rename();
  flush_folder(path);
}

}  // namespace bloomlab::record
