// A Redis of our own: a server on a socket in the working folder, which keeps nothing on a disk and
// ends with the process that started it, and connections to it. Nothing is waited for without end.
// Source: the protocol is RESP, version 2 (redis.io, "Redis serialization protocol specification").
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace bloomlab::experiments {

/// A reply of the kinds that our commands have. What Redis refuses is no reply but a fault.
struct RedisReply {
  std::optional<std::string> text;  ///< a status or a value; nothing: there is no such key
  std::int64_t integer = 0;         ///< of a reply that is one
};

/// One conversation: a command, a reply, the next command. Not for use by several threads at once.
/// Faults are thrown as record::InputError, one line that names the command.
class RedisConnection {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t most_line = 512;                         ///< bytes
  static constexpr std::size_t most_value = std::size_t{16} << 20;      ///< bytes
  static constexpr Clock::duration patience = std::chrono::seconds{5};  ///< for a reply

  /// @param socket a connected one, which is closed with this
  explicit RedisConnection(int socket, Clock::duration waits = patience);
  RedisConnection(RedisConnection&& other) noexcept;
  RedisConnection& operator=(RedisConnection&&) = delete;
  ~RedisConnection();

  /// @param words the command and its arguments
  RedisReply ask(std::initializer_list<std::string_view> words);

 private:
  void send(std::string_view text);
  void receive();
  void wait(short events);
  [[nodiscard]] std::string take_line();
  [[nodiscard]] std::string take_value(std::int64_t length);
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_protocol(const std::string& what) const;

  int socket_;
  Clock::duration waits_;
  Clock::time_point until_;
  std::string command_;
  std::string received_;
};

/// Runs as long as it lives; its socket and its log are in the working folder.
class RedisServer {
 public:
  static constexpr std::chrono::seconds patience{5};  ///< for its start

  /// Starts the program `redis-server`, or where there is none `redis-check-rdb` by that name, and
  /// waits until it answers.
  /// @param memory_bytes what Redis may take; it refuses more and drops nothing
  /// Throws record::InputError where the program is not installed, ends, or does not answer.
  explicit RedisServer(std::uint64_t memory_bytes);
  ~RedisServer();
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  [[nodiscard]] RedisConnection connect() const;

 private:
  [[nodiscard]] bool is_ready();
  void end();

  pid_t process_ = -1;
};

}  // namespace bloomlab::experiments
