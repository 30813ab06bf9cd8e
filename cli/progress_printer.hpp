// How far a run is, for a person: one line that renews itself on a terminal, now and then a plain
// line elsewhere.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

#include "experiments/run.hpp"

namespace bloomlab::cli {

/// Prints the progress of one config to standard error. Not for several threads at once.
class ProgressPrinter {
 public:
  /// @param label what is run, such as "textbook_table"
  explicit ProgressPrinter(std::string label);
  /// Clears the renewed line.
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  void show(const experiments::Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;

  void show_bar(const experiments::Progress& progress, double share, double elapsed) const;
  void show_line(double share, double elapsed);

  std::string label_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

/// "45 s", "3 min 20 s", "2 h 05 min".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace bloomlab::cli
