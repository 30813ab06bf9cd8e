#include "cli/terminal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <utility>

#include "experiments/cells/foreign_cell.hpp"
#include "foreign/child.hpp"
#include "record/input_error.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::cli {
namespace {

constexpr std::size_t longest = 2000;
constexpr std::size_t kept_at_an_end = 900;

bool continues_a_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Letters on a screen: bytes that do not continue one.
std::size_t letters_of(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_a_character));
}

/// The beginning and the end, cut between characters.
std::string without_its_middle(const std::string& text) {
  std::size_t first = kept_at_an_end;
  while (first > 0 && continues_a_character(text[first])) --first;
  std::size_t last = text.size() - kept_at_an_end;
  while (last < text.size() && continues_a_character(text[last])) ++last;
  return text.substr(0, first) + " [... " + std::to_string(last - first) + " bytes ...] " +
         text.substr(last);
}

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

// What a signal handler may touch: it writes the signal's number, the watcher reads it.
std::array<int, 2> signal_pipe = {-1, -1};

constexpr unsigned char no_signal = 0;

void note_signal(int signal) {
  const int before = errno;
  const auto number = static_cast<unsigned char>(signal);
  static_cast<void>(!::write(signal_pipe[1], &number, 1));
  errno = before;
}

void catch_signal(int signal, struct sigaction& before) {
  ::sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

void write_to_errors(const std::string& text) {
  static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line = record::made_visible(text);
  for (char& letter : line) {
    if (letter == '\n' || letter == '\r' || letter == '\t') letter = ' ';
  }
  return line.size() > longest ? without_its_middle(line) : line;
}

std::string column(std::string_view text, std::size_t width) {
  constexpr std::size_t gap = 2;
  const std::size_t letters = letters_of(text);
  return std::string(std::max(gap, width > letters ? width - letters : 0), ' ').append(text);
}

std::string broken(std::string line, std::size_t indent) {
  constexpr std::size_t longest = 100;
  for (std::size_t begin = 0; line.size() - begin > longest + 1;) {
    const std::size_t space = line.rfind(' ', begin + longest);
    if (space == std::string::npos || space <= begin + indent) break;
    line.replace(space, 1, "\n" + std::string(indent, ' '));
    begin = space + 1;
  }
  return line;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], letters_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line.append(row[i]).append(widths[i] - letters_of(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

void print_answer(bool as_json, const record::Json& json, const std::string& text) {
  std::cout << (as_json ? json.dump(2) + "\n" : text);
}

std::string counted(std::uint64_t count, std::string_view singular) {
  return std::to_string(count).append(" ").append(singular).append(count == 1 ? "" : "s");
}

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

Interruption::Interruption(std::function<std::string()> advice) : advice_(std::move(advice)) {
  if (::pipe2(signal_pipe.data(), O_CLOEXEC) != 0) {
    throw record::RunError(std::string("cannot open a pipe: ") + std::strerror(errno));
  }
  watcher_ = std::thread([this] { watch(); });
  catch_signal(SIGINT, before_int_);
  catch_signal(SIGTERM, before_term_);
}

Interruption::~Interruption() {
  ::sigaction(SIGINT, &before_int_, nullptr);
  ::sigaction(SIGTERM, &before_term_, nullptr);
  // A signal that came before this stands in the pipe first: then this thread ends with the
  // program.
  static_cast<void>(!::write(signal_pipe[1], &no_signal, 1));
  watcher_.join();
  for (int& end : signal_pipe) ::close(std::exchange(end, -1));
}

void Interruption::watch() {
  unsigned char signal = no_signal;
  ssize_t got = 0;
  do {
    got = ::read(signal_pipe[0], &signal, 1);
  } while (got < 0 && errno == EINTR);
  if (got != 1 || signal == no_signal) return;
  // Never given back: nothing is to be printed after the last line.
  terminal_mutex().lock();
  const char* clear = ::isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "";
  write_to_errors(clear + std::string("bloomlab: ") +
                  (signal == SIGINT ? "interrupted; " : "terminated; ") + one_line(advice_()) +
                  "\n");
  ::_exit(128 + signal);
}

void say_not_isolated() {
  static std::once_flag said;
  std::call_once(said, [] {
    const std::string& why = foreign::why_not_isolated();
    if (why.empty()) return;
    const std::scoped_lock lock(terminal_mutex());
    std::cerr << "not isolated: " << one_line(why)
              << "; filters may read and write what you may (docs/foreign_filters.md)\n";
  });
}

void say_not_isolated(const experiments::Config& config) {
  const auto is_started = [](const experiments::Cell& cell) {
    const auto target = experiments::executed_by(cell);
    return target && (experiments::is_foreign(cell.filter) || target->library.empty());
  };
  if (std::ranges::any_of(config.cells, is_started)) say_not_isolated();
}

}  // namespace bloomlab::cli
