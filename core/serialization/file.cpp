#include "core/serialization/file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace bloomlab {

FileError::FileError(const std::string& path, const char* what)
    : std::runtime_error(path + ": cannot be " + what + ": " + std::strerror(errno)) {}

namespace {

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

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

/// Removes what processes that were killed while they wrote `target` left beside it.
void remove_stale_temporaries(const std::string& target) {
  const std::string folder = folder_of(target);
  const std::string name = target.substr(target.rfind('/') + 1);
  DIR* const entries = ::opendir(folder.c_str());
  if (entries == nullptr) return;  // which is reported when it is written
  while (const dirent* entry = ::readdir(entries)) {
    const auto maker = maker_of(entry->d_name, name);
    if (maker && !is_running(*maker)) ::unlink((folder + entry->d_name).c_str());
  }
  ::closedir(entries);
}

/// Makes the renaming itself survive a power cut; a file system that cannot is not an error.
void flush_folder(const std::string& path) {
  const int descriptor = ::open(folder_of(path).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// Where a link points to at last; the path itself where it is none.
std::string target_of(std::string path) {
  constexpr int most_links = 40;  // as many as the kernel follows
  std::array<char, 4096> next;    // the longest path that there is
  for (int link = 0; link < most_links; ++link) {
    const ::ssize_t length = ::readlink(path.c_str(), next.data(), next.size());
    if (length <= 0) break;
    const std::string_view target(next.data(), static_cast<std::size_t>(length));
    path = (target.front() == '/' ? std::string() : folder_of(path)).append(target);
  }
  return path;
}

void require_regular_or_none(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return;
  throw FileError(path + ": is no regular file; only one is written over");
}

}  // namespace

FileSink::FileSink(const std::string& path) : path_(target_of(path)) {
  require_regular_or_none(path);
  remove_stale_temporaries(path_);
  int file = -1;
  // O_EXCL: what stands at a name, a link too, is passed over, not written to.
  for (int attempt = 0; file < 0; ++attempt) {
    temporary_ = temporary_name(path_, ::getpid(), attempt);
    file = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) throw FileError(path_, "written");
  }
  file_ = ::fdopen(file, "wb");
  if (file_ == nullptr) {
    const FileError error(path_, "written");
    ::close(file);
    ::unlink(temporary_.c_str());
    throw error;
  }
}

FileSink::~FileSink() {
  if (file_ != nullptr) static_cast<void>(std::fclose(file_));
  if (!renamed_) ::unlink(temporary_.c_str());
}

void FileSink::write(const char* bytes, std::ptrdiff_t count) {
  const auto size = static_cast<std::size_t>(count);
  if (std::fwrite(bytes, 1, size, file_) != size) throw FileError(path_, "written");
}

void FileSink::write_over(std::ptrdiff_t at, const char* bytes, std::ptrdiff_t count) {
  if (::fseeko(file_, at, SEEK_SET) != 0) throw FileError(path_, "written");
  write(bytes, count);
  if (::fseeko(file_, 0, SEEK_END) != 0) throw FileError(path_, "written");
}

void FileSink::finish() {
  if (std::fflush(file_) != 0) throw FileError(path_, "written");
  if (::fsync(::fileno(file_)) != 0) throw FileError(path_, "flushed to the disk");
  if (std::fclose(std::exchange(file_, nullptr)) != 0) throw FileError(path_, "closed");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw FileError(path_, "put in place");
  renamed_ = true;
  flush_folder(path_);
}

namespace {

/// A regular file, opened to read: nothing else may keep the caller waiting.
int opened_regular(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) throw FileError(path, "opened");
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
  ::close(file);
  throw FileError(path + ": is no regular file, as a saved filter must be");
}

}  // namespace

FileSource::FileSource(const std::string& path) : path_(path), file_(opened_regular(path)) {}

FileSource::~FileSource() { ::close(file_); }

std::size_t FileSource::read(std::span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ::ssize_t found = ::read(file_, out.data() + done, out.size() - done);
    if (found < 0 && errno == EINTR) continue;
    if (found < 0) throw FileError(path_, "read");
    if (found == 0) break;
    done += static_cast<std::size_t>(found);
  }
  return done;
}

MappedFile::MappedFile(const std::string& path) {
  const int file = opened_regular(path);
  struct stat status {};
  void* memory = MAP_FAILED;
  if (::fstat(file, &status) == 0) {
    memory =
        ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_SHARED, file, 0);
  }
  const int error = errno;
  ::close(file);
  errno = error;
  if (memory == MAP_FAILED) throw FileError(path, "mapped");
  bytes_ = {static_cast<const std::byte*>(memory), static_cast<std::size_t>(status.st_size)};
}

MappedFile::~MappedFile() { ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size()); }

}  // namespace bloomlab
