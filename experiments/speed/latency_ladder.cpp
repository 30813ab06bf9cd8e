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
  constexpr double next_memory = 2.5;
  constexpr double still_rising = 1.25;
  std::vector<LatencyRung> caches;
  if (ladder.empty()) return caches;
  double level = ladder.front().latency_ns;
  bool rising = false;
  for (std::size_t i = 1; i < ladder.size(); ++i) {
    const double latency = ladder[i].latency_ns;
    if (latency > next_memory * level) {
      caches.push_back(ladder[i - 1]);
      level = latency;
      rising = true;
    } else if (rising && latency > still_rising * ladder[i - 1].latency_ns) {
      level = latency;
    } else {
      rising = false;
    }
  }
  return caches;
}

}  // namespace bloomlab::experiments
