// Runs the binary as a user does and keeps what it said.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bloomlab::tests {

struct Said {
  int status = 0;
  std::string out;
  std::string err;
};

/// Runs `bloomlab ARGUMENTS`, as a shell splits them.
[[nodiscard]] Said bloomlab_says(const std::string& arguments);

/// The same with the whole command line given, `$BLOOMLAB` standing for the binary.
[[nodiscard]] Said shell(const std::string& command);

/// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const {
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string read(const std::filesystem::path& file);
void write(const std::filesystem::path& file, const std::string& text);

/// A result file with an observation a trial, so that a test can change one by hand and write it
/// back.
[[nodiscard]] nlohmann::ordered_json observations_in(const std::filesystem::path& result);
void write_observations(const std::filesystem::path& result, const nlohmann::ordered_json& json);

/// A small config of independent cells; `grid_k` is the text of the axis k.
[[nodiscard]] std::string small_config(const std::string& grid_k = "[3, 5, 7]");

}  // namespace bloomlab::tests
