// Whether a machine was quiet while something was timed: a fixed arithmetic loop and a fixed loop
// over random lines, timed before and after, and the time that the host took away.
#pragma once

#include <cstdint>
#include <vector>

#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// Times its loops when it is made and when it is closed.
class Bracket {
 public:
  /// Allocates 64 MiB for the random lines, which are in it as long as it lives.
  Bracket();

  /// Times the loops again. @return {"alu_ns": [before, after], "line_ns": [before, after],
  /// "steal_ticks": ticks of 1/100 s that the host gave to others meanwhile, over all processors}
  [[nodiscard]] record::Json close();

 private:
  [[nodiscard]] std::uint64_t time_lines() const;

  std::vector<std::uint64_t> lines_;
  std::uint64_t alu_before_;
  std::uint64_t line_before_;
  std::uint64_t steal_before_;
};

/// Binds the calling thread to a processor of its own: thread 0 to the last one that the process
/// may use, thread 1 to the one before, and so on around. @return the processor's number, or -1
/// where the system cannot
int stay_on_one_processor(unsigned thread);

}  // namespace bloomlab::experiments
