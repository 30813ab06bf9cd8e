#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "record/input_error.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::record {

std::string read_text(const std::filesystem::path& path, std::uintmax_t max_bytes) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status)) {
    throw InputError(path.string() + ": no such file; check the path");
  }
  if (std::filesystem::is_directory(status)) {
    throw InputError(path.string() + ": is a folder; name a file");
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (!file) {
    throw InputError(path.string() + ": cannot be read (" + std::strerror(errno) +
                     "); check its permissions");
  }
  std::string text;
  std::array<char, 1 << 16> piece;
  // The size is not asked beforehand: a pipe has none.
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get())) {
    text.append(piece.data(), got);
    if (text.size() > max_bytes) {
      throw InputError(path.string() + ": larger than " + std::to_string(max_bytes) +
                       " bytes; this is not a file that is expected here");
    }
  }
  if (std::ferror(file.get()) != 0) {
    throw InputError(path.string() + ": cannot be read to its end; check the disk");
  }
  return text;
}

}  // namespace bloomlab::record
