#include "foreign/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <utility>
#include <vector>

#include "foreign/broken_pipes.hpp"
#include "foreign/frames.hpp"
#include "foreign/guard_program.hpp"
#include "foreign/process_tree.hpp"
#include "record/json_view.hpp"
#include "record/visible_text.hpp"

extern char** environ;  // NOLINT: POSIX names it

namespace bloomlab::foreign {
namespace {

using Clock = std::chrono::steady_clock;

/// Descriptor of the guard's end of the control socket.
constexpr int control_descriptor = 3;

[[noreturn]] void fail_start(const std::string& name, const std::string& what, int code) {
  throw SystemFault(name + ": cannot " + what + ": " + std::strerror(code));
}

/// Two ends; those not taken close with it.
struct Ends {
  int reading = -1;
  int writing = -1;

  ~Ends() {
    if (reading >= 0) ::close(reading);
    if (writing >= 0) ::close(writing);
  }
  [[nodiscard]] static int taken(int& end) { return std::exchange(end, -1); }
};

void open_pipe(const std::string& name, Ends& ends) {
  std::array<int, 2> both{};
  if (::pipe2(both.data(), O_CLOEXEC) != 0) fail_start(name, "open a pipe", errno);
  ends.reading = both[0];
  ends.writing = both[1];
  // Larger frames at once; where the system gives less it is slower and nothing else.
  static_cast<void>(::fcntl(ends.writing, F_SETPIPE_SZ, 1 << 20));
}

void open_control(const std::string& name, Ends& ends) {
  std::array<int, 2> both{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both.data()) != 0) {
    fail_start(name, "open a socket", errno);
  }
  ends.reading = both[0];
  ends.writing = both[1];
}

/// Where bubblewrap is (bwrap(1)); empty where PATH has none.
std::string bubblewrap() {
  const auto found = named_files({.command = {"bwrap"}});
  return found.empty() ? "" : found.front().string();
}

std::vector<std::string> guard_arguments(const Target& target, const std::string& isolated_by) {
  namespace fs = std::filesystem;
  const Isolation& isolation = target.isolation;
  std::error_code unknown;
  const fs::path given = target.folder.empty() ? "." : target.folder;
  const fs::path folder = fs::canonical(given, unknown);
  std::vector<std::string> arguments = {guard_program().string(),
                                        "guard",
                                        std::to_string(target.limits.memory_mib),
                                        target.limits.network ? "network" : "no-network",
                                        search_path(isolation),
                                        (unknown ? given : folder).string()};
  const auto add = [&arguments](const char* option, const std::string& value) {
    arguments.insert(arguments.end(), {option, value});
  };
  if (!isolated_by.empty()) add("bubblewrap", isolated_by);
  if (isolation.writes_folder) add("writes", "folder");
  if (isolation.own_user) add("user", "own");
  if (isolation.hides_home) add("home", fs::weakly_canonical(home_folder(), unknown).string());
  for (const fs::path& path : isolation.hidden) {
    add("hide", fs::weakly_canonical(path, unknown).string());
  }
  for (const fs::path& file : named_files(target)) add("show", file.string());
  arguments.emplace_back("start");
  if (!target.library.empty()) {
    // Without a slash the loader would look in the system's folders.
    const bool bare = !target.library.has_parent_path();
    add("library", (bare ? "." / target.library : target.library).string());
  } else {
    arguments.emplace_back("command");
    arguments.insert(arguments.end(), target.command.begin(), target.command.end());
  }
  return arguments;
}

pid_t start_guard(const Target& target, const std::string& isolated_by, int input, int output,
                  int control) {
  std::vector<std::string> arguments = guard_arguments(target, isolated_by);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, control, control_descriptor);
  pid_t guard = -1;
  const int code =
      ::posix_spawn(&guard, arguments.front().c_str(), &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) fail_start(target.text(), "start " + arguments.front(), code);
  return guard;
}

/// What the guard says when it has cleared away: "exit 3", "signal 11", "memory 4096", "processes
/// 256", "start REASON", or "isolate REASON" where the filter's turn did not come; then, in a
/// further line, what the filter wrote last to its standard error.
struct Ending {
  FailureKind kind = FailureKind::ended;
  std::string text;
  std::optional<int> status = {};  ///< where it ended by itself
  bool of_system = false;          ///< the fault is none of the filter
};

