#include "tests/experiments/config_files.hpp"

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <stdexcept>

namespace bloomlab::experiments::testing {

const std::string good_config = R"({
  "$schema": "bloomlab-config-1",
  "kind": "false_positive_rate",
  "title": "A title",
  "question": "A question?",
  "seed": 42,
  "trials": 2,
  "queries": 1000,
  "shared_across": ["/filter/k"],
  "expected_flags": [],
  "grid": {
    "keys": {"source": "uniform"},
    "n": [100, 1000],
    "filter": {"kind": "standard", "m": {"per_n": [8, 9.6]}, "k": {"range": [5, 7]}},
    "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}
  }
}
)";

std::string good_config_with(std::string_view from, std::string_view to) {
  std::string text = good_config;
  const std::size_t place = text.find(from);
  if (place == std::string::npos) {
    throw std::logic_error("the good config has no " + std::string(from));
  }
  return text.replace(place, from.size(), to);
}

TemporaryFolder::TemporaryFolder() {
  static std::atomic<int> number = 0;
  path_ = std::filesystem::temp_directory_path() /
          ("bloomlab-test-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
  std::filesystem::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryFolder::write(const std::string& name, std::string_view text) const {
  const std::filesystem::path path = path_ / name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

}  // namespace bloomlab::experiments::testing
