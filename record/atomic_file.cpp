#include "record/atomic_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "core/serialization/file.hpp"
#include "record/input_error.hpp"

namespace bloomlab::record {

namespace fs = std::filesystem;

void require_writable_folder(const fs::path& folder, std::string_view option) {
  const std::string by = std::string(option);
  std::error_code fault;
  fs::path at = fs::absolute(folder, fault);
  for (; !fault && !fs::exists(at, fault) && at.has_relative_path(); at = at.parent_path()) {
    if (fault) break;
  }
  if (fault) {
    throw InputError(folder.string() + ": cannot be used (" + fault.message() +
                     "); name another folder by " + by);
  }
  if (!fs::is_directory(at, fault)) {
    throw InputError(at.string() + ": is no folder; name one by " + by);
  }
  if (::access(at.c_str(), W_OK | X_OK) == 0) return;
  throw InputError(at.string() + ": cannot be written (" + std::strerror(errno) +
                   "); name another folder by " + by + ", or change its permissions");
}

void require_writable_file(const fs::path& file, std::string_view option) {
  std::error_code unknown;
  if (fs::exists(file, unknown) && !fs::is_regular_file(file, unknown)) {
    throw InputError(file.string() + ": is no regular file; name one by " + std::string(option));
  }
  require_writable_folder(file.has_parent_path() ? file.parent_path() : fs::path("."), option);
}

void TextSink::add(std::string_view text) {
  file_.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
}

void TextSink::write_over(std::size_t at, std::string_view text) {
  file_.write_over(static_cast<std::ptrdiff_t>(at), text.data(),
                   static_cast<std::ptrdiff_t>(text.size()));
}

void write_atomically(const std::filesystem::path& path, std::string_view text) {
  write_atomically(path, [&](TextSink& file) { file.add(text); });
}

void write_atomically(const std::filesystem::path& path,
                      const std::function<void(TextSink&)>& make) {
  if (path.has_parent_path()) {
    std::error_code ignored;  // the file reports what went wrong
    std::filesystem::create_directories(path.parent_path(), ignored);
  }
  try {
    FileSink file(path.string());
    TextSink sink(file);
    make(sink);
    file.finish();
  } catch (const FileError& error) {
    throw RunError(error.what() +
                   std::string("; check that the folder exists, is yours to write, and has room"));
  }
}

}  // namespace bloomlab::record
