#include "cli/progress_printer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

namespace bloomlab::cli {
namespace {

constexpr int bar_width = 24;
constexpr auto terminal_interval = std::chrono::milliseconds(200);
constexpr auto plain_interval = std::chrono::milliseconds(5000);
constexpr auto first_plain_line = std::chrono::milliseconds(1000);

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::string bar_text(double share) {
  const auto filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * bar_width);
  std::string bar(static_cast<std::size_t>(filled), '#');
  bar.resize(bar_width, '.');
  return " [" + bar + "]";
}

std::string percent_text(double share) {
  char percent[8];
  std::snprintf(percent, sizeof percent, "%.0f%%", std::floor(std::clamp(share, 0.0, 1.0) * 100.0));
  return percent;
}

}  // namespace

std::mutex& terminal_mutex() {
  static std::mutex mutex;
  return mutex;
}

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

ProgressPrinter::ProgressPrinter(std::string label, double expected_seconds)
    : label_(std::move(label)),
      expected_seconds_(expected_seconds),
      terminal_(isatty(STDERR_FILENO) == 1),
      printer_([this] { print_until_done(); }) {}

ProgressPrinter::~ProgressPrinter() {
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  printer_.join();
  const std::scoped_lock lock(terminal_mutex());
  if (terminal_ && shown_) std::cerr << "\r\033[K" << std::flush;
}

void ProgressPrinter::show(const experiments::Progress& progress) {
  const std::scoped_lock lock(mutex_);
  latest_ = progress;
}

void ProgressPrinter::print_until_done() {
  std::unique_lock lock(mutex_);
  auto wait = terminal_ ? terminal_interval : first_plain_line;
  while (!changed_.wait_for(lock, wait, [this] { return done_; })) {
    if (!latest_) continue;  // nothing is measured yet, or all was there
    print();
    wait = terminal_ ? terminal_interval : plain_interval;
  }
}

/// By the part that is done, or by the estimate while that is too small to tell.
std::string ProgressPrinter::remaining(double share, double elapsed) const {
  if (share >= 0.01 && elapsed >= 1.0) {
    return ", about " + duration_text(elapsed * (1.0 - share) / share) + " to go";
  }
  if (expected_seconds_ <= 0.0) return "";
  if (elapsed > expected_seconds_) return ", longer than estimated";
  return ", about " + duration_text(expected_seconds_ - elapsed) + " to go";
}

void ProgressPrinter::print() {
  const double share = latest_->total_weight > 0.0
                           ? std::min(1.0, latest_->done_weight / latest_->total_weight)
                           : 0.0;
  const double elapsed = seconds(Clock::now() - start_);
  const std::string trials =
      std::to_string(latest_->units_done) + "/" + std::to_string(latest_->units_total);
  const std::scoped_lock lock(terminal_mutex());
  shown_ = true;
  if (terminal_) {
    std::cerr << "\r\033[K" << label_ << bar_text(share) << ' ' << percent_text(share) << ' '
              << trials << remaining(share, elapsed) << std::flush;
  } else {
    std::cerr << label_ << ": " << percent_text(share) << " after " << duration_text(elapsed)
              << " (" << trials << " trials)" << remaining(share, elapsed) << '\n';
  }
}

}  // namespace bloomlab::cli
