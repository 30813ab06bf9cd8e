#include "core/serialization/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace bloomlab {

FileError::FileError(const std::string& path, const char* what)
    : std::runtime_error(path + ": cannot be " + what + ": " + std::strerror(errno)) {}

FileSink::FileSink(std::string path)
    : path_(std::move(path)),
      temporary_(path_ + ".part"),
      file_(std::fopen(temporary_.c_str(), "wb")) {
  if (file_ == nullptr) throw FileError(temporary_, "opened to write");
}

FileSink::~FileSink() {
  if (file_ == nullptr) return;
  static_cast<void>(std::fclose(file_));
  static_cast<void>(std::remove(temporary_.c_str()));
}

void FileSink::write(const char* bytes, std::ptrdiff_t count) {
  const auto size = static_cast<std::size_t>(count);
  if (std::fwrite(bytes, 1, size, file_) != size) throw FileError(temporary_, "written");
}

void FileSink::finish() {
  const bool flushed = std::fflush(file_) == 0;
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!flushed || !closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const FileError error(path_, "written");
    static_cast<void>(std::remove(temporary_.c_str()));
    throw error;
  }
}

FileSource::FileSource(const std::string& path)
    : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) throw FileError(path, "opened");
}

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
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw FileError(path, "opened");
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
