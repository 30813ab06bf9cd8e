// A sweep as a student programs it: for every cell and trial a filter of its own
// (experiments/peers/student_filter.hpp), all members inserted, all strangers asked. What the
// suite's own engine is timed beside.
#pragma once

#include <cstdint>
#include <span>

namespace bloomlab::experiments {

/// Strangers that a fresh StudentFilter of m bits and k probes reports after `members`.
[[nodiscard]] std::uint64_t naive_false_positives(std::uint64_t m, std::uint64_t k,
                                                  std::span<const std::uint64_t> members,
                                                  std::span<const std::uint64_t> strangers);

}  // namespace bloomlab::experiments
