// A trial in a process of its own: two runs of one process share the places of its memory, its
// caches and its fate, so that durations are replicated by launches and by nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "core/simd/batch_tuning.hpp"
#include "experiments/kinds/measurement.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// What a launched process is to measure: one trial of one cell.
struct LaunchRequest {
  std::string kind;     ///< of experiment, one with a grid of its own
  record::Json config;  ///< verbatim: the kind's own keys stand in it
  record::Json cell;    ///< a resolved point of its grid
  std::uint64_t seed = 0;
  BatchTuning tuning = {};     ///< of the filters; changes no count
  unsigned limit_seconds = 0;  ///< after which a launched process ends by SIGALRM; 0: never
};

/// Measures what is asked for, somewhere else. Throws std::runtime_error with the fault's text.
using Launcher = std::function<std::vector<Measurement>(const LaunchRequest&)>;

/// A kind whose trials are launched: in a process each, one at a time, cells in random turn.
template <class Kind>
concept Launched = requires {
  requires Kind::launched;
};

/// Measures it in this process.
[[nodiscard]] std::vector<Measurement> measure_here(const LaunchRequest& request);

/// Starts `program` with `arguments` for every request, which then calls answer_launch(). The
/// environment is this process's, with huge pages allowed to the standard allocator where the cell
/// says "pages": "huge".
[[nodiscard]] Launcher process_launcher(std::filesystem::path program,
                                        std::vector<std::string> arguments);

/// The launched side: reads a request, measures it here, writes the measurements or the fault.
/// @return the exit status: 0, or 1 after a fault
int answer_launch(std::istream& in, std::ostream& out);

}  // namespace bloomlab::experiments