Ending ending_of(const std::string& said) {
  constexpr std::size_t most_reason = 1000;  // the loader's names paths
  const std::size_t line_end = said.find('\n');
  const std::string line = said.substr(0, line_end);
  const std::string last = line_end == std::string::npos ? "" : said.substr(line_end + 1);
  const std::size_t space = std::min(line.find(' '), line.size());
  const std::string word = line.substr(0, space);
  const std::string value = line.substr(std::min(space + 1, line.size()));
  Ending ending;
  if (word == "exit") {
    ending.status = std::atoi(value.c_str());
    ending.text = "ended with exit status " + value;
  } else if (word == "signal") {
    ending.kind = FailureKind::crashed;
    ending.text = "crashed by signal " + value;
  } else if (word == "memory") {
    ending.kind = FailureKind::memory;
    ending.text = "took more memory than its limit of " + value + " MiB";
  } else if (word == "processes") {
    ending.kind = FailureKind::memory;
    ending.text = "had more than " + value + " processes and threads";
  } else if (word == "start") {
    ending.kind = FailureKind::not_started;
    ending.text = "cannot be started: " + shown_words(value, most_reason);
  } else if (word == "isolate") {
    ending.kind = FailureKind::not_started;
    ending.text = "cannot be isolated: " + shown_words(value, most_reason);
    ending.of_system = true;
  } else {
    ending.text = "closed its standard output";
  }
  if (!last.empty()) ending.text += "; it said last: " + shown_words(last);
  return ending;
}

/// All that comes until the end, or until the time is over.
std::string read_until_end(int descriptor, std::chrono::milliseconds patience) {
  std::string text;
  const auto deadline = Clock::now() + patience;
  std::array<char, 4096> part{};
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd entry{descriptor, POLLIN, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::max<long long>(left, 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return text;
    const ssize_t count = ::read(descriptor, part.data(), part.size());
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

/// How long the guard may take to clear away, and the system to end what is killed.
constexpr std::chrono::seconds most_clearing{5};

bool has_ended(pid_t process) {
  const pid_t ended = ::waitpid(process, nullptr, WNOHANG);
  return ended == process || (ended < 0 && errno != EINTR);
}

/// Does it again and again until the process has ended or the time is over.
template <class Do>
bool ends_while(pid_t process, Do again) {
  const timespec pause = {.tv_sec = 0, .tv_nsec = 500'000};
  for (const auto deadline = Clock::now() + most_clearing; Clock::now() < deadline;) {
    again();
    if (has_ended(process)) return true;
    ::nanosleep(&pause, nullptr);
  }
  return false;
}

/// Waits for the guard, which may have been stopped. Where it does not end, what it watches is
/// killed first: without the guard nobody would find it.
void end_guard(pid_t guard) {
  ::kill(guard, SIGCONT);
  if (ends_while(guard, [] {})) return;
  const auto kill_below = [&] {
    for (const pid_t process : processes_below(guard)) ::kill(process, SIGKILL);
    ::kill(guard, SIGCONT);
  };
  if (ends_while(guard, kill_below)) return;
  ends_while(guard, [&] { ::kill(guard, SIGKILL); });
}

}  // namespace

std::string shown_words(std::string_view words, std::size_t most) {
  std::string shown = record::made_visible(words.substr(0, most));
  for (const char end : {'\n', '\r', '\t'}) std::ranges::replace(shown, end, ' ');
  if (words.size() <= most && shown.size() <= most) return shown;
  constexpr std::string_view dots = "...";
  std::size_t end = most - dots.size();
  while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0U) == 0x80U) --end;
  return shown.replace(end, std::string::npos, dots);
}

Channel::Channel(std::string name, std::uint64_t memory_mib)
    : name_(std::move(name)), most_saved_(std::min(memory_mib, most_payload_bytes >> 20) << 20) {}

std::size_t Channel::most_unread() const noexcept {
  return std::min(2 * most_saved_, std::size_t{1} << 30);
}

void Channel::fail(FailureKind kind, const std::string& text) const {
  throw Failure(kind, name_ + ": " + text);
}

void Channel::refuse(std::string_view call, std::string_view found,
                     std::string_view expected) const {
  fail(FailureKind::garbage, "answered \"" + shown_words(found, 60) + "\" to " + std::string(call) +
                                 "; expected " + std::string(expected));
}

std::string Channel::read_line(std::size_t most, std::string_view why) {
  for (std::size_t searched = 0;;) {
    const std::size_t end = input_.find('\n', start_ + searched);
    searched = std::min(end, input_.size()) - start_;
    std::string_view line = std::string_view(input_).substr(start_, searched);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > most) {
      refuse("a call", line,
             "a line of at most " + std::to_string(most) + " bytes" + std::string(why));
    }
    if (end != std::string::npos) {
      start_ = end + 1;
      return std::string(line);
    }
    take_more();
  }
}

void Channel::read(std::span<char> bytes) {
  for (;;) {
    const std::size_t count = std::min(bytes.size(), input_.size() - start_);
    std::copy_n(input_.data() + start_, count, bytes.data());
    start_ += count;
    bytes = bytes.subspan(count);
    if (bytes.empty()) return;
    take_more();
  }
}

