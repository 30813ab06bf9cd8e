// Parts of an audit that a filter may fail in: each costs itself alone.
#pragma once

#include <string>

#include "audit/evidence.hpp"
#include "foreign/failure.hpp"

namespace bloomlab::audit::detail {

/// Whether so much has failed that no more is tried: each failure starts a process anew, and one
/// may take all the time that a call has.
[[nodiscard]] inline bool gave_up(const Evidence& evidence) {
  constexpr std::size_t most_failures = 8;
  constexpr std::size_t most_timeouts = 2;
  std::size_t timeouts = 0;
  for (const FailedPart& failed : evidence.failed) timeouts += failed.is_timeout ? 1 : 0;
  return evidence.failed.size() >= most_failures || timeouts >= most_timeouts;
}

/// Calls `use`; a failure of the filter in it is one of the evidence.
/// @return whether it was all measured
template <class Use>
bool attempted(Evidence& evidence, const std::string& part, Use use) {
  if (gave_up(evidence)) {
    evidence.untried.push_back(part);
    return false;
  }
  try {
    use();
    return true;
  } catch (const foreign::Failure& failure) {
    evidence.failed.push_back(
        {part, failure.what(), failure.kind() == foreign::FailureKind::timeout});
    return false;
  }
}

}  // namespace bloomlab::audit::detail
