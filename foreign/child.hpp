// A process of its own for a filter from outside, with limits of time and memory. Between it and us
// stands a guard (foreign/runner/): whatever ends us ends the process too, with all that it
// started, and removes its folder.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "foreign/failure.hpp"
#include "foreign/target.hpp"

namespace bloomlab::foreign {

/// Why this system isolates no filters, as one line; empty where it does. The first call tries it.
[[nodiscard]] const std::string& why_not_isolated();

/// How a program ended that was waited for, and what it wrote.
struct Finished {
  int status = 0;           ///< exit status, as its guard saw it
  std::string output = {};  ///< the beginning of its standard output
};

/// A running target, its standard input and output. Every call throws Failure.
class Child {
 public:
  /// Isolated, where the system can.
  explicit Child(const Target& target);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Starts the time of a call: what follows fails with `timeout` when Limits::seconds are over.
  void begin_call();
  /// Writes all of it; what the child writes meanwhile is kept for reading.
  void write(std::string_view bytes);
  /// The next line without its end. A line longer than `most` bytes is garbage.
  [[nodiscard]] std::string read_line(std::size_t most);
  /// The next bytes of its output.
  void read(std::span<char> bytes);

  /// Reads until the program ends by itself, within the time of the call. A signal, a limit and a
  /// start that fails are thrown.
  /// @param most bytes of output that are kept
  [[nodiscard]] Finished finish(std::size_t most);

  /// Memory that is present of the target and all that it started [bytes].
  [[nodiscard]] std::uint64_t present_bytes() const;

  /// Throws Failure `garbage`: "TARGET: answered FOUND to CALL; expected EXPECTED".
  [[noreturn]] void refuse(std::string_view call, std::string_view found,
                           std::string_view expected) const;
  /// Throws Failure of that kind: "TARGET: text".
  [[noreturn]] void fail(FailureKind kind, const std::string& text) const;

 private:
  friend const std::string& why_not_isolated();
  /// @param isolated_by the program bwrap; empty: not isolated
  Child(const Target& target, const std::string& isolated_by);

  enum class Wait { readable, writable };
  /// Waits until that is so, or the child's output has ended; takes in what can be read.
  void wait(Wait what);
  /// Takes in what is there to be read.
  void take_in();
  /// The child is gone or has closed its pipes: says how.
  [[noreturn]] void fail_ended();
  void close_all() noexcept;

  std::string name_;
  double seconds_;
  std::chrono::steady_clock::time_point deadline_;
  std::string input_;  // read and not yet asked for, from start_ on
  std::size_t start_ = 0;
  bool output_ended_ = false;
  pid_t guard_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  int control_ = -1;
};

}  // namespace bloomlab::foreign
