// How far a run is, for a person: one line that renews itself on a terminal, a plain line every few
// seconds elsewhere.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "experiments/run.hpp"

namespace bloomlab::cli {

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

}  // namespace bloomlab::cli
