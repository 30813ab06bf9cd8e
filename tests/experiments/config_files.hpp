// Configs for tests: a good one, copies of it with one change, and files that hold them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bloomlab::experiments::testing {

/// A config without a fault: 12 cells.
extern const std::string good_config;

/// The good config with the first occurrence of `from` replaced. Throws where there is none.
[[nodiscard]] std::string good_config_with(std::string_view from, std::string_view to);

/// A new folder that is gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// Writes a file into the folder and returns its path.
  std::filesystem::path write(const std::string& name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace bloomlab::experiments::testing
