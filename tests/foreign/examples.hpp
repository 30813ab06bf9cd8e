// The filters from outside that the tests use.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "core/keys/key_batch.hpp"
#include "foreign/foreign_filter.hpp"
#include "tests/paths.hpp"

namespace bloomlab::tests {

inline foreign::Target python_example() {
  return {.command = {"python3", "my_filter.py"},
          .folder = BLOOMLAB_SOURCE_DIR "/examples/foreign/python"};
}

inline foreign::Target python_hash() {
  return {.command = {"python3", "my_hash.py"},
          .folder = BLOOMLAB_SOURCE_DIR "/examples/foreign/python"};
}

inline foreign::Target c_example() {
  return {.library = "libexample_c.so", .folder = BLOOMLAB_BINARY_DIR "/tests"};
}

/// A filter that does the wrong thing at that call.
inline foreign::Target faulty(const std::string& fault, const std::string& at_call = "query",
                              double seconds = 20.0) {
  return {.command = {"python3", "faulty.py", fault, at_call},
          .folder = BLOOMLAB_SOURCE_DIR "/tests/foreign/filters",
          .limits = {.seconds = seconds}};
}

/// The integers first .. first + count - 1.
inline std::vector<std::uint64_t> numbers(std::uint64_t first, std::size_t count) {
  std::vector<std::uint64_t> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace bloomlab::tests
