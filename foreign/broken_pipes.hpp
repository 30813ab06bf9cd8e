// Writing into a pipe whose reader may be gone.
#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>

namespace bloomlab::foreign {

/// While it lives, a write of this thread into a pipe that nobody reads is an error and no signal;
/// other threads and the program's own handlers are left alone.
class BrokenPipesAreErrors {
 public:
  BrokenPipesAreErrors() {
    sigemptyset(&broken_pipe_);
    sigaddset(&broken_pipe_, SIGPIPE);
    sigset_t pending;
    was_pending_ = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &broken_pipe_, &before_);
  }
  ~BrokenPipesAreErrors() {
    // What was raised meanwhile is this thread's own, and is taken before it is let through.
    const timespec at_once = {};
    while (!was_pending_ && sigtimedwait(&broken_pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  BrokenPipesAreErrors(const BrokenPipesAreErrors&) = delete;
  BrokenPipesAreErrors& operator=(const BrokenPipesAreErrors&) = delete;

 private:
  sigset_t broken_pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

}  // namespace bloomlab::foreign
