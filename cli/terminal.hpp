// What a person reads on a terminal: one line, of which every character is shown; how far a run is;
// how to go on after Ctrl-C and SIGTERM; and that filters from outside run without isolation
// (foreign/child.hpp).
#pragma once

#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "experiments/config/config.hpp"
#include "experiments/engine/run.hpp"
#include "record/json.hpp"

namespace bloomlab::cli {

/// The text in one line: line ends and tabs become spaces, what a terminal would not show is
/// written out, and the middle of a text of more than 2000 bytes is left out.
[[nodiscard]] std::string one_line(std::string_view text);

/// The text as a column of a table: at the right of `width` characters, and never without two
/// spaces before it, however long it is.
[[nodiscard]] std::string column(std::string_view text, std::size_t width);

/// The line broken between words so that none is longer than 100 characters; what follows begins
/// behind `indent` spaces. @param line ends with a line feed
[[nodiscard]] std::string broken(std::string line, std::size_t indent);

/// Rows of a table, every column as wide as its widest text and two spaces more.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// Prints one of the two forms of an answer.
void print_answer(bool as_json, const record::Json& json, const std::string& text);

/// "1 figure", "2 figures".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular);

/// Prints the progress of one config to standard error: from the first second on, and at least
/// every 5 seconds, however long a trial takes.
class ProgressPrinter {
 public:
  /// @param label what is run, such as "textbook_table"
  /// @param expected_seconds how long all of it takes by estimate; what remains is told by it until
  ///        enough is done to tell it by; 0: not known
  explicit ProgressPrinter(std::string label, double expected_seconds = 0.0);
  /// Clears the renewed line.
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  /// What is printed next. Safe to call from several threads.
  void show(const experiments::Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;

  void print_until_done();
  void print();
  [[nodiscard]] std::string remaining(double share, double elapsed) const;

  std::string label_;
  double expected_seconds_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::optional<experiments::Progress> latest_;
  std::thread printer_;
};

/// Held by whoever prints lines that renew themselves.
[[nodiscard]] std::mutex& terminal_mutex();

/// "45 s", "3 min 20 s", "2 h 05 min".
[[nodiscard]] std::string duration_text(double seconds);

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

/// Says on standard error, once a process, why this system isolates no filters, where it does not.
/// For what is about to start one.
void say_not_isolated();

/// The same where cells of the config start filters as processes of their own; a library that is
/// loaded into a process run is never isolated.
void say_not_isolated(const experiments::Config& config);

}  // namespace bloomlab::cli
