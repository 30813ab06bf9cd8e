#include "experiments/speed/latency_ladder.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "core/bits/zeroed_memory.hpp"
#include "experiments/speed/timed_keys.hpp"

namespace bloomlab::experiments {
namespace {

constexpr std::uint64_t ladder_line_words = 8;
constexpr std::uint64_t ladder_line_bytes = 64;
constexpr std::uint64_t ladder_loads = std::uint64_t{1} << 18;

/// Links all lines of the working set in one random cycle (Sattolo 1986).
void link_lines(std::span<std::uint64_t> words, std::uint64_t lines) {
  std::vector<std::uint64_t> order(lines);
  std::iota(order.begin(), order.end(), 0);
  Draws draws(lines);
  for (std::uint64_t i = lines - 1; i > 0; --i) std::swap(order[i], order[draws.below(i)]);
  for (std::uint64_t i = 0; i < lines; ++i) {
    words[order[i] * ladder_line_words] = order[(i + 1) % lines] * ladder_line_words;
  }
}

/// The fastest of three walks: what is looked for is where memory lies, not how busy it is.
double walk_ns(std::span<const std::uint64_t> words, std::uint64_t lines) {
  double fastest = 0.0;
  volatile std::uint64_t end = 0;
  for (int walk = 0; walk < 3; ++walk) {
    std::uint64_t at = end % (lines * ladder_line_words) / ladder_line_words * ladder_line_words;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < ladder_loads; ++i) at = words[at];
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    end = at;
    const double each = spent.count() / static_cast<double>(ladder_loads);
    fastest = walk == 0 ? each : std::min(fastest, each);
  }
  return fastest;
}

}  // namespace

std::vector<LatencyRung> measure_latencies(std::uint64_t largest_bytes) {
  ZeroedMemory memory(static_cast<std::size_t>(largest_bytes / sizeof(std::uint64_t)));
  std::vector<LatencyRung> ladder;
  for (std::uint64_t power = std::uint64_t{8} << 10; power <= largest_bytes; power *= 2) {
    for (const std::uint64_t bytes : {power, power + power / 2}) {
      if (bytes > largest_bytes) break;
      const std::uint64_t lines = bytes / ladder_line_bytes;
      link_lines(memory.words(), lines);
      ladder.push_back({bytes, walk_ns(memory.words(), lines)});
    }
  }
  return ladder;
}

std::vector<LatencyRung> cache_rungs(std::span<const LatencyRung> ladder) {
  constexpr double slower = 1.25;
  constexpr std::uint64_t apart = 4;
  if (ladder.empty()) return {};
  // Of every rung the fastest of those behind it: a rung that was slow by chance is no rise.
  std::vector<double> fastest(ladder.size(), ladder.back().latency_ns);
  for (std::size_t i = ladder.size() - 1; i > 0; --i) {
    fastest[i - 1] = std::min(fastest[i], ladder[i].latency_ns);
  }
  std::vector<LatencyRung> caches;
  double steepest = 0.0;  // rise behind the last of the caches
  for (std::size_t i = 0; i + 1 < ladder.size(); ++i) {
    if (fastest[i] <= slower * ladder[i].latency_ns) continue;
    const double rise = ladder[i + 1].latency_ns / ladder[i].latency_ns;
    const bool is_new = caches.empty() || ladder[i].bytes >= apart * caches.back().bytes;
    if (!is_new && rise <= steepest) continue;
    if (is_new) {
      caches.push_back(ladder[i]);
    } else {
      caches.back() = ladder[i];
    }
    steepest = rise;
  }
  return caches;
}

}  // namespace bloomlab::experiments
