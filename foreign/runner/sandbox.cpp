// The command line of bubblewrap (bwrap(1)). It is written as the user who executes it: what that
// user cannot reach needs no cover.
#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "foreign/runner/runner.hpp"

namespace bloomlab::foreign::runner {
namespace {

namespace fs = std::filesystem;

bool is_within(const std::string& path, const std::string& place) {
  return path == place || (path.starts_with(place) && path[place.size()] == '/');
}

bool is_folder(const std::string& path) {
  std::error_code unknown;
  return fs::is_directory(fs::symlink_status(path, unknown));
}

class Command {
 public:
  explicit Command(const Job& job)
      : part_(std::to_string((job.memory_mib << 20) / most_written)), words_({job.bubblewrap}) {}

  void add(std::initializer_list<std::string_view> words) {
    words_.insert(words_.end(), words.begin(), words.end());
  }
  /// An empty folder in memory. All that are written into take as much as the filter may have.
  void empty_folder(const std::string& path) {
    add({"--size", part_, "--tmpfs", path});
    empty_.push_back(path);
  }
  void unwritten_folder(const std::string& path) {
    empty_folder(path);
    unwritten_.push_back(path);
  }
  [[nodiscard]] bool is_covered(const std::string& path) const {
    for (const std::string& place : empty_) {
      if (is_within(path, place)) return true;
    }
    return false;
  }
  void hide(const std::string& path) {
    std::error_code unknown;
    if (path.empty() || path == "/" || is_covered(path)) return;
    if (is_folder(path)) {
      unwritten_folder(path);
    } else if (fs::exists(path, unknown)) {
      add({"--ro-bind", "/dev/null", path});
    }
  }
  /// Last of all, as bubblewrap makes in them what is mounted there.
  void end_writing() {
    for (const std::string& path : unwritten_) add({"--remount-ro", path});
  }
  [[nodiscard]] std::vector<std::string> words() && { return std::move(words_); }

 private:
  /// /dev/shm, /tmp, /var/tmp and the folder for temporary files.
  static constexpr std::uint64_t most_written = 4;

  std::string part_;
  std::vector<std::string> words_;
  std::vector<std::string> empty_;
  std::vector<std::string> unwritten_;
};

}  // namespace

std::vector<std::string> isolating_command(const Job& job, const std::string& temporary) {
  Command command(job);
  command.add({"--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent",
               "--new-session", "--as-pid-1", "--cap-drop", "ALL"});
  if (!job.network) command.add({"--unshare-net"});
  if (::getuid() == 0) {
    // What a program needs that gives up root by itself.
    for (const char* const right : {"CAP_SETUID", "CAP_SETGID", "CAP_CHOWN"}) {
      command.add({"--cap-add", right});
    }
  }
  command.add({"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"});
  command.empty_folder("/dev/shm");
  command.add({"--remount-ro", "/dev"});
  for (const char* const place : {"/tmp", "/var/tmp"}) {
    if (is_folder(place)) command.empty_folder(place);
  }
  if (is_folder("/run")) command.unwritten_folder("/run");
  if (job.network) {
    command.add({"--ro-bind-try", "/run/systemd/resolve", "/run/systemd/resolve"});
  }
  command.hide(job.home);
  for (const std::string& path : job.hidden) command.hide(path);
  for (const std::string& path : job.shown) {
    if (command.is_covered(path)) command.add({"--ro-bind", path, path});
  }
  if (job.writes_folder) {
    command.add({"--bind", job.folder, job.folder});
  } else if (command.is_covered(job.folder)) {
    command.add({"--ro-bind", job.folder, job.folder});
  }
  command.empty_folder(temporary);
  command.end_writing();
  command.add({"--chdir", job.folder, "--"});
  return std::move(command).words();
}

}  // namespace bloomlab::foreign::runner
