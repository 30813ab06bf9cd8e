// Files of saved filters: written whole or not at all, read in parts, or mapped.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "core/serialization/image.hpp"

namespace bloomlab {

/// Thrown where the system cannot read or write a file; what() names it.
class FileError : public std::runtime_error {
 public:
  explicit FileError(const std::string& line) : std::runtime_error(line) {}
  /// "PATH: cannot be WHAT: " and the reason, by errno.
  FileError(const std::string& path, const char* what);
};

/// A file that comes into being under its name when it is finished, and is flushed to the disk
/// then. Before it is a temporary one beside it, PATH.PID-NUMBER.tmp, which an error deletes; those
/// of processes that were killed are removed. Several may write one path at once: the last one's
/// whole file stays. Where the path is a link, its target is written.
class FileSink {
 public:
  /// Throws FileError, also where something stands at the path that is no regular file.
  explicit FileSink(const std::string& path);
  ~FileSink();
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  void write(const char* bytes, std::ptrdiff_t count);
  /// Writes over what was written `at` bytes behind the beginning; further bytes come at the end.
  void write_over(std::ptrdiff_t at, const char* bytes, std::ptrdiff_t count);
  void finish();

 private:
  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
  bool renamed_ = false;
};

/// A file that is read from its beginning.
class FileSource final : public ByteSource {
 public:
  /// Throws FileError, also for anything but a regular file.
  explicit FileSource(const std::string& path);
  ~FileSource();
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(std::span<std::byte> out) override;

 private:
  std::string path_;
  int file_;
};

/// A file's bytes in memory, read by the system when they are touched. Map only files that nobody
/// else writes to: where one is cut short while it is in use, the system ends the process by SIGBUS
/// at the next touch behind the end.
class MappedFile {
 public:
  /// Throws FileError, also for an empty file and for anything but a regular one.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const& noexcept { return bytes_; }
  void bytes() const&& = delete;

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace bloomlab
