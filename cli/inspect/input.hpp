// The files that `bloomlab inspect` reads, and what their filters tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "core/serialization/file.hpp"
#include "formats/inspection.hpp"
#include "record/input_error.hpp"
#include "record/input_file.hpp"

namespace bloomlab::cli {

/// The bytes of a file. A large one is mapped: were it cut short meanwhile, the system would end
/// the command by SIGBUS.
class FileBytes {
 public:
  /// @param path - is the standard input. Throws InputError.
  explicit FileBytes(const std::string& path) {
    constexpr std::uintmax_t least_mapped = std::uintmax_t{1} << 26;
    std::error_code none;
    const std::uintmax_t size = std::filesystem::file_size(path, none);
    try {
      if (path == "-") {
        text_ = record::read_standard_input();
      } else if (!none && size >= least_mapped && std::filesystem::is_regular_file(path)) {
        mapped_.emplace(path);
      } else {
        text_ = record::read_input(path);
      }
    } catch (const record::InputError& reason) {
      throw record::InputError("inspect: " + path + ": " + with_advice(reason.what()));
    } catch (const FileError& error) {
      throw record::InputError("inspect: " + with_advice(error.what()));
    }
  }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return mapped_ ? mapped_->bytes() : std::as_bytes(std::span(text_));
  }
  /// Whether the bytes can be had again: of a pipe they cannot.
  [[nodiscard]] static bool is_read_again(const std::string& path) {
    std::error_code none;
    return path != "-" && std::filesystem::is_regular_file(path, none);
  }

 private:
  /// What to do, where the reason does not say it.
  static std::string with_advice(std::string reason) {
    if (reason.find(';') != std::string::npos) return reason;
    return reason += "; give a file with a saved filter, or - for the standard input";
  }

  std::string text_;
  std::optional<MappedFile> mapped_;
};

struct InspectedFile {
  std::string path;
  std::vector<formats::Inspection> filters = {};
  std::string error = {};                      ///< why there are none
  std::shared_ptr<const FileBytes> kept = {};  ///< of a pipe
};

}  // namespace bloomlab::cli
