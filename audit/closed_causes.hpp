// Causes with a closed form.
#pragma once

#include <span>

#include "audit/causes.hpp"

namespace bloomlab::audit::detail {

/// All that fits the layouts and what was seen.
void add_closed_causes(Causes& causes, std::span<const Place> places, const Evidence& evidence,
                       bool layout_is_declared);

}  // namespace bloomlab::audit::detail
