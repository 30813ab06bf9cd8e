#include "experiments/applications/scratch_folder.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "record/input_file.hpp"

extern char** environ;  // NOLINT: POSIX names it

namespace bloomlab::experiments {
namespace {

[[noreturn]] void fail_scratch(const std::string& what, int code) {
  throw std::runtime_error("cannot " + what + ": " + std::strerror(code));
}

/// Holds back, for this thread and what it spawns, the signals that people end programs by.
class EndHeldBack {
 public:
  EndHeldBack() {
    sigset_t held;
    ::sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&held, signal);
    ::pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  EndHeldBack(const EndHeldBack&) = delete;
  EndHeldBack& operator=(const EndHeldBack&) = delete;
  ~EndHeldBack() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

ScratchFolder::ScratchFolder(const std::string& name) {
  const EndHeldBack until_guarded;
  std::string made = (record::temporary_folder() / (name + "-XXXXXX")).string();
  if (::mkdtemp(made.data()) == nullptr) fail_scratch("make a temporary folder " + made, errno);
  path_ = made;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_scratch("open a pipe", errno);
  pipe_ = ends[1];
  // The guard ignores what ends the owner's whole group, and outlives its last writer.
  std::string shell = "/bin/sh";
  std::string option = "-c";
  std::string script = "trap '' INT TERM HUP QUIT; cat >/dev/null; rm -rf -- \"$0\"";
  std::array<char*, 5> arguments = {shell.data(), option.data(), script.data(), made.data(),
                                    nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  // Who reads what the owner writes must not wait for the guard.
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const int code =
      ::posix_spawn(&guard_, shell.c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (code == 0) return;
  ::close(pipe_);
  std::filesystem::remove_all(path_);
  fail_scratch("start " + shell, code);
}

ScratchFolder::~ScratchFolder() {
  ::close(pipe_);
  int status = 0;
  while (::waitpid(guard_, &status, 0) < 0 && errno == EINTR) {
  }
}

void end_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace bloomlab::experiments
