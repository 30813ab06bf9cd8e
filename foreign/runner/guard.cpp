// The guard: between us and a filter from outside, so that whatever happens to us, to it or to what
// it starts, nothing is left behind. It is the subreaper of all that the filter starts (Linux,
// prctl(2)): a process that its parent left comes to the guard.
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "foreign/process_tree.hpp"
#include "foreign/runner/runner.hpp"

namespace bloomlab::foreign::runner {
namespace {

namespace fs = std::filesystem;

constexpr int control = 3;
/// How often memory is looked at [ms].
constexpr int watch_ms = 50;
/// Every so many times also at what processes share, which takes longer.
constexpr std::size_t looks_for_shared = 8;
/// What is kept of standard error [bytes].
constexpr std::size_t most_kept = 4096;
/// Processes and threads below the guard: bubblewrap and ours are among them.
constexpr std::size_t most_threads = most_processes + 4;

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

/// Beyond what the guard watches, for what takes memory faster than it looks [MiB].
std::uint64_t data_limit_mib(const Job& job) { return job.memory_mib + job.memory_mib / 2 + 256; }

/// Descriptors, as the filter's side has them.
struct Ends {
  int program = -1;  ///< this program, wherever it is
  int input = -1;
  int output = -1;
  int status = -1;
};

[[noreturn]] void fail(int status, const std::string& what) {
  const std::string text = "isolate " + what + ": " + std::strerror(errno) + "\n";
  static_cast<void>(!::write(status, text.data(), text.size()));
  ::_exit(status_of_failed_start);
}

/// A user that nobody else is, who owns nothing but the folder.
void become_own_user(const Job& job, int status) {
  constexpr uid_t first = 1'000'000'000;
  constexpr uid_t nobody = 65534;
  const auto own = first + static_cast<uid_t>(::getppid());
  const auto become = [](uid_t user) {
    return ::setresgid(user, user, user) == 0 && ::setresuid(user, user, user) == 0;
  };
  const auto give = [&job](uid_t user) {
    std::error_code fault;
    for (fs::directory_iterator file(job.folder, fault), end; !fault && file != end;
         file.increment(fault)) {
      if (::lchown(file->path().c_str(), user, user) != 0) return false;
    }
    return !fault && ::lchown(job.folder.c_str(), user, user) == 0;
  };
  if (::setgroups(0, nullptr) != 0) fail(status, "give up groups");
  // Where this root has few users there is one that owns nothing.
  if (give(own) && become(own)) return;
  if (!give(nobody) || !become(nobody)) fail(status, "be a user of its own");
}

/// Becomes what starts the filter, isolated where that is wanted.
[[noreturn]] void become(const Job& job, const std::string& temporary, const Ends& ends) {
  ::setpgid(0, 0);
  ::close(control);
  if (job.own_user && ::getuid() == 0) become_own_user(job, ends.status);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const bool isolated = !job.bubblewrap.empty();
  if (!isolated && !job.network) cut_off_network();
  std::vector<std::string> words;
  if (isolated) words = isolating_command(job, temporary);
  words.push_back("/proc/self/fd/" + std::to_string(ends.program));
  const Inner inner{.input = ends.input,
                    .output = ends.output,
                    .status = ends.status,
                    .data_mib = data_limit_mib(job),
                    .own_processes = isolated,
                    .folder = job.folder,
                    .start = job.start};
  for (std::string& word : words_of(inner)) words.push_back(std::move(word));
  std::vector<std::string> variables = {"PATH=" + job.search_path, "LANG=C.UTF-8",
                                        "HOME=" + temporary, "TMPDIR=" + temporary};
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  };
  ::execve(words.front().c_str(), pointers(words).data(), pointers(variables).data());
  fail(ends.status, words.front());
}

/// Memory that is present of a process [MiB].
std::uint64_t present_mib(pid_t process) {
  std::ifstream numbers("/proc/" + std::to_string(process) + "/statm");
  std::uint64_t size = 0;
  std::uint64_t present = 0;
  numbers >> size >> present;
  return present * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) >> 20;
}

/// A number of a process as /proc/PID/status has it; 0 where it is gone.
std::uint64_t status_of(pid_t process, std::string_view name) {
  std::ifstream lines("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name)) return std::strtoull(line.c_str() + name.size(), nullptr, 10);
  }
  return 0;
}

