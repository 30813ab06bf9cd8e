// Writing a file so that nobody ever sees half of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>

namespace bloomlab {
class FileSink;
}

namespace bloomlab::record {

/// Most bytes of a file's name: 255, less what the name of its temporary file has more.
inline constexpr std::size_t max_name_bytes = 235;

/// Refuses a folder that could not be written, or made, before work that takes long; makes nothing.
/// Throws InputError, which names the option that it was given by.
void require_writable_folder(const std::filesystem::path& folder, std::string_view option);
/// The same of a file in such a folder, which may stand there.
void require_writable_file(const std::filesystem::path& file, std::string_view option);

/// Writes `text` to `path` as FileSink does (core/serialization/file.hpp); makes the folder where
/// there is none. Throws RunError where that cannot be done, also where something stands there that
/// is no regular file, and leaves what was there as it was.
void write_atomically(const std::filesystem::path& path, std::string_view text);
/// A file that is being written so.
class TextSink {
 public:
  explicit TextSink(FileSink& file) : file_(file) {}
  void add(std::string_view text);
  /// Writes over what stands from byte `at` on.
  void write_over(std::size_t at, std::string_view text);

 private:
  FileSink& file_;
};
/// The same of a text that `make` gives piece by piece. What it throws leaves no file.
void write_atomically(const std::filesystem::path& path,
                      const std::function<void(TextSink&)>& make);

}  // namespace bloomlab::record
