#include "cli/progress_printer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

namespace bloomlab::cli {
namespace {

constexpr int bar_width = 24;
constexpr double terminal_interval = 0.2;  // seconds between renewals
constexpr double plain_interval = 15.0;

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::string remaining(double share, double elapsed) {
  if (share < 0.01 || elapsed < 1.0) return "";
  return ", about " + duration_text(elapsed * (1.0 - share) / share) + " to go";
}

}  // namespace

std::string duration_text(double total) {
  const auto whole = static_cast<long long>(std::llround(std::max(total, 0.0)));
  char text[48];
  if (whole < 60) {
    std::snprintf(text, sizeof text, "%lld s", whole);
  } else if (whole < 3600) {
    std::snprintf(text, sizeof text, "%lld min %02lld s", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%lld h %02lld min", whole / 3600, whole / 60 % 60);
  }
  return text;
}

ProgressPrinter::ProgressPrinter(std::string label)
    : label_(std::move(label)), terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressPrinter::~ProgressPrinter() {
  if (terminal_ && shown_) std::cerr << "\r\033[K" << std::flush;
}

void ProgressPrinter::show(const experiments::Progress& progress) {
  const Clock::time_point now = Clock::now();
  const double interval = terminal_ ? terminal_interval : plain_interval;
  if (seconds(now - last_) < interval) return;
  last_ = now;
  shown_ = true;
  const double share =
      progress.total_weight > 0.0 ? progress.done_weight / progress.total_weight : 0.0;
  const double elapsed = seconds(now - start_);
  if (terminal_) {
    show_bar(progress, share, elapsed);
  } else {
    show_line(share, elapsed);
  }
}

void ProgressPrinter::show_bar(const experiments::Progress& progress, double share,
                               double elapsed) const {
  const auto filled = static_cast<int>(share * bar_width);
  std::string bar(static_cast<std::size_t>(filled), '#');
  bar.resize(bar_width, '.');
  char percent[8];
  std::snprintf(percent, sizeof percent, "%3.0f%%", std::floor(share * 100.0));
  std::cerr << "\r\033[K" << label_ << " [" << bar << "] " << percent << ' ' << progress.units_done
            << '/' << progress.units_total << remaining(share, elapsed) << std::flush;
}

void ProgressPrinter::show_line(double share, double elapsed) {
  char percent[8];
  std::snprintf(percent, sizeof percent, "%.0f%%", std::floor(share * 100.0));
  std::cerr << label_ << ": " << percent << " after " << duration_text(elapsed)
            << remaining(share, elapsed) << '\n';
}

}  // namespace bloomlab::cli
