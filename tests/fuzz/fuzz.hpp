// What the fuzzers share: their input as text, and as a file for readers that take a path.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace bloomlab::fuzz {

/// The input as text.
[[nodiscard]] inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A file in memory that holds the input of the day; one a process.
[[nodiscard]] inline std::filesystem::path file_of(std::string_view text, const char* extension) {
  static const std::filesystem::path path =
      std::filesystem::path("/dev/shm") / ("bloomlab-fuzz-" + std::to_string(getpid()) + extension);
  static const bool removed_at_exit = [] {
    std::atexit([] {
      std::error_code ignored;
      std::filesystem::remove(path, ignored);
    });
    return true;
  }();
  static_cast<void>(removed_at_exit);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  return path;
}

/// Ends the process where a promise does not hold, so that the fuzzer keeps the input.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace bloomlab::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
