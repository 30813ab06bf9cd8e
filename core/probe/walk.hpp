// The probe stage key by key: what a filter that fuses it with its memory steps through, where the
// planes of PositionBatch would cost more than the positions themselves.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace bloomlab {

/// The positions of the keys of one batch of digests, each key's in the order of its probes:
/// `first(key)` is the state of key number `key` at probe 0, `advance(state, key, i)` takes it from
/// probe i - 1 to probe i, `position(state, i)` is the position in [0, m) there. They are those
/// that the family writes as planes.
template <class Walk>
concept PositionWalk = std::copyable<Walk> && std::is_trivially_copyable_v<typename Walk::State> &&
    requires(const Walk& walk, typename Walk::State& state, std::size_t key, int i) {
  { walk.first(key) } -> std::same_as<typename Walk::State>;
  walk.advance(state, key, i);
  { walk.position(state, i) } -> std::same_as<std::uint64_t>;
};

}  // namespace bloomlab
