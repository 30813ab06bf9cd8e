// The loops of filters that touch one cell a probe, fused with the derivation of the positions: the
// fast path beside probe_rounds.hpp, with the same answers and the same bits.
//
// A lookup goes in rounds: probe 0 of all keys, then probe 1 of those that are left, and so on, so
// that only the probes that decide are ever derived. Within a round the memory of a key is asked
// for some keys before it is tested, and the list of those that are left goes to another array:
// no load has to wait until it is known where the key before it was stored.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bits/bit_array.hpp"
#include "core/probe/walk.hpp"

namespace bloomlab::detail {

/// Keys of one chunk of a lookup at most: every round costs a pipeline's refill, so many share it.
inline constexpr std::size_t pipelined_keys = 1024;

/// Keys between the hint and the test of their memory: as many as a core has misses on the way.
inline constexpr std::size_t probe_lookahead = 32;

/// The bits of a filter, as cells that are taken or not.
class BitCells {
 public:
  explicit BitCells(const BitArray& bits) noexcept : words_(bits.words().data()) {}
  [[gnu::always_inline]] void prefetch(std::uint64_t position) const noexcept {
    __builtin_prefetch(words_ + position / 64);
  }
  [[nodiscard]] bool taken(std::uint64_t position) const noexcept {
    return ((words_[position / 64] >> (position % 64)) & 1) != 0;
  }

 private:
  const std::uint64_t* words_;
};

/// Lookups of the keys of one batch. Allocates nothing.
/// @tparam Walk see core/probe/walk.hpp   @tparam Cells prefetch(position) and taken(position)
template <PositionWalk Walk, class Cells>
class PipelinedRounds {
 public:
  /// @param k probes per key, >= 1   @param lookahead keys between the hint and the test
  PipelinedRounds(const Walk& walk, const Cells& cells, int k, std::size_t lookahead) noexcept
      : walk_(walk), cells_(cells), k_(k), lookahead_(lookahead) {}

  /// Those of the keys `first` .. `first + count - 1` whose cells are all taken, as indices from
  /// `first` on, ascending; valid until the next call. Precondition: count <= pipelined_keys.
  [[nodiscard]] std::span<const std::uint16_t> contained(std::size_t first,
                                                         std::size_t count) & noexcept {
    std::uint16_t* from = lists_[0].data();
    std::uint16_t* to = lists_[1].data();
    const auto every = [](std::size_t a) { return a; };
    const auto start = [first](const Walk& walk, State& state, std::size_t j) {
      state = walk.first(first + j);
    };
    std::size_t left = round(0, count, every, start, to);
    for (int i = 1; i < k_ && left != 0; ++i) {
      std::swap(from, to);
      const auto listed = [from](std::size_t a) -> std::size_t { return from[a]; };
      const auto advance = [first, i](const Walk& walk, State& state, std::size_t j) {
        walk.advance(state, first + j, i);
      };
      left = round(i, left, listed, advance, to);
    }
    return {to, left};
  }

 private:
  using State = typename Walk::State;

  // Probe `i` of `count` keys, number a of which is key_at(a); writes those that are left.
  template <class KeyAt, class Step>
  std::size_t round(int i, std::size_t count, const KeyAt& key_at, const Step& step,
                    std::uint16_t* out) noexcept {
    // Copies, which no store into the states can change as far as the compiler knows.
    const Walk walk = walk_;
    const Cells cells = cells_;
    State* const states = states_.data();
    std::size_t left = 0;
    const auto ask = [&](std::size_t a) {
      State& state = states[key_at(a)];
      step(walk, state, key_at(a));
      cells.prefetch(walk.position(state, i));
    };
    const auto test = [&](std::size_t a) {
      const std::size_t j = key_at(a);
      out[left] = static_cast<std::uint16_t>(j);
      left += cells.taken(walk.position(states[j], i)) ? 1 : 0;
    };
    const std::size_t lookahead = std::min(count, lookahead_);
    for (std::size_t a = 0; a < lookahead; ++a) ask(a);
    for (std::size_t a = 0; a + lookahead < count; ++a) {
      ask(a + lookahead);
      test(a);
    }
    for (std::size_t a = count - lookahead; a < count; ++a) test(a);
    return left;
  }

  Walk walk_;
  Cells cells_;
  int k_;
  std::size_t lookahead_;
  std::array<State, pipelined_keys> states_;
  std::array<std::array<std::uint16_t, pipelined_keys>, 2> lists_;
};

/// Calls `use(first, keys)` for one chunk of keys 0 .. size - 1 after the other: those of which all
/// cells are taken, as indices from the chunk's first key on, ascending.
template <PositionWalk Walk, class Cells, class Use>
void for_each_taken(const Walk& walk, std::size_t size, int k, const Cells& cells,
                    std::size_t lookahead, Use&& use) {
  PipelinedRounds<Walk, Cells> rounds(walk, cells, k, lookahead);
  for (std::size_t first = 0; first < size; first += pipelined_keys) {
    use(first, rounds.contained(first, std::min(pipelined_keys, size - first)));
  }
}

/// Keys whose positions are on their way at once in for_each_position().
inline constexpr std::size_t position_lanes = 64;

/// Calls `prefetch(position)` for every position of keys 0 .. size - 1, and some positions later
/// `use(position)`. Every position comes once, in no order to rely on; k >= 1.
template <PositionWalk Walk, class Prefetch, class Use>
void for_each_position(const Walk& batch, std::size_t size, int k, const Prefetch& prefetch,
                       const Use& use) noexcept {
  if (size == 0) return;
  const Walk walk = batch;  // which no store of `use` can change as far as the compiler knows
  std::array<typename Walk::State, position_lanes> states;
  std::size_t lanes = std::min(position_lanes, size);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    states[lane] = walk.first(lane);
    prefetch(walk.position(states[lane], 0));
  }
  for (std::size_t first = 0; first < size; first += position_lanes) {
    for (int i = 1; i < k; ++i) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::uint64_t due = walk.position(states[lane], i - 1);
        walk.advance(states[lane], first + lane, i);
        prefetch(walk.position(states[lane], i));
        use(due);
      }
    }
    const std::size_t next = first + lanes;
    const std::size_t more = std::min(position_lanes, size - next);
    for (std::size_t lane = 0; lane < more; ++lane) {
      const std::uint64_t due = walk.position(states[lane], k - 1);
      states[lane] = walk.first(next + lane);
      prefetch(walk.position(states[lane], 0));
      use(due);
    }
    for (std::size_t lane = more; lane < lanes; ++lane) use(walk.position(states[lane], k - 1));
    lanes = more;
  }
}

}  // namespace bloomlab::detail
