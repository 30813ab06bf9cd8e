// What filters of counters read at the positions of one key.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/bits/packed_array.hpp"
#include "core/probe/probe.hpp"

namespace bloomlab::detail {

/// Position `i` of key `key`.
[[nodiscard]] inline std::uint64_t position(const PositionBatch& positions, int i,
                                            std::size_t key) noexcept {
  return positions.data[static_cast<std::size_t>(i) * positions.size + key];
}

/// The smallest counter of a key.
[[nodiscard]] inline std::uint64_t smallest_counter(const PackedArray& counters,
                                                    const PositionBatch& positions,
                                                    std::size_t key) noexcept {
  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < positions.k; ++i) {
    smallest = std::min(smallest, counters.get(position(positions, i, key)));
  }
  return smallest;
}

/// Number of counters above zero.
[[nodiscard]] inline std::uint64_t count_used(const PackedArray& counters) noexcept {
  std::uint64_t used = 0;
  for (std::uint64_t i = 0; i < counters.size(); ++i) used += counters.get(i) != 0 ? 1 : 0;
  return used;
}

}  // namespace bloomlab::detail
