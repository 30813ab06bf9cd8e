// The loops of filters that set and test single cells, over a batch of positions. They are the
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
#include <utility>

#include "core/bits/bit_array.hpp"
#include "core/digests.hpp"
#include "core/probe/probe.hpp"

namespace bloomlab::detail {

/// Keys of one chunk at most: with its positions a chunk stays in the first-level cache.
inline constexpr std::size_t max_chunk_keys = 256;
inline constexpr std::size_t chunk_positions = 2048;
static_assert(chunk_positions >= 256, "one key of max_probes probes must fit");

/// Keys of a chunk for k probes per key.
[[nodiscard]] constexpr std::size_t chunk_keys(std::uint64_t k) noexcept {
  return std::min<std::size_t>(max_chunk_keys, chunk_positions / static_cast<std::size_t>(k));
}

/// Indices of keys within a chunk; the first `size` are in use, in ascending order.
struct Survivors {
  std::array<std::uint16_t, max_chunk_keys> keys;
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::uint16_t> span() const& noexcept {
    return {keys.data(), size};
  }
  void span() const&& = delete;
};

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

/// The same, with the positions of the probe.
template <class Use>
void for_each_chunk(const DigestBatch& digests, const Probe& probe, std::uint64_t m,
                    std::uint64_t k, Use&& use) {
  const auto write = [&](const DigestBatch& chunk, std::uint64_t* out) {
    probe.write(chunk, m, static_cast<int>(k), out);
  };
  for_each_written_chunk(digests, k, write, use);
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

/// All keys of a chunk.
[[nodiscard]] inline Survivors all_keys(std::size_t size) noexcept {
  Survivors survivors;
  survivors.size = size;
  for (std::size_t j = 0; j < size; ++j) survivors.keys[j] = static_cast<std::uint16_t>(j);
  return survivors;
}

/// Drops the survivors of which one of the probes from `begin` on is not `taken(position)`. They go
/// from one list to another: in place, a processor reads the next key only when it knows where the
/// ones before were written, and so waits for the memory of each.
template <class Taken>
void drop_absent(const Taken& taken, const PositionBatch& positions, int begin,
                 Survivors& survivors) {
  std::array<std::uint16_t, max_chunk_keys> other;
  std::uint16_t* from = survivors.keys.data();
  std::uint16_t* to = other.data();
  for (int i = begin; i < positions.k && survivors.size != 0; ++i) {
    const std::uint64_t* const plane = positions.probe(i).data();
    std::size_t left = 0;
    for (std::size_t a = 0; a < survivors.size; ++a) {
      const std::uint16_t j = from[a];
      to[left] = j;
      left += taken(plane[j]) ? 1 : 0;
    }
    survivors.size = left;
    std::swap(from, to);
  }
  if (from == other.data()) std::copy_n(from, survivors.size, survivors.keys.data());
}

/// The digests of some keys of a chunk, copied together into `words` (chunk_positions of them).
[[nodiscard]] inline DigestBatch gather(const DigestBatch& chunk,
                                        std::span<const std::uint16_t> keys,
                                        std::uint64_t* words) noexcept {
  for (int i = 0; i < chunk.width; ++i) {
    const std::uint64_t* const plane = chunk.word(i).data();
    std::uint64_t* const out = words + static_cast<std::size_t>(i) * keys.size();
    for (std::size_t a = 0; a < keys.size(); ++a) out[a] = plane[keys[a]];
  }
  return {words, keys.size(), keys.size(), chunk.width};
}

/// Whether a bit is set.
struct SetBits {
  const BitArray& bits;
  bool operator()(std::uint64_t position) const noexcept { return bits.test(position); }
};

/// Lookups in one filter of single bits.
class Lookup {
 public:
  Lookup(const BitArray& bits, const Probe& probe, std::uint64_t k) noexcept
      : bits_(bits), probe_(probe), k_(static_cast<int>(k)) {}

  /// Keys of a chunk at most, for digests of `width` words.
  [[nodiscard]] std::size_t chunk_keys(int width) const noexcept {
    return detail::chunk_keys(static_cast<std::uint64_t>(std::max(width, k_)));
  }

  /// The keys of a chunk of which all positions are set.
  [[nodiscard]] Survivors contained(const DigestBatch& chunk) noexcept {
    Survivors survivors = all_keys(chunk.size);
    const int opening = k_ <= few_probes ? 2 : 3;
    if (!probe_.prefix_stable() || k_ <= 2 * opening) {
      drop_absent(SetBits{bits_}, positions(chunk, k_), 0, survivors);
      return survivors;
    }
    // Most absent keys fall at the first probes: only those are computed for all.
    drop_absent(SetBits{bits_}, positions(chunk, opening), 0, survivors);
    if (survivors.size > chunk.size / 2) {
      drop_absent(SetBits{bits_}, positions(chunk, k_), opening, survivors);
    } else if (survivors.size != 0) {
      drop_gathered(chunk, opening, survivors);
    }
    return survivors;
  }

 private:
  static constexpr int few_probes = 6;

  [[nodiscard]] PositionBatch positions(const DigestBatch& digests, int k) noexcept {
    probe_.write(digests, bits_.size(), k, positions_.data());
    return {positions_.data(), digests.size, k};
  }

  void drop_gathered(const DigestBatch& chunk, int opening, Survivors& survivors) noexcept {
    const DigestBatch rest = gather(chunk, survivors.span(), words_.data());
    Survivors kept = all_keys(rest.size);
    drop_absent(SetBits{bits_}, positions(rest, k_), opening, kept);
    for (std::size_t a = 0; a < kept.size; ++a) survivors.keys[a] = survivors.keys[kept.keys[a]];
    survivors.size = kept.size;
  }

  const BitArray& bits_;
  Probe probe_;
  int k_;
  std::array<std::uint64_t, chunk_positions> positions_;
  std::array<std::uint64_t, chunk_positions> words_;
};

/// Calls `use(first, survivors)` for one chunk after the other: the keys that the filter reports,
/// as indices from the chunk's first key on.
template <class Use>
void for_each_contained(const DigestBatch& digests, const BitArray& bits, const Probe& probe,
                        std::uint64_t k, Use&& use) {
  Lookup lookup(bits, probe, k);
  const std::size_t chunk = lookup.chunk_keys(digests.width);
  for (std::size_t first = 0; first < digests.size; first += chunk) {
    use(first, lookup.contained(digests.slice(first, std::min(chunk, digests.size - first))));
  }
}

}  // namespace bloomlab::detail
