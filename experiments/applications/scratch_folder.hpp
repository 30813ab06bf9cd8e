// A folder that is gone when its owner is, however that ends: a small process of its own waits for
// the owner's end and removes it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace bloomlab::experiments {

/// A new, empty folder below the system's temporary one. Not for use by several threads.
class ScratchFolder {
 public:
  /// @param name the beginning of its name. Throws std::runtime_error where it cannot be made.
  explicit ScratchFolder(const std::string& name);
  /// Removes it with all that is in it, and waits until it is gone.
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  int pipe_ = -1;  ///< its end tells the guard that the owner has ended
  pid_t guard_ = -1;
};

/// Has the system kill this process when the one that started it ends. Nothing where it cannot.
void end_with_parent();

}  // namespace bloomlab::experiments
