// Layers of a scalable filter as a cause: a filter that was taken for one array of bits adds
// another array whenever the last one is full (Almeida et al. 2007).
#pragma once

#include <span>

#include "audit/causes.hpp"

namespace bloomlab::audit::detail {

/// Its parameters are sought in short lists (first capacity, growth, tightening), its rate between.
/// Where the memory is seen to grow, layers that take as much as was counted are preferred, and
/// their fit is `counted`.
void add_layers(Causes& causes, std::span<const Place> places, bool layout_is_declared);

}  // namespace bloomlab::audit::detail
