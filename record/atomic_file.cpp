#include "record/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "record/input_error.hpp"

namespace bloomlab::record {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const char* what, int error) {
  throw RunError(path.string() + ": " + what + " (" + std::strerror(error) +
                 "); check that the folder exists, is yours to write, and has room");
}

/// A temporary file that is gone at the end unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target) : target_(target) {
    // O_EXCL: a name that a killed process left behind is passed over, not overwritten.
    for (int attempt = 0; descriptor_ < 0; ++attempt) {
      name_ = target.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) +
              ".tmp";
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

}  // namespace

void write_atomically(const std::filesystem::path& path, std::string_view text) {
  if (path.has_parent_path()) {
    std::error_code ignored;  // the temporary file reports what went wrong
    std::filesystem::create_directories(path.parent_path(), ignored);
  }
  TemporaryFile file(path);
  file.write(text);
  file.rename();
  flush_folder(path);
}

}  // namespace bloomlab::record
