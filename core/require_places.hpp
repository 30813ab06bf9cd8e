// Batches that answer into the caller's memory: there must be a place for every key.
#pragma once

#include <cstddef>
#include <string>

#include "core/refusal.hpp"

namespace bloomlab::detail {

/// Throws std::invalid_argument where an output span has not one place per key. To be called before
/// anything is read or written.
inline void require_places(std::size_t keys, std::size_t places) {
  if (places == keys) return;
  refuse("an output span of " + std::to_string(places) + " places was given for " +
         std::to_string(keys) + " keys; give one place per key");
}

}  // namespace bloomlab::detail
