#include "experiments/store/redis.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

constexpr const char* program = "redis-server";
/// One program that is the server under the other name. Where that name is not, as with Debian's
/// redis-tools alone, this one is.
constexpr const char* program_of_tools = "redis-check-rdb";
constexpr std::string_view socket_name = "redis.socket";
constexpr const char* log_name = "redis.log";
constexpr std::string_view line_end = "\r\n";

[[noreturn]] void fail_system(const std::string& what) {
  throw std::runtime_error("cannot " + what + ": " + std::strerror(errno));
}

/// A connected socket, or nothing where nobody listens.
std::optional<int> connected_socket() {
  const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) fail_system("make a socket");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(socket_name, address.sun_path);
  if (::connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return made;
  }
  ::close(made);
  return std::nullopt;
}

/// One line of Redis's own words: no control characters, and not too long.
std::string shown(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.substr(0, 200);
}

std::string last_line_of_log() {
  std::ifstream in(log_name);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = line;
  }
  return last.empty() ? "" : ": " + shown(last);
}

/// The number, where the text is just as it is written.
std::optional<std::int64_t> number_in(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || std::to_string(number) != text) return std::nullopt;
  return number;
}

/// In the child: becomes the server, or writes why not.
[[noreturn]] void become(char* const* arguments, pid_t parent, int report) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  // Who reads what this process writes must not wait for a server.
  const int log = ::open(log_name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(log, stream);
  ::execvp(program, arguments);
  if (errno == ENOENT) ::execvp(program_of_tools, arguments);
  const int code = errno;
  if (::write(report, &code, sizeof code) < 0) ::_exit(2);
  ::_exit(1);
}

/// Starts it. @return its process, and the error where it could not be started, else 0
std::pair<pid_t, int> start(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_system("open a pipe");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), parent, ends[1]);
  ::close(ends[1]);
  int code = 0;
  if (child > 0 && ::read(ends[0], &code, sizeof code) != sizeof code) code = 0;
  ::close(ends[0]);
  if (child < 0) fail_system("start a process");
  return {child, code};
}

}  // namespace

RedisConnection::RedisConnection(int socket, Clock::duration waits)
    : socket_(socket), waits_(waits) {
  ::fcntl(socket_, F_SETFL, O_NONBLOCK);
}

RedisConnection::RedisConnection(RedisConnection&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), waits_(other.waits_) {}

RedisConnection::~RedisConnection() {
  if (socket_ >= 0) ::close(socket_);
}

RedisReply RedisConnection::ask(std::initializer_list<std::string_view> words) {
  command_ = *words.begin();
  until_ = Clock::now() + waits_;
  received_.clear();
  std::string request = "*";
  request.append(std::to_string(words.size())).append(line_end);
  for (const std::string_view word : words) {
    request.append("$").append(std::to_string(word.size())).append(line_end);
    request.append(word).append(line_end);
  }
  send(request);
  std::string line = take_line();
  const char type = line.empty() ? '\0' : line.front();
  line.erase(0, 1);
  RedisReply reply;
  if (type == '-') fail("refused " + command_ + ": " + shown(line));
  if (type == '+') {
    reply.text = line;
  } else if (type == ':' || type == '$') {
    const auto number = number_in(line);
    if (!number) fail_protocol("a number that is none");
    if (type == ':') {
      reply.integer = *number;
    } else if (*number != -1) {
      reply.text = take_value(*number);
    }
  } else {
    fail_protocol("no status, number, value or error");
  }
  if (!received_.empty()) fail_protocol("more than one reply");
  return reply;
}

void RedisConnection::send(std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      text.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      wait(POLLOUT);
    } else if (errno != EINTR) {
      fail("closed its socket at " + command_);
    }
  }
}

void RedisConnection::receive() {
  std::array<char, 65536> part;
  for (;;) {
    wait(POLLIN);
    const ssize_t count = ::recv(socket_, part.data(), part.size(), 0);
    if (count > 0) {
      received_.append(part.data(), static_cast<std::size_t>(count));
      return;
    }
    if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
      fail("closed its socket at " + command_);
    }
  }
}

void RedisConnection::wait(short events) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now()).count();
  if (left > 0) {
    pollfd what{socket_, events, 0};
    const int ready = ::poll(&what, 1, static_cast<int>(left));
    if (ready > 0 || (ready < 0 && errno == EINTR)) return;
  }
  fail("gave no reply to " + command_ + " within " +
       std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(waits_).count()) +
       " ms");
}

std::string RedisConnection::take_line() {
  for (;;) {
    const std::size_t end = received_.find(line_end);
    if (end <= most_line) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + line_end.size());
      return line;
    }
    if (received_.size() > most_line + 1) fail_protocol("a line without an end");
    receive();
  }
}

std::string RedisConnection::take_value(std::int64_t length) {
  if (length < 0 || static_cast<std::size_t>(length) > most_value) {
    fail_protocol("a value of " + std::to_string(length) + " bytes");
  }
  const auto size = static_cast<std::size_t>(length);
  while (received_.size() < size + line_end.size()) receive();
  if (received_.compare(size, line_end.size(), line_end) != 0) {
    fail_protocol("a value without an end");
  }
  std::string value = received_.substr(0, size);
  received_.erase(0, size + line_end.size());
  return value;
}

void RedisConnection::fail(const std::string& what) const {
  throw record::InputError(std::string(program) + ": " + what);
}

void RedisConnection::fail_protocol(const std::string& what) const {
  fail("its reply to " + command_ + " is not of the protocol: " + what);
}

RedisServer::RedisServer(std::uint64_t memory_bytes) {
  const auto [process, code] =
      start({program, "--port", "0", "--unixsocket", std::string(socket_name), "--logfile",
             log_name, "--daemonize", "no", "--save", "", "--appendonly", "no", "--maxmemory",
             std::to_string(memory_bytes), "--maxmemory-policy", "noeviction"});
  process_ = process;
  if (code != 0) {
    end();
    if (code == ENOENT) {
      throw record::MissingProgram(
          "cache_penetration: Redis is not installed: neither redis-server nor redis-check-rdb on "
          "PATH; install redis-tools, or leave this config out");
    }
    throw record::InputError(std::string(program) + ": cannot be started: " + std::strerror(code));
  }
  const auto until = RedisConnection::Clock::now() + patience;
  try {
    while (!is_ready()) {
      if (RedisConnection::Clock::now() > until) {
        throw record::InputError(std::string(program) + ": did not answer within " +
                                 std::to_string(patience.count()) + " s of its start" +
                                 last_line_of_log());
      }
      ::poll(nullptr, 0, 5);
    }
  } catch (...) {
    end();
    throw;
  }
}

RedisServer::~RedisServer() { end(); }

RedisConnection RedisServer::connect() const {
  const auto socket = connected_socket();
  if (!socket) throw record::InputError(std::string(program) + ": takes no connection");
  return RedisConnection(*socket);
}

bool RedisServer::is_ready() {
  if (::waitpid(process_, nullptr, WNOHANG) == process_) {
    process_ = -1;
    throw record::InputError(std::string(program) + ": ended at its start" + last_line_of_log());
  }
  const auto socket = connected_socket();
  return socket && RedisConnection(*socket).ask({"PING"}).text == "PONG";
}

void RedisServer::end() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

}  // namespace bloomlab::experiments
