// A folder that is there for one test.
#pragma once

#include <filesystem>
#include <random>
#include <string>

/// Makes an empty folder and removes it with everything in it.
struct Temporary {
  std::filesystem::path path;

  Temporary()
      : path(std::filesystem::temp_directory_path() /
             ("bloomlab_analysis_" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directories(path);
  }
  ~Temporary() { std::filesystem::remove_all(path); }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
};
