// One case tried on a student's filter: counts, and how it failed where it did.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "foreign/failure.hpp"
#include "foreign/target.hpp"
#include "lab/cases.hpp"

namespace bloomlab::lab {

/// How a filter failed.
struct Fault {
  foreign::FailureKind kind = foreign::FailureKind::ended;
  std::string text;
};

/// What one case gave. Where there is a fault the counts mean nothing.
struct Trial {
  std::optional<Fault> fault = {};
  std::uint64_t false_negatives = 0;  ///< inserted keys that it denies
  std::uint64_t false_positives = 0;  ///< absent keys that it reports
  std::uint64_t memory_bits = 0;      ///< as it says, filled
  std::uint64_t present_bytes = 0;    ///< of its process then, and all that it started
  bool has_room = true;               ///< no key was turned away
  bool repeats = true;                ///< equal answers for the same keys, in a batch or one by one
  bool starts_empty = true;           ///< a new filter in the same process denies all keys
};

/// Starts the filter, tries the case and ends it. Keys and the filter's seed follow from `seed`.
/// Past the deadline no further call is made: the fault is `timeout`. Throws foreign::SystemFault,
/// and nothing for what the filter does.
[[nodiscard]] Trial try_case(const foreign::Target& target, const Case& one, std::uint64_t seed,
                             std::chrono::steady_clock::time_point deadline);

}  // namespace bloomlab::lab
