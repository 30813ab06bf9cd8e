// The loops of filters that set and test single bits, over a batch of positions. They are the
// reference for vectorised ones.
//
// Lookups go in rounds: probe 0 of all keys, then probe 1 of those that are left, and so on. The
// loads of a round do not wait for each other, and no branch depends on a bit.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bits/bit_array.hpp"
#include "core/digests.hpp"
#include "core/probe/probe.hpp"

namespace bloomlab::detail {

/// Keys of one chunk at most: with its positions a chunk stays in the first-level cache.
inline constexpr std::size_t max_chunk_keys = 256;
inline constexpr std::size_t chunk_positions = 2048;
static_assert(chunk_positions >= 256, "one key of max_probes probes must fit");

/// Keys of a chunk for k probes a key.
[[nodiscard]] constexpr std::size_t chunk_keys(std::uint64_t k) noexcept {
  return std::min<std::size_t>(max_chunk_keys, chunk_positions / static_cast<std::size_t>(k));
}

/// Indices of keys within a chunk; the first `size` are in use, in ascending order.
struct Survivors {
  std::array<std::uint16_t, max_chunk_keys> keys;
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::uint16_t> span() const noexcept { return {keys.data(), size}; }
};

/// Calls `use(first, positions)` for one chunk after the other; `first` is the chunk's first key.
template <class Use>
void for_each_chunk(const DigestBatch& digests, const Probe& probe, std::uint64_t m,
                    std::uint64_t k, Use&& use) {
  std::array<std::uint64_t, chunk_positions> positions;
  const std::size_t chunk = chunk_keys(k);
  for (std::size_t first = 0; first < digests.size; first += chunk) {
    const std::size_t count = std::min(chunk, digests.size - first);
    probe.write(digests.slice(first, count), m, static_cast<int>(k), positions.data());
    use(first, PositionBatch{positions.data(), count, static_cast<int>(k)});
  }
}

/// Sets every position.
inline void set_all(BitArray& bits, const PositionBatch& positions) noexcept {
  const std::size_t count = positions.size * static_cast<std::size_t>(positions.k);
  for (std::size_t i = 0; i < count; ++i) bits.set(positions.data[i]);
}

/// Sets the positions of key `j`; true if one of them was not set before.
inline bool set_key(BitArray& bits, const PositionBatch& positions, std::size_t j) noexcept {
  bool changed = false;
  for (int i = 0; i < positions.k; ++i) {
    changed |= bits.set(positions.data[static_cast<std::size_t>(i) * positions.size + j]);
  }
  return changed;
}

/// The keys of a chunk whose positions are all set.
[[nodiscard]] inline Survivors contained(const BitArray& bits,
                                         const PositionBatch& positions) noexcept {
  Survivors survivors;
  std::uint16_t* const keys = survivors.keys.data();
  std::size_t left = 0;
  const std::uint64_t* plane = positions.data;
  for (std::size_t j = 0; j < positions.size; ++j) {
    keys[left] = static_cast<std::uint16_t>(j);
    left += bits.test(plane[j]) ? 1 : 0;
  }
  for (int i = 1; i < positions.k && left != 0; ++i) {
    plane += positions.size;
    const std::size_t asked = left;
    left = 0;
    for (std::size_t a = 0; a < asked; ++a) {
      const std::uint16_t j = keys[a];
      keys[left] = j;
      left += bits.test(plane[j]) ? 1 : 0;
    }
  }
  survivors.size = left;
  return survivors;
}

}  // namespace bloomlab::detail
