// A file's text, for tests that look at what was written.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

/// The bytes of a file; empty where it cannot be read.
inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
