#include "analysis/plot/process.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

namespace bloomlab::analysis::plot {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
/// A file without a name: gone when closed. Files instead of pipes cannot block each other.
using ScratchFile = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void refuse(int error, const char* what) {
  throw std::system_error(error, std::generic_category(), what);
}

ScratchFile scratch_file() {
  ScratchFile file(std::tmpfile());
  if (!file) refuse(errno, "cannot make a temporary file");
  return file;
}

void write_all(std::FILE* file, const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0) {
    refuse(errno, "cannot write a temporary file");
  }
  std::rewind(file);
}

std::string read_all(std::FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 65536> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file)) {
    text.append(buffer.data(), got);
  }
  return text;
}

/// The three standard streams of a child.
class Streams {
 public:
  Streams(std::FILE* input, std::FILE* output, std::FILE* errors) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, fileno(input), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, fileno(output), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, fileno(errors), STDERR_FILENO);
  }
  ~Streams() { posix_spawn_file_actions_destroy(&actions_); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) refuse(errno, "cannot wait for a program");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Finished run_program(const std::string& program, const std::string& argument,
                     const std::string& input) {
  const ScratchFile in = scratch_file();
  const ScratchFile out = scratch_file();
  const ScratchFile err = scratch_file();
  write_all(in.get(), input);
  const char* const path_value = std::getenv("PATH");
  std::string path = std::string("PATH=") + (path_value != nullptr ? path_value : "");
  std::string locale = "LC_ALL=C";
  std::string name = program;
  std::string option = argument;
  const std::array<char*, 3> arguments = {name.data(), option.data(), nullptr};
  const std::array<char*, 3> environment = {path.data(), locale.data(), nullptr};
  const Streams streams(in.get(), out.get(), err.get());
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), streams.get(), nullptr, arguments.data(),
                                 environment.data());
  if (error == ENOENT || error == EACCES || error == ENOTDIR) return {};
  if (error != 0) refuse(error, "cannot start a program");
  Finished finished{true, wait_for(child), {}, {}};
  finished.output = read_all(out.get());
  finished.errors = read_all(err.get());
  return finished;
}

}  // namespace bloomlab::analysis::plot
