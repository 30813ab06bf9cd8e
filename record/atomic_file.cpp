#include "record/atomic_file.hpp"

#include <string>
#include <system_error>

#include "core/serialization/file.hpp"
#include "record/input_error.hpp"

namespace bloomlab::record {

void write_atomically(const std::filesystem::path& path, std::string_view text) {
  if (path.has_parent_path()) {
    std::error_code ignored;  // the file reports what went wrong
    std::filesystem::create_directories(path.parent_path(), ignored);
  }
  try {
    FileSink file(path.string());
    file.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
    file.finish();
  } catch (const FileError& error) {
    throw RunError(error.what() +
                   std::string("; check that the folder exists, is yours to write, and has room"));
  }
}

}  // namespace bloomlab::record
