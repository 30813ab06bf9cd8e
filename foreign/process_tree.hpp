// The processes below a process, as /proc shows them (Linux, proc(5)).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <vector>

namespace bloomlab::foreign {

/// All that a process started, and what these started in turn, as far as it is there; without it.
[[nodiscard]] std::vector<pid_t> processes_below(pid_t process);

/// Memory that is present of these, as if they shared none [bytes].
[[nodiscard]] std::uint64_t present_bytes(std::span<const pid_t> processes);

}  // namespace bloomlab::foreign
