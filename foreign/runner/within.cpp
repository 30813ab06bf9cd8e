// Between the guard and the filter, where the filter is: limits it and sees how it ends.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "foreign/runner/runner.hpp"

namespace bloomlab::foreign::runner {
namespace {

namespace fs = std::filesystem;

/// Largest file that a filter may write [bytes].
constexpr rlim_t most_file_bytes = rlim_t{1} << 34;

constexpr rlim_t most_descriptors = 1024;

/// Linux counts the processes of a user by user namespace from 5.14 on; before, those outside
/// would count.
bool counts_by_namespace() {
  utsname system{};
  if (::uname(&system) != 0) return false;
  int major = 0;
  int minor = 0;
  if (std::sscanf(system.release, "%d.%d", &major, &minor) != 2) return false;  // NOLINT
  return major > 5 || (major == 5 && minor >= 14);
}

/// Lowers what the limit may be raised to, and the limit to no more than that or `usual`.
void limit(int resource, rlim_t most, rlim_t usual = RLIM_INFINITY) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) return;
  now.rlim_max = std::min(now.rlim_max, most);
  now.rlim_cur = std::min({now.rlim_cur, now.rlim_max, usual});
  ::setrlimit(static_cast<__rlimit_resource>(resource), &now);
}

/// What was open where bloomlab was started, or in it, is none of the filter's.
void close_others(int status) {
  std::vector<int> others;
  std::error_code unknown;
  for (fs::directory_iterator file("/proc/self/fd", unknown), end; !unknown && file != end;
       file.increment(unknown)) {
    const int descriptor = std::atoi(file->path().filename().c_str());
    if (descriptor > STDERR_FILENO && descriptor != status) others.push_back(descriptor);
  }
  for (const int descriptor : others) ::close(descriptor);
}

void say(int status, const std::string& line) {
  const std::string text = line + "\n";
  static_cast<void>(!::write(status, text.data(), text.size()));
}

[[noreturn]] void fail_to_start(int status, const std::string& what) {
  say(status, "start " + what + ": " + std::strerror(errno));
  ::_exit(status_of_failed_start);
}

/// The side of the filter: becomes it, or serves the library.
[[noreturn]] void become(const Inner& inner) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(inner.input, STDIN_FILENO);
  ::dup2(inner.output, STDOUT_FILENO);
  close_others(inner.status);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, most_file_bytes);
  limit(RLIMIT_NOFILE, most_descriptors);
  // A thread's stack is as large as that of the process is at first.
  limit(RLIMIT_STACK, rlim_t{64} << 20, rlim_t{8} << 20);
  limit(RLIMIT_MEMLOCK, rlim_t{8} << 20);
  if (inner.own_processes && counts_by_namespace()) limit(RLIMIT_NPROC, most_processes);
  // Where nothing else isolates, a system without such limits is as it is.
  if (!limit_system_calls() && inner.own_processes) {
    say(inner.status, std::string("isolate cannot limit system calls: ") + std::strerror(errno));
    ::_exit(status_of_failed_start);
  }
  if (::chdir(inner.folder.c_str()) != 0) fail_to_start(inner.status, inner.folder);
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const bool is_library = inner.start.front() == "library";
  const auto limit_data = [&inner] {
    limit(RLIMIT_DATA, static_cast<rlim_t>(inner.data_mib) << 20);
  };
  if (is_library) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their own memory would count
    limit_data();
#endif
    ::close(inner.status);
    ::_exit(host_library(inner.start.at(1)));
  }
  std::vector<char*> arguments;
  for (std::size_t i = 1; i < inner.start.size(); ++i) {
    arguments.push_back(const_cast<char*>(inner.start[i].c_str()));  // NOLINT: exec changes none
  }
  arguments.push_back(nullptr);
  limit_data();  // last, as the memory of a sanitizer would count
  ::execvp(arguments.front(), arguments.data());
  fail_to_start(inner.status, arguments.front());
}

}  // namespace

std::vector<std::string> words_of(const Inner& inner) {
  std::vector<std::string> words = {"within",
                                    std::to_string(inner.input),
                                    std::to_string(inner.output),
                                    std::to_string(inner.status),
                                    std::to_string(inner.data_mib),
                                    inner.own_processes ? "own" : "shared",
                                    inner.folder};
  words.insert(words.end(), inner.start.begin(), inner.start.end());
  return words;
}

Inner inner_of(const std::vector<std::string>& words) {
  return {.input = std::atoi(words.at(1).c_str()),
          .output = std::atoi(words.at(2).c_str()),
          .status = std::atoi(words.at(3).c_str()),
          .data_mib = std::strtoull(words.at(4).c_str(), nullptr, 10),
          .own_processes = words.at(5) == "own",
          .folder = words.at(6),
          .start = {words.begin() + 7, words.end()}};
}

int start_within(const Inner& inner) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Nothing below may look into what waits for it.
  ::prctl(PR_SET_DUMPABLE, 0);
  ::fcntl(inner.status, F_SETFD, FD_CLOEXEC);
  const pid_t filter = ::fork();
  if (filter == 0) become(inner);
  if (filter < 0) {
    say(inner.status, std::string("isolate cannot start a process: ") + std::strerror(errno));
    return 1;
  }
  say(inner.status, "ready");
  // The filter alone has its ends: where it closes them this is seen.
  for (const int end : {inner.input, inner.output, STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::close(end);
  }
  int status = 0;
  for (pid_t ended = 0; ended != filter;) {
    ended = ::wait(&status);
    if (ended < 0 && errno != EINTR) return 1;
  }
  say(inner.status, WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                        : "exit " + std::to_string(WEXITSTATUS(status)));
  return 0;
}

}  // namespace bloomlab::foreign::runner
