// The guard: between us and a filter from outside, so that whatever happens to us, to it or to what
// it starts, nothing is left behind. It is the subreaper of all that the filter starts (Linux,
// prctl(2)): a process that its parent left comes to the guard.
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "foreign/process_tree.hpp"
#include "foreign/runner/runner.hpp"

namespace bloomlab::foreign::runner {
namespace {

namespace fs = std::filesystem;

constexpr int control = 3;
constexpr int status_of_failed_start = 127;
/// How often memory is looked at [ms].
constexpr int watch_ms = 50;
/// What is kept of standard error [bytes].
constexpr std::size_t most_kept = 4096;
/// Largest file that a filter may write [bytes].
constexpr rlim_t most_file_bytes = rlim_t{1} << 34;

void write_file(const char* path, const std::string& text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(!::write(file, text.data(), text.size()));
  ::close(file);
}

/// A network of its own without any device. Without the right to it, by a user of its own that
/// stands for the same one; where neither is allowed the network stays.
void cut_off_network() {
  if (::unshare(CLONE_NEWNET) == 0) return;
  const uid_t user = ::getuid();
  const gid_t group = ::getgid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return;
  const auto same = [](auto id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  write_file("/proc/self/setgroups", "deny");
  write_file("/proc/self/uid_map", same(user));
  write_file("/proc/self/gid_map", same(group));
}

void limit(int resource, rlim_t most) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) return;
  now.rlim_cur = std::min(now.rlim_max, most);
  now.rlim_max = now.rlim_cur;
  ::setrlimit(static_cast<__rlimit_resource>(resource), &now);
}

/// Beyond what the guard watches, for what takes memory faster than it looks.
rlim_t data_limit(const Job& job) {
  return static_cast<rlim_t>(job.memory_mib + job.memory_mib / 2 + 256) << 20;
}

[[noreturn]] void fail_to_start(const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", what.c_str(), std::strerror(errno));
  ::_exit(status_of_failed_start);
}

/// The side of the filter: becomes it, or serves the library.
[[noreturn]] void become(const Job& job, const std::string& temporary) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::close(control);
  if (!job.network) cut_off_network();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, most_file_bytes);
  ::setenv("TMPDIR", temporary.c_str(), 1);
  if (::chdir(job.folder.c_str()) != 0) fail_to_start(job.folder);
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (!job.library.empty()) {
#if !defined(__SANITIZE_ADDRESS__)  // whose own memory would count
    limit(RLIMIT_DATA, data_limit(job));
#endif
    ::_exit(host_library(job.library));
  }
  std::vector<char*> arguments;
  for (const std::string& argument : job.command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));  // NOLINT: exec changes none
  }
  arguments.push_back(nullptr);
  limit(RLIMIT_DATA, data_limit(job));
  ::execvp(arguments.front(), arguments.data());
  fail_to_start(job.command.front());
}

/// Memory that is present of a process [MiB].
std::uint64_t present_mib(pid_t process) {
  std::ifstream numbers("/proc/" + std::to_string(process) + "/statm");
  std::uint64_t size = 0;
  std::uint64_t present = 0;
  numbers >> size >> present;
  return present * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) >> 20;
}

/// Ends everything below the guard, also what was started meanwhile or left its group.
void end_all(pid_t filter) {
  ::kill(-filter, SIGKILL);
  for (;;) {
    for (const pid_t process : processes_below(::getpid())) ::kill(process, SIGKILL);
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0 && errno == ECHILD) return;
    ::usleep(1000);
  }
}

/// Standard error of the filter; its end is kept.
class LastWords {
 public:
  explicit LastWords(int descriptor) : descriptor_(descriptor) {
    ::fcntl(descriptor_, F_SETFL, O_NONBLOCK);
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }

  void take_in() {
    std::array<char, 65536> part{};
    ssize_t count = 0;
    while ((count = ::read(descriptor_, part.data(), part.size())) > 0) {
      text_.append(part.data(), static_cast<std::size_t>(count));
      if (text_.size() > most_kept) text_.erase(0, text_.size() - most_kept);
    }
    if (count == 0) descriptor_ = -1;
  }

  /// The last line that is not empty.
  [[nodiscard]] std::string line() const {
    const std::size_t last = text_.find_last_not_of(" \t\r\n");
    if (last == std::string::npos) return "";
    const std::size_t before = text_.rfind('\n', last);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    return text_.substr(first, last + 1 - first);
  }

 private:
  int descriptor_;
  std::string text_;
};

std::string ending_of(int status, const LastWords& last_words) {
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == status_of_failed_start) return "start " + last_words.line();
  return "exit " + std::to_string(WEXITSTATUS(status));
}

/// Waits for the filter's end, the end of the control socket, or too much memory.
/// @return how it ended; nothing where nobody waits for it any more
std::optional<std::string> watch(const Job& job, pid_t filter, int signals, LastWords& last_words) {
  for (;;) {
    std::array<pollfd, 3> entries = {
        {{control, POLLIN, 0}, {signals, POLLIN, 0}, {last_words.descriptor(), POLLIN, 0}}};
    ::poll(entries.data(), entries.size(), watch_ms);
    if (entries[2].revents != 0) last_words.take_in();
    int status = 0;
    if (::waitpid(filter, &status, WNOHANG) == filter) {
      last_words.take_in();
      return ending_of(status, last_words);
    }
    if (entries[0].revents != 0) return std::nullopt;
    if (entries[1].revents != 0) {
      signalfd_siginfo signal{};
      static_cast<void>(!::read(signals, &signal, sizeof signal));
      if (signal.ssi_signo != SIGCHLD) return std::nullopt;
    }
    std::uint64_t present = 0;
    for (const pid_t process : processes_below(::getpid())) present += present_mib(process);
    if (present > job.memory_mib) return "memory " + std::to_string(job.memory_mib);
  }
}

std::string make_temporary() {
  const char* const place = std::getenv("TMPDIR");
  std::string pattern = std::string(place != nullptr ? place : "/tmp") + "/bloomlab-foreign-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) return "";
  return pattern;
}

/// The signals that end a program, and those of children, as a descriptor.
int catch_signals() {
  sigset_t caught;
  ::sigemptyset(&caught);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&caught, signal);
  ::sigprocmask(SIG_BLOCK, &caught, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return ::signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
}

void say(const std::string& text) {
  static_cast<void>(!::write(control, text.data(), text.size()));
}

}  // namespace

int guard(const Job& job) {
  ::fcntl(control, F_SETFD, FD_CLOEXEC);
  ::setsid();  // what the terminal sends to its programs is not for the filter
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const int signals = catch_signals();
  const std::string temporary = make_temporary();
  std::array<int, 2> errors{};
  if (temporary.empty() || signals < 0 || ::pipe2(errors.data(), O_CLOEXEC) != 0) {
    say(std::string("start no temporary folder or pipe: ") + std::strerror(errno));
    return 1;
  }
  const pid_t filter = ::fork();
  if (filter == 0) {
    ::dup2(errors[1], STDERR_FILENO);
    become(job, temporary);
  }
  ::close(errors[1]);
  ::close(STDIN_FILENO);
  ::close(STDOUT_FILENO);
  LastWords last_words(errors[0]);
  std::optional<std::string> ending = "start " + std::string(std::strerror(errno));
  if (filter > 0) {
    ending = watch(job, filter, signals, last_words);
    end_all(filter);
    last_words.take_in();
  }
  std::error_code left;
  fs::remove_all(temporary, left);
  if (ending) say(*ending + "\n" + (ending->starts_with("start") ? "" : last_words.line()));
  return 0;
}

}  // namespace bloomlab::foreign::runner
