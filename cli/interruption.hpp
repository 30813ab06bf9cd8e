// Ctrl-C and SIGTERM: the last line on the terminal says how to go on.
#pragma once

#include <signal.h>

#include <functional>
#include <string>
#include <thread>

namespace bloomlab::cli {

/// While it lives, SIGINT and SIGTERM clear the renewed line, print one line with `advice` to
/// standard error, and end the program with exit status 130 or 143. Results need no more: a journal
/// survives any end. A signal that was ignored before stays so. One at a time.
class Interruption {
 public:
  /// @param advice asked for when a signal comes, on a thread of its own; one line
  explicit Interruption(std::function<std::string()> advice);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  void watch();

  std::function<std::string()> advice_;
  struct sigaction before_int_ = {};
  struct sigaction before_term_ = {};
  std::thread watcher_;
};

}  // namespace bloomlab::cli