/// Memory that processes share without a file, and that may be there without being present of any
/// of them [MiB]: what is mapped of it, less what is counted as present of each.
std::uint64_t shared_mib(const std::vector<pid_t>& processes) {
  std::map<std::uint64_t, std::uint64_t> bytes_of;  // by the number of the object
  std::uint64_t present_kib = 0;
  for (const pid_t process : processes) {
    present_kib += status_of(process, "RssShmem:");
    std::ifstream lines("/proc/" + std::to_string(process) + "/maps");
    for (std::string line; std::getline(lines, line);) {
      if (!line.ends_with(" /dev/zero (deleted)")) continue;
      std::uint64_t first = 0;
      std::uint64_t end = 0;
      std::uint64_t offset = 0;
      std::uint64_t object = 0;
      const int read = std::sscanf(  // NOLINT
          line.c_str(), "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %" SCNu64, &first, &end,
          &offset, &object);
      if (read == 4) bytes_of[object] = std::max(bytes_of[object], offset + end - first);
    }
  }
  std::uint64_t mib = 0;
  for (const auto& [object, bytes] : bytes_of) mib += bytes >> 20;
  return mib - std::min(mib, present_kib >> 10);
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

/// What was said of the filter's end; what was there and says nothing was killed.
std::string ending_of(const Job& job, int status_end, const LastWords& last_words) {
  std::string said;
  std::array<char, 4096> part{};
  for (ssize_t count = 0; (count = ::read(status_end, part.data(), part.size())) > 0;) {
    said.append(part.data(), static_cast<std::size_t>(count));
  }
  std::istringstream lines(said);
  std::string last = "isolate " + last_words.line();
  for (std::string line; std::getline(lines, line);) last = line;
  if (last == "ready") return "signal " + std::to_string(SIGKILL);
  // A library that cannot be loaded is known to its host only.
  const bool is_loaded = last != "exit " + std::to_string(status_of_failed_start);
  return is_loaded || job.start.front() != "library" ? last : "start " + last_words.line();
}

/// Waits for the filter's end, the end of the control socket, or too much memory.
/// @return how it ended; nothing where nobody waits for it any more
std::optional<std::string> watch(const Job& job, pid_t filter, int signals, int status_end,
                                 LastWords& last_words) {
  for (std::size_t looks = 0;;) {
    std::array<pollfd, 3> entries = {
        {{control, POLLIN, 0}, {signals, POLLIN, 0}, {last_words.descriptor(), POLLIN, 0}}};
    ::poll(entries.data(), entries.size(), watch_ms);
    if (entries[2].revents != 0) last_words.take_in();
    if (::waitpid(filter, nullptr, WNOHANG) == filter) {
      last_words.take_in();
      return ending_of(job, status_end, last_words);
    }
    if (entries[0].revents != 0) return std::nullopt;
    if (entries[1].revents != 0) {
      signalfd_siginfo signal{};
      static_cast<void>(!::read(signals, &signal, sizeof signal));
      if (signal.ssi_signo != SIGCHLD) return std::nullopt;
    }
    std::uint64_t present = 0;
    std::size_t threads = 0;
    const std::vector<pid_t> processes = processes_below(::getpid());
    for (const pid_t process : processes) {
      present += present_mib(process);
      threads += status_of(process, "Threads:");
      // More are not looked at: they are started faster than they are counted.
      if (threads > most_threads) return "processes " + std::to_string(most_processes);
    }
    if (++looks % looks_for_shared == 0) present += shared_mib(processes);
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
  std::array<int, 2> status{};
  Ends ends{.program = ::open("/proc/self/exe", O_PATH)};
  if (temporary.empty() || signals < 0 || ends.program < 0 ||
      ::pipe2(errors.data(), O_CLOEXEC) != 0 || ::pipe2(status.data(), O_NONBLOCK) != 0) {
    say(std::string("isolate no temporary folder or pipe: ") + std::strerror(errno));
    return 1;
  }
  const pid_t filter = ::fork();
  if (filter == 0) {
    ::dup2(errors[1], STDERR_FILENO);
    ::fcntl(status[0], F_SETFD, FD_CLOEXEC);
    ends.input = ::dup(STDIN_FILENO);
    ends.output = ::dup(STDOUT_FILENO);
    ends.status = status[1];
    // What stands between has no part in them: it would keep them open.
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
    become(job, temporary, ends);
  }
  ::close(errors[1]);
  ::close(status[1]);
  ::close(STDIN_FILENO);
  ::close(STDOUT_FILENO);
  LastWords last_words(errors[0]);
  std::optional<std::string> ending = "isolate fork: " + std::string(std::strerror(errno));
  if (filter > 0) {
    ending = watch(job, filter, signals, status[0], last_words);
    end_all(filter);
    last_words.take_in();
  }
  std::error_code left;
  fs::remove_all(temporary, left);
  const bool is_told = ending && (ending->starts_with("start") || ending->starts_with("isolate"));
  if (ending) say(*ending + "\n" + (is_told ? "" : last_words.line()));
  return 0;
}

}  // namespace bloomlab::foreign::runner