const std::string& why_not_isolated() {
  static const std::string why = [] {
    const std::string program = bubblewrap();
    if (program.empty()) return std::string("bubblewrap is not installed");
    try {
      Child probe({.command = {"true"}, .folder = "/"}, program);
      const int status = probe.finish(0).status;
      return status == 0 ? std::string()
                         : std::string("exit status ").append(std::to_string(status));
    } catch (const Failure& failure) {
      return std::string(failure.what());
    }
  }();
  return why;
}

Child::Child(const Target& target)
    : Child(target, why_not_isolated().empty() ? bubblewrap() : "") {}

Child::Child(const Target& target, const std::string& isolated_by)
    : Channel(target.text(), target.limits.memory_mib), seconds_(target.limits.seconds) {
  if (const std::string fault = fault_of(target); !fault.empty()) {
    throw Failure(FailureKind::not_started, fault);
  }
  Ends input;
  Ends output;
  Ends control;
  open_pipe(name_, input);
  open_pipe(name_, output);
  open_control(name_, control);
  guard_ = start_guard(target, isolated_by, input.reading, output.writing, control.writing);
  to_child_ = Ends::taken(input.writing);
  from_child_ = Ends::taken(output.reading);
  control_ = Ends::taken(control.reading);
  ::fcntl(to_child_, F_SETFL, O_NONBLOCK);
  ::fcntl(from_child_, F_SETFL, O_NONBLOCK);
  begin_call();
}

Child::~Child() { close_all(); }

void Child::close_all() noexcept {
  // The guard takes the closed control socket for its sign to end everything.
  for (int* const descriptor : {&to_child_, &from_child_, &control_}) {
    if (*descriptor >= 0) ::close(*descriptor);
    *descriptor = -1;
  }
  if (guard_ < 0) return;
  end_guard(guard_);
  guard_ = -1;
}

void Child::begin_call() {
  deadline_ = Clock::now() +
              std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_));
}

Finished Child::finish(std::size_t most) {
  Finished finished;
  while (!output_ended_) {
    wait(Wait::readable);
    const std::size_t room = most - finished.output.size();
    finished.output.append(input_, start_, std::min(room, input_.size() - start_));
    start_ = input_.size();
  }
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
  const Ending ending = ending_of(read_until_end(control_, left));
  close_all();
  if (ending.of_system) throw SystemFault(name_ + ": " + ending.text);
  if (!ending.status) fail(ending.kind, ending.text);
  finished.status = *ending.status;
  return finished;
}

std::uint64_t Child::present_bytes() const {
  return foreign::present_bytes(processes_below(guard_));
}

void Child::fail_ended() {
  // A process that ends closes its pipes a moment before its status is known.
  constexpr std::chrono::milliseconds patience{1000};
  const Ending ending = ending_of(read_until_end(control_, patience));
  close_all();
  if (ending.of_system) throw SystemFault(name_ + ": " + ending.text);
  fail(ending.kind, ending.text);
}

void Child::take_in() {
  // As much as a pipe holds: fewer calls for large answers.
  constexpr std::size_t part = std::size_t{1} << 20;
  if (start_ == input_.size()) {
    input_.clear();
    start_ = 0;
  }
  const std::size_t before = input_.size();
  if (before - start_ > most_unread()) {
    fail(FailureKind::garbage,
         "wrote more than " + std::to_string(most_unread() >> 20) + " MiB that no call asked for");
  }
  input_.resize(before + part);
  const ssize_t count = ::read(from_child_, input_.data() + before, part);
  input_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (count == 0) output_ended_ = true;
  if (count < 0 && errno != EAGAIN && errno != EINTR) output_ended_ = true;
}

void Child::wait(Wait what) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
  if (left <= 0) {
    close_all();
    fail(FailureKind::timeout, "gave no answer within " + record::shortest(seconds_) + " s");
  }
  std::array<pollfd, 2> entries = {{{from_child_, POLLIN, 0}, {to_child_, POLLOUT, 0}}};
  const nfds_t count = what == Wait::writable ? 2 : 1;
  // A child that reads no more but has its output open is seen by the broken pipe.
  if (output_ended_) entries[0].fd = -1;
  const int ready =
      ::poll(entries.data(), count, static_cast<int>(std::min<long long>(left, 60'000)));
  if (ready > 0 && (entries[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) take_in();
}

void Child::write(std::string_view bytes) {
  const BrokenPipesAreErrors guard;
  while (!bytes.empty()) {
    const ssize_t written = ::write(to_child_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      wait(Wait::writable);
    } else if (errno != EINTR) {
      fail_ended();
    }
  }
}

void Child::take_more() {
  if (output_ended_) fail_ended();
  wait(Wait::readable);
}

}  // namespace bloomlab::foreign
