#include "cli/interruption.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

#include "cli/one_line.hpp"
#include "cli/progress_printer.hpp"
#include "record/input_error.hpp"

namespace bloomlab::cli {
namespace {

// What a signal handler may touch: it writes the signal's number, the watcher reads it.
std::array<int, 2> signal_pipe = {-1, -1};

constexpr unsigned char no_signal = 0;

void note_signal(int signal) {
  const int before = errno;
  const auto number = static_cast<unsigned char>(signal);
  static_cast<void>(!::write(signal_pipe[1], &number, 1));
  errno = before;
}

void catch_signal(int signal, struct sigaction& before) {
  ::sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

void write_to_errors(const std::string& text) {
  static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
}

}  // namespace

Interruption::Interruption(std::function<std::string()> advice) : advice_(std::move(advice)) {
  if (::pipe2(signal_pipe.data(), O_CLOEXEC) != 0) {
    throw record::RunError(std::string("cannot open a pipe: ") + std::strerror(errno));
  }
  watcher_ = std::thread([this] { watch(); });
  catch_signal(SIGINT, before_int_);
  catch_signal(SIGTERM, before_term_);
}

Interruption::~Interruption() {
  ::sigaction(SIGINT, &before_int_, nullptr);
  ::sigaction(SIGTERM, &before_term_, nullptr);
  // A signal that came before this stands in the pipe first: then this thread ends with the
  // program.
  static_cast<void>(!::write(signal_pipe[1], &no_signal, 1));
  watcher_.join();
  for (int& end : signal_pipe) ::close(std::exchange(end, -1));
}

void Interruption::watch() {
  unsigned char signal = no_signal;
  ssize_t got = 0;
  do {
    got = ::read(signal_pipe[0], &signal, 1);
  } while (got < 0 && errno == EINTR);
  if (got != 1 || signal == no_signal) return;
  // Never given back: nothing is to be printed after the last line.
  terminal_mutex().lock();
  const char* clear = ::isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "";
  write_to_errors(clear + std::string("bloomlab: ") +
                  (signal == SIGINT ? "interrupted; " : "terminated; ") + one_line(advice_()) +
                  "\n");
  ::_exit(128 + signal);
}

}  // namespace bloomlab::cli
