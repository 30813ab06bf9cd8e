// Whether a machine was quiet while something was timed: a fixed arithmetic loop and a fixed loop
// over random lines, timed before and after, and the time that the host took away.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/bits/zeroed_memory.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// Times its loops when it is made and when it is closed: each a median of short passes, so that
/// one interruption moves nothing. The arithmetic loop is a chain of dependent products and shows
/// the processor's frequency and whoever else runs on it; the loop of random lines also shows what
/// others do to the caches, to the memory and, on shared cores, to the processor's ports.
class Bracket {
 public:
  /// Allocates 64 MiB for the random lines, which are in it as long as it lives; on huge pages
  /// where the system gives them. Made before choose_pages(), it is the same for both page modes.
  Bracket();

  /// Times the loops again. @return {"alu_ns": [before, after], "line_ns": [before, after],
  /// "steal_ticks": ticks of 1/100 s that the host gave to others meanwhile, over all processors}
  [[nodiscard]] record::Json close();

 private:
  [[nodiscard]] static ZeroedMemory present_lines();
  [[nodiscard]] std::uint64_t time_lines(std::uint64_t seed) const;

  ZeroedMemory lines_;
  std::uint64_t alu_before_;
  std::uint64_t line_before_;
  std::uint64_t steal_before_;
};

/// The processors with one of every core first, then a second one of every core that has two, and
/// so on; otherwise in the given order.
/// @param processors their numbers
/// @param system holds cpuN/topology/thread_siblings_list, which names the processors of a core;
/// one without it is a core of its own
[[nodiscard]] std::vector<int> cores_first(std::vector<int> processors,
                                           const std::filesystem::path& system);

/// Binds the calling thread to a processor of its own: thread 0 to the last one that the process
/// may use, thread 1 to the last one of another core, and so on; two threads share a core only
/// where there are more of them than cores. @return the processor's number, or -1 where the system
/// cannot
int stay_on_one_processor(unsigned thread);

/// Frees the calling thread again, and the threads that it starts: one that begins where its
/// starter is bound and works waits for it before it can bind itself elsewhere. Nothing where the
/// system cannot, and where no thread was bound before.
void use_every_processor();

}  // namespace bloomlab::experiments
