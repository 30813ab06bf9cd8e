// Every position of a batch of keys, in no order to rely on, each asked for some positions before
// its use: the loop of inserts that add up, where the order of keys and probes does not matter.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/digests.hpp"
#include "core/filters/detail/probe_rounds.hpp"
#include "core/probe/probe.hpp"
#include "core/simd/word_range.hpp"

namespace bloomlab::detail {

/// Positions between the hint and the use.
inline constexpr std::size_t positions_ahead = 32;

/// Positions `first` .. `end - 1`, or all of them.
struct PositionRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  bool all = false;
};

/// Packs those of the positions that are of the range together; how many they are.
inline std::size_t keep_range(const PositionRange& range, std::span<std::uint64_t> positions) {
  if (range.all) return positions.size();
  if (range.first == range.end) return 0;
  return simd::keep_range(positions, range.first, range.end - 1, positions.data());
}

/// Calls `prefetch(position)` for every position of the range that a key has, and some positions
/// later `use(position)`; k >= 1.
template <class Prefetch, class Use>
void for_each_position_ahead(const DigestBatch& digests, const Probe& probe, std::uint64_t m,
                             std::uint64_t k, const PositionRange& range, const Prefetch& prefetch,
                             const Use& use) {
  std::array<std::uint64_t, positions_ahead + chunk_positions> positions;
  std::size_t waiting = 0;  // asked for, and not yet used
  const std::size_t chunk = chunk_keys(k);
  for (std::size_t first = 0; first < digests.size; first += chunk) {
    const std::size_t keys = std::min(chunk, digests.size - first);
    std::uint64_t* const made = positions.data() + waiting;
    probe.write(digests.slice(first, keys), m, static_cast<int>(k), made);
    const std::size_t end = waiting + keep_range(range, {made, keys * static_cast<std::size_t>(k)});
    std::size_t asked = waiting;
    for (; asked < std::min(positions_ahead, end); ++asked) prefetch(positions[asked]);
    std::size_t used = 0;
    for (; asked < end; ++asked, ++used) {
      prefetch(positions[asked]);
      use(positions[used]);
    }
    // The hints run on into the next chunk, so that the memory never stands still.
    std::copy(positions.data() + used, positions.data() + end, positions.data());
    waiting = end - used;
  }
  for (std::size_t i = 0; i < waiting; ++i) use(positions[i]);
}

}  // namespace bloomlab::detail
