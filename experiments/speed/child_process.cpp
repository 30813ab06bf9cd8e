#include "experiments/speed/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "foreign/broken_pipes.hpp"

extern char** environ;  // NOLINT: POSIX names it

namespace bloomlab::experiments {
namespace {

[[noreturn]] void fail_child(const std::string& what, int code) {
  throw std::runtime_error("cannot " + what + ": " + std::strerror(code));
}

/// A pipe; its ends close with it.
class ChildPipe {
 public:
  ChildPipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) fail_child("open a pipe", errno);
  }
  ~ChildPipe() {
    close_end(0);
    close_end(1);
  }
  ChildPipe(const ChildPipe&) = delete;
  ChildPipe& operator=(const ChildPipe&) = delete;

  [[nodiscard]] int reading() const noexcept { return ends_[0]; }
  [[nodiscard]] int writing() const noexcept { return ends_[1]; }
  void close_reading() { close_end(0); }
  void close_writing() { close_end(1); }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

  std::array<int, 2> ends_ = {-1, -1};
};

bool is_overridden(std::string_view entry, const std::vector<std::string>& settings) {
  const std::string_view name = entry.substr(0, entry.find('=') + 1);
  return std::any_of(settings.begin(), settings.end(),
                     [&](const std::string& setting) { return setting.starts_with(name); });
}

std::vector<char*> child_environment(std::vector<std::string>& settings) {
  std::vector<char*> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!is_overridden(*entry, settings)) entries.push_back(*entry);
  }
  for (std::string& setting : settings) entries.push_back(setting.data());
  entries.push_back(nullptr);
  return entries;
}

pid_t start_child(ChildCommand command, const ChildPipe& to_child, const ChildPipe& from_child) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, to_child.reading(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, from_child.writing(), STDOUT_FILENO);
  std::string program = command.program.string();
  std::vector<char*> arguments = {program.data()};
  for (std::string& argument : command.arguments) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  std::vector<char*> settings = child_environment(command.settings);
  pid_t child = 0;
  const int code =
      ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), settings.data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) fail_child("start " + program, code);
  return child;
}

/// A child that ended early takes no more: its status tells why, not the broken pipe.
void write_all(int descriptor, std::string_view text) {
  const foreign::BrokenPipesAreErrors guard;
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 65536> part;
  for (;;) {
    const ssize_t count = ::read(descriptor, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

std::string ending_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return "in an unknown way";
  }
  if (WIFSIGNALED(status)) return "by signal " + std::to_string(WTERMSIG(status));
  return "with exit status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

ChildOutcome run_child(const ChildCommand& command, const std::string& input) {
  ChildPipe to_child;
  ChildPipe from_child;
  const pid_t child = start_child(command, to_child, from_child);
  to_child.close_reading();
  from_child.close_writing();
  write_all(to_child.writing(), input);
  to_child.close_writing();
  ChildOutcome outcome;
  outcome.output = read_all(from_child.reading());
  outcome.ending = ending_of(child);
  return outcome;
}

}  // namespace bloomlab::experiments
