// A trial in a process of its own: two runs of one process share the places of its memory, its
// caches and its fate, so that durations are replicated by process runs and by nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "core/simd/batch_tuning.hpp"
#include "experiments/cells/measurement.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// What a process run is to measure: one trial of one cell.
struct ProcessRunRequest {
  std::string kind;     ///< of experiment, one with a grid of its own
  record::Json config;  ///< verbatim: the kind's own keys stand in it
  record::Json cell;    ///< a resolved point of its grid
  std::uint64_t seed = 0;
  std::filesystem::path folder = {};  ///< where paths of a filter from outside start
  BatchTuning tuning = {};            ///< of the filters; changes no count
  unsigned limit_seconds = 0;         ///< after which a process run ends by SIGALRM; 0: never
};

/// Measures what is asked for, somewhere else. Throws std::runtime_error with the fault's text.
using ProcessRunner = std::function<std::vector<Measurement>(const ProcessRunRequest&)>;

/// Measures it in this process.
[[nodiscard]] std::vector<Measurement> measure_here(const ProcessRunRequest& request);

/// Starts `program` with `arguments` for every request, which then calls answer_process_run(). The
/// environment is this process's, with huge pages allowed to the standard allocator where the cell
/// says "pages": "huge".
[[nodiscard]] ProcessRunner runner_of_program(std::filesystem::path program,
                                              std::vector<std::string> arguments);

/// The side of the process run: reads a request, measures it here, writes the measurements or the
/// fault.
/// @return the exit status: 0, or 1 after a fault
int answer_process_run(std::istream& in, std::ostream& out);

}  // namespace bloomlab::experiments
