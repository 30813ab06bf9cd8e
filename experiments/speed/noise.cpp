#include "experiments/speed/noise.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "core/reduction/multiply_shift.hpp"
#include "experiments/speed/timed_keys.hpp"

#if defined(__linux__)
#include <sched.h>
#endif

namespace bloomlab::experiments {
namespace {

constexpr std::size_t bracket_words = (std::size_t{64} << 20) / sizeof(std::uint64_t);
constexpr std::uint64_t bracket_alu_steps = std::uint64_t{1} << 17;
constexpr std::uint64_t bracket_lines = std::uint64_t{1} << 15;
/// A scheduler's tick falls into one pass or two of these: their median is none of it.
constexpr std::size_t bracket_passes = 15;
constexpr std::uint64_t bracket_seed = 1;

template <class Work>
std::uint64_t nanoseconds_of(Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const auto spent = std::chrono::steady_clock::now() - start;
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count());
}

/// A value that the compiler must compute.
void require_value(std::uint64_t value) {
  volatile std::uint64_t seen = value;
  static_cast<void>(seen);
}

/// Median duration of a pass, after one that is not counted.
template <class Work>
std::uint64_t median_pass(Work work) {
  work();
  std::array<std::uint64_t, bracket_passes> passes;
  for (std::uint64_t& pass : passes) pass = nanoseconds_of(work);
  std::nth_element(passes.begin(), passes.begin() + bracket_passes / 2, passes.end());
  return passes[bracket_passes / 2];
}

/// A chain of products, each of which needs the one before.
std::uint64_t time_arithmetic() {
  return median_pass([] {
    std::uint64_t value = bracket_seed;
    for (std::uint64_t i = 0; i < bracket_alu_steps; ++i) {
      value = multiply_high(value | 1, 0xd1342543de82ef95ULL) ^ (value + i);
    }
    require_value(value);
  });
}

/// Field 8 of the first line of /proc/stat, or 0.
std::uint64_t steal_ticks() {
  std::ifstream in("/proc/stat");
  std::string line;
  std::getline(in, line);
  std::istringstream fields(line);
  std::string name;
  std::uint64_t value = 0;
  fields >> name;
  for (int field = 0; field < 8; ++field) {
    if (!(fields >> value)) return 0;
  }
  return value;
}

#if defined(__linux__)
/// Those of the process as it was started: a thread that is bound has only its own.
const cpu_set_t& allowed_processors() {
  static const cpu_set_t allowed = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof set, &set);
    return set;
  }();
  return allowed;
}

/// Those that threads 0, 1, ... are bound to.
std::vector<int> processors_in_order() {
  std::vector<int> processors;
  for (int processor = CPU_SETSIZE - 1; processor >= 0; --processor) {
    if (CPU_ISSET(static_cast<std::size_t>(processor), &allowed_processors())) {
      processors.push_back(processor);
    }
  }
  return cores_first(std::move(processors), "/sys/devices/system/cpu");
}
#endif

}  // namespace

Bracket::Bracket()
    : lines_(present_lines()),
      alu_before_(time_arithmetic()),
      line_before_(time_lines(bracket_seed)),
      steal_before_(steal_ticks()) {}

ZeroedMemory Bracket::present_lines() {
  ZeroedMemory memory(bracket_words);
  std::fill_n(memory.data(), bracket_words, std::uint64_t{1});
  return memory;
}

std::uint64_t Bracket::time_lines(std::uint64_t seed) const {
  // Other lines in every pass: the same ones again would tell whether a neighbour has left them in
  // the shared cache.
  return median_pass([words = lines_.data(), draws = Draws(seed)]() mutable {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < bracket_lines; ++i) sum += words[draws.below(bracket_words)];
    require_value(sum);
  });
}

record::Json Bracket::close() {
  const std::uint64_t steal = steal_ticks();
  const std::uint64_t line_after = time_lines(bracket_seed + 1);
  return {{"alu_ns", {alu_before_, time_arithmetic()}},
          {"line_ns", {line_before_, line_after}},
          {"steal_ticks", steal - std::min(steal, steal_before_)}};
}

std::vector<int> cores_first(std::vector<int> processors, const std::filesystem::path& system) {
  std::map<std::string, int> taken;
  std::vector<std::pair<int, int>> order;  // how many of the core came before, and the processor
  for (const int processor : processors) {
    const std::string name = "cpu" + std::to_string(processor);
    std::string core;
    std::getline(std::ifstream(system / name / "topology" / "thread_siblings_list"), core);
    order.emplace_back(taken[core.empty() ? name : core]++, processor);
  }
  std::ranges::stable_sort(order, {}, &std::pair<int, int>::first);
  std::ranges::transform(order, processors.begin(), &std::pair<int, int>::second);
  return processors;
}

int stay_on_one_processor([[maybe_unused]] unsigned thread) {
#if defined(__linux__)
  static const std::vector<int> processors = processors_in_order();
  if (processors.empty()) return -1;
  const int chosen = processors[thread % processors.size()];
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(chosen), &one);
  return ::sched_setaffinity(0, sizeof one, &one) == 0 ? chosen : -1;
#else
  return -1;
#endif
}

void use_every_processor() {
#if defined(__linux__)
  const cpu_set_t& allowed = allowed_processors();
  ::sched_setaffinity(0, sizeof allowed, &allowed);
#endif
}

}  // namespace bloomlab::experiments
