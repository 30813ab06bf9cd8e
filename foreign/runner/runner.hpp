// The program bloomlab-foreign: the guard of one filter from outside, what starts the filter within
// its bounds, and the host of a shared library. It knows nothing of the laboratory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bloomlab::foreign::runner {

/// What the guard is to start.
struct Job {
  std::uint64_t memory_mib = 0;          ///< limit of all its processes together
  bool network = false;                  ///< false: cut off, where the system lets us
  std::string bubblewrap = {};           ///< the program bwrap; empty: not isolated
  std::string search_path = {};          ///< PATH of the filter
  std::string folder = {};               ///< where it runs
  bool writes_folder = false;            ///< else it cannot, where it is isolated
  bool own_user = false;                 ///< as root: by a user that owns nothing but the folder
  std::string home = {};                 ///< is empty for it, where it is named
  std::vector<std::string> hidden = {};  ///< further files and folders that are empty for it
  std::vector<std::string> shown = {};   ///< files that it reads wherever they are
  std::vector<std::string> start = {};   ///< "library PATH" or "command PROGRAM ARGUMENTS..."
};

/// Starts the job, whose standard input and output are ours, and waits for its end or for that of
/// the control socket (descriptor 3); then ends all that it started, removes its temporary folder
/// and says on the socket how it ended. @return the exit status
int guard(const Job& job);

/// The words of a command that isolates what is put behind them, and is executed as it stands: all
/// files can be read and none written, but for the folder; temporary folders, /run, /dev/shm and
/// the hidden ones are empty, and what is written into the temporary ones and /dev/shm takes at
/// most the job's memory again; processes, network, IPC and the host's name are its own.
/// @param temporary an empty folder for the filter's temporary files
[[nodiscard]] std::vector<std::string> isolating_command(const Job& job,
                                                         const std::string& temporary);

/// What starts the filter inside.
struct Inner {
  int input = 0;               ///< standard input of the filter, a descriptor
  int output = 0;              ///< its standard output
  int status = 0;              ///< where its start and its end are said
  std::uint64_t data_mib = 0;  ///< limit of a process's data
  bool own_processes = false;  ///< in a namespace that counts no others of its user
  std::string folder = {};
  std::vector<std::string> start = {};
};

/// The command line of an Inner, behind the program's name, and back.
[[nodiscard]] std::vector<std::string> words_of(const Inner& inner);
[[nodiscard]] Inner inner_of(const std::vector<std::string>& words);

/// Starts the filter, says "ready", waits for its end, and says "exit 3", "signal 11" or, where
/// there is no such program, "start REASON". A signal ends it from outside only where it is the
/// first process of its namespace. @return the exit status
int start_within(const Inner& inner);

/// Refuses this process, and all that it starts, the system calls that make memory which no process
/// has mapped, or that reach other processes, mounts, namespaces or the kernel; a call of another
/// architecture ends it. On other processors than x86-64 and aarch64 all are left. False, with
/// errno, where the system has no such limits.
[[nodiscard]] bool limit_system_calls();

/// Serves the library by frames on standard input and output until the input ends.
/// @return the exit status; a fault is a line on standard error
int host_library(const std::string& path);

/// Processes and threads that a filter may have, all that it starts together: a virtual machine of
/// Java has some tens.
inline constexpr std::size_t most_processes = 256;

/// Exit status of what could not be started.
inline constexpr int status_of_failed_start = 127;

}  // namespace bloomlab::foreign::runner
