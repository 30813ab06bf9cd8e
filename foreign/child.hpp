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

/// Words of a filter as an error shows them: one line of visible characters, cut to `most` bytes.
[[nodiscard]] std::string shown_words(std::string_view words, std::size_t most = 200);

/// Both ways between us and a filter. Every call throws Failure. What is kept of a filter's output
/// grows with what came, and no further than its limit of memory allows.
class Channel {
 public:
  /// @param name of the filter, in errors   @param memory_mib its limit of memory [MiB]
  Channel(std::string name, std::uint64_t memory_mib);
  virtual ~Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Starts the time of a call: what follows fails with `timeout` when Limits::seconds are over.
  virtual void begin_call() = 0;
  /// Writes all of it; what the filter writes meanwhile is kept for reading.
  virtual void write(std::string_view bytes) = 0;
  /// Memory that is present of the filter and all that it started [bytes].
  [[nodiscard]] virtual std::uint64_t present_bytes() const = 0;

  /// The next line without its end. A line longer than `most` bytes is garbage; `why` says after
  /// that number where it comes from.
  [[nodiscard]] std::string read_line(std::size_t most, std::string_view why = {});
  /// The next bytes of its output.
  void read(std::span<char> bytes);

  /// Largest filter that it can save: its limit of memory, and never more than a frame has [bytes].
  [[nodiscard]] std::size_t most_saved() const noexcept { return most_saved_; }
  /// What is kept at most of output that nobody has read: twice that, and never more than 1 GiB
  /// [bytes].
  [[nodiscard]] std::size_t most_unread() const noexcept;

  /// Throws Failure `garbage`: "TARGET: answered FOUND to CALL; expected EXPECTED".
  [[noreturn]] void refuse(std::string_view call, std::string_view found,
                           std::string_view expected) const;
  /// Throws Failure of that kind: "TARGET: text".
  [[noreturn]] void fail(FailureKind kind, const std::string& text) const;

 protected:
  /// Waits for further output and puts it behind input_, or throws Failure where there is none.
  virtual void take_more() = 0;

  std::string name_;
  std::string input_ = {};  // taken in and not yet read, from start_ on
  std::size_t start_ = 0;

 private:
  std::size_t most_saved_;
};

/// A running target, its standard input and output.
class Child final : public Channel {
 public:
  /// Isolated, where the system can.
  explicit Child(const Target& target);
  ~Child() override;

  void begin_call() override;
  void write(std::string_view bytes) override;
  [[nodiscard]] std::uint64_t present_bytes() const override;

  /// Reads until the program ends by itself, within the time of the call. A signal, a limit and a
  /// start that fails are thrown.
  /// @param most bytes of output that are kept
  [[nodiscard]] Finished finish(std::size_t most);

 private:
  friend const std::string& why_not_isolated();
  /// @param isolated_by the program bwrap; empty: not isolated
  Child(const Target& target, const std::string& isolated_by);

  void take_more() override;
  enum class Wait { readable, writable };
  /// Waits until that is so, or the child's output has ended; takes in what can be read.
  void wait(Wait what);
  /// Takes in what is there to be read.
  void take_in();
  /// The child is gone or has closed its pipes: says how.
  [[noreturn]] void fail_ended();
  void close_all() noexcept;

  double seconds_;
  std::chrono::steady_clock::time_point deadline_;
  bool output_ended_ = false;
  pid_t guard_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  int control_ = -1;
};

}  // namespace bloomlab::foreign
