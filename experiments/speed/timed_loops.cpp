#include "experiments/speed/timed_loops.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <utility>

namespace bloomlab::experiments {
namespace {

/// Whether a loop ended early. Google Benchmark 1.8 renamed the member.
template <class Run>
bool ended_early(const Run& run) {
  if constexpr (requires { run.error_occurred; }) {
    return run.error_occurred;
  } else {
    return static_cast<int>(run.skipped) != 0;
  }
}

/// Keeps the duration of every repetition, and prints nothing.
class RawRepetitions final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      if (ended_early(run)) continue;  // run_timed() throws what was thrown
      durations_[run.run_name.function_name][run.repetition_index] =
          static_cast<std::uint64_t>(run.real_accumulated_time * 1e9);
    }
  }

  /// The counted durations of a loop.
  [[nodiscard]] std::vector<std::uint64_t> of(const std::string& name,
                                              Repetitions repetitions) const {
    std::vector<std::uint64_t> counted;
    for (const auto& [repetition, duration] : durations_.at(name)) {
      if (static_cast<std::uint64_t>(repetition) >= repetitions.warm_up) {
        counted.push_back(duration);
      }
    }
    return counted;
  }

 private:
  std::map<std::string, std::map<std::int64_t, std::uint64_t>> durations_;
};

/// The body of a benchmark: one repetition of one thread.
void repeat(benchmark::State& state, const TimedLoop& loop, std::uint64_t repetition) {
  const auto thread = static_cast<unsigned>(state.thread_index());
  loop.prepare(thread, repetition);
  std::uint64_t pass = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (loop.between) {
      state.PauseTiming();
      loop.between(pass);
      state.ResumeTiming();
    }
    loop.run(thread, pass++);
  }
}

/// The first exception of any loop: after it no loop is called again.
class LoopFault {
 public:
  [[nodiscard]] bool is_there() const noexcept { return is_there_; }
  void keep(std::exception_ptr fault) {
    if (!is_there_.exchange(true)) fault_ = std::move(fault);
  }
  /// To be called when all threads are done.
  void rethrow() const {
    if (fault_) std::rethrow_exception(fault_);
  }

 private:
  std::atomic<bool> is_there_ = false;
  std::exception_ptr fault_;
};

void enroll(const TimedLoop& loop, Repetitions repetitions, std::uint64_t first_repetition,
            LoopFault& first) {
  // Every thread of a repetition comes by once: the count of calls tells which repetition it is.
  auto calls = std::make_shared<std::atomic<std::uint64_t>>(0);
  benchmark::RegisterBenchmark(loop.name.c_str(),
                               [&loop, &first, first_repetition, calls](benchmark::State& state) {
                                 const std::uint64_t call = calls->fetch_add(1);
                                 if (first.is_there()) return state.SkipWithError("left out");
                                 try {
                                   repeat(state, loop, first_repetition + call / loop.threads);
                                 } catch (const std::exception& fault) {
                                   first.keep(std::current_exception());
                                   state.SkipWithError(fault.what());
                                 }
                               })
      ->Iterations(static_cast<benchmark::IterationCount>(loop.passes))
      ->Repetitions(static_cast<int>(repetitions.counted + repetitions.warm_up))
      ->Threads(static_cast<int>(loop.threads))
      ->UseRealTime();
}

enum class Turns { at_random, as_listed };

void choose_turns(Turns turns) {
  std::string program = "bloomlab";
  std::string option = "--benchmark_enable_random_interleaving=";
  option += turns == Turns::at_random ? "true" : "false";
  std::array<char*, 3> arguments = {program.data(), option.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments.data());
}

/// Google Benchmark has one list of loops for the whole process.
std::mutex& one_at_a_time() {
  static std::mutex mutex;
  return mutex;
}

/// The counted durations of the loops. @param first the number of the first repetition
std::vector<std::vector<std::uint64_t>> run(std::span<const TimedLoop* const> loops,
                                            Repetitions repetitions, std::uint64_t first,
                                            Turns turns) {
  const std::scoped_lock lock(one_at_a_time());
  choose_turns(turns);
  benchmark::ClearRegisteredBenchmarks();
  LoopFault fault;
  for (const TimedLoop* loop : loops) enroll(*loop, repetitions, first, fault);
  RawRepetitions reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter, ".");
  benchmark::ClearRegisteredBenchmarks();
  fault.rethrow();
  std::vector<std::vector<std::uint64_t>> durations;
  for (const TimedLoop* loop : loops) durations.push_back(reporter.of(loop->name, repetitions));
  return durations;
}

}  // namespace

std::vector<std::vector<std::uint64_t>> run_timed(std::span<const TimedLoop> loops,
                                                  Repetitions repetitions) {
  std::vector<const TimedLoop*> all;
  for (const TimedLoop& loop : loops) all.push_back(&loop);
  return run(all, repetitions, 0, Turns::at_random);
}

std::vector<std::vector<std::uint64_t>> run_in_every_order(std::span<const TimedLoop> loops,
                                                           std::uint64_t rounds) {
  std::vector<std::size_t> order(loops.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> orders;
  do orders.push_back(order);
  while (std::ranges::next_permutation(order).found);
  std::mt19937_64 random;
  std::vector<std::vector<std::uint64_t>> durations(loops.size());
  std::uint64_t repetition = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::ranges::shuffle(orders, random);
    for (const auto& turns : orders) {
      std::vector<const TimedLoop*> listed;
      for (const std::size_t loop : turns) listed.push_back(&loops[loop]);
      const auto one = run(listed, {.counted = 1}, repetition++, Turns::as_listed);
      for (std::size_t i = 0; i < turns.size(); ++i) {
        durations[turns[i]].push_back(one[i].front());
      }
    }
  }
  return durations;
}

}  // namespace bloomlab::experiments
