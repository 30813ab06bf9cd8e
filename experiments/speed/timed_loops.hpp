// The one harness of what is timed: loops of one process, run by Google Benchmark. Every repetition
// counts, none is averaged or chosen.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace bloomlab::experiments {

/// A loop of a fixed number of passes. Both functions are called from `threads` threads at once,
/// with the number of the thread, 0 .. threads - 1.
struct TimedLoop {
  std::string name;
  std::uint64_t passes = 1;
  unsigned threads = 1;
  /// Before the clock runs, once a repetition and thread; the repetitions are numbered from 0.
  std::function<void(unsigned thread, std::uint64_t repetition)> prepare;
  /// Pass `pass`, 0 .. passes - 1, timed.
  std::function<void(unsigned thread, std::uint64_t pass)> run;
  /// Before each pass with the clock halted, where there is something to do.
  std::function<void(std::uint64_t pass)> between = {};
};

/// How often loops run.
struct Repetitions {
  std::uint64_t counted = 1;  ///< >= 1
  std::uint64_t warm_up = 0;  ///< run before them and left out
};

/// Wall-clock time of all passes of each counted repetition [ns], in order; with several threads
/// their mean. One list a loop, in the order of the loops, whose repetitions take turns at random.
/// Calls from several threads wait for each other. Throws what a loop throws.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> run_timed(std::span<const TimedLoop> loops,
                                                                Repetitions repetitions);

/// Times loops that are held against each other: in every round each order of them comes once, the
/// orders shuffled anew, and in each order every loop runs one repetition. So of any two loops
/// either comes before the other equally often, and directly before it equally often: none
/// finds the caches warmed by another more often than the other way round. Rotations do not do
/// that: of three loops the second then follows the first twice in three.
/// @param loops at most 5 @param rounds >= 1
/// @return one list a loop of rounds times (number of loops)! durations, otherwise as run_timed()
[[nodiscard]] std::vector<std::vector<std::uint64_t>> run_in_every_order(
    std::span<const TimedLoop> loops, std::uint64_t rounds);

}  // namespace bloomlab::experiments
