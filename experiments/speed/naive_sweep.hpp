// A sweep as a student programs it: for every cell and trial a filter of its own
// (experiments/peers/student_filter.hpp), all keys inserted, all absent keys queried. What the
// suite's own engine is timed beside.
#pragma once

#include <cstdint>
#include <span>

namespace bloomlab::experiments {

/// Absent keys that a fresh StudentFilter of m bits and k probes reports after `inserted_keys`.
[[nodiscard]] std::uint64_t naive_false_positives(std::uint64_t m, std::uint64_t k,
                                                  std::span<const std::uint64_t> inserted_keys,
                                                  std::span<const std::uint64_t> absent_keys);

}  // namespace bloomlab::experiments
