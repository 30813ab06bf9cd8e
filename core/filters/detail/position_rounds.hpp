// Loops over positions that a filter makes itself, chunk by chunk, and lookups in rounds over any
// kind of cell: probe 0 of all keys, then probe 1 of those that are left, and so on.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/digests.hpp"
#include "core/filters/detail/probe_rounds.hpp"
#include "core/probe/probe.hpp"

namespace bloomlab::detail {

/// Calls `write(chunk, out)`, which leaves k planes of positions in `out`, and then
/// `use(first, positions)` for one chunk after the other; `first` is the chunk's first key.
template <class Write, class Use>
void for_each_written_chunk(const DigestBatch& digests, std::uint64_t k, Write&& write, Use&& use) {
  std::array<std::uint64_t, chunk_positions> positions;
  const std::size_t chunk = chunk_keys(k);
  for (std::size_t first = 0; first < digests.size; first += chunk) {
    const std::size_t count = std::min(chunk, digests.size - first);
    write(digests.slice(first, count), positions.data());
    use(first, PositionBatch{positions.data(), count, static_cast<int>(k)});
  }
}

/// The keys of a chunk of which `taken(position)` holds at every position.
template <class Taken>
[[nodiscard]] Survivors all_taken(const PositionBatch& positions, Taken&& taken) {
  Survivors survivors;
  survivors.size = positions.size;
  for (std::size_t j = 0; j < positions.size; ++j) {
    survivors.keys[j] = static_cast<std::uint16_t>(j);
  }
  for (int i = 0; i < positions.k && survivors.size != 0; ++i) {
    const std::uint64_t* const plane = positions.probe(i).data();
    std::size_t left = 0;
    for (std::size_t a = 0; a < survivors.size; ++a) {
      const std::uint16_t j = survivors.keys[a];
      survivors.keys[left] = j;
      left += taken(plane[j]) ? 1 : 0;
    }
    survivors.size = left;
  }
  return survivors;
}

}  // namespace bloomlab::detail
