// What a filter took, and what somebody gets who knows its hash.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "audit/audit.hpp"

namespace bloomlab::audit {

/// Less memory than what was promised takes, at the first of these sizes where it is so.
[[nodiscard]] std::optional<Finding> too_little_memory(std::span<const Place> places,
                                                       const Examined& examined);

/// The memory of each size beside what was promised and beside the lower bound.
[[nodiscard]] std::vector<Memory> memory_of(const Evidence& seen, const Examined& examined);

/// Chosen keys: Gerbet, Kumar, Lauradoux 2015, "The power of evil choices in Bloom filters".
[[nodiscard]] Attack attack_on(const Evidence& seen, const Examined& examined);

}  // namespace bloomlab::audit
