// All causes, fitted.
#pragma once

#include <span>
#include <vector>

#include "audit/causes.hpp"

namespace bloomlab::audit {

/// Every cause, each at its best parameters, best first.
[[nodiscard]] std::vector<Fit> fit_causes(std::span<const Place> places, const Evidence& evidence,
                                          bool layout_is_declared);

}  // namespace bloomlab::audit
