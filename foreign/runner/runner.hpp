// The program bloomlab-foreign: the guard of one filter from outside, and the host of a shared
// library. It knows nothing of the laboratory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bloomlab::foreign::runner {

/// What the guard is to start.
struct Job {
  std::uint64_t memory_mib = 0;  ///< limit of all its processes together
  bool network = false;          ///< false: cut off, where the system lets us
  std::string folder;            ///< where it runs
  std::string library = {};      ///< empty for a command
  std::vector<std::string> command = {};
};

/// Starts the job, whose standard input and output are ours, and waits for its end or for that of
/// the control socket (descriptor 3); then ends all that it started, removes its temporary folder
/// and says on the socket how it ended. @return the exit status
int guard(const Job& job);

/// Serves the library by frames on standard input and output until the input ends.
/// @return the exit status; a fault is a line on standard error
int host_library(const std::string& path);

}  // namespace bloomlab::foreign::runner
