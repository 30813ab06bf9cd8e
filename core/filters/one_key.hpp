// The direct path of one key through a filter, inlined to the bits: no batch, no buffer, no call
// through a pointer. What a batch of one does with the same key is done here, bit for bit.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "core/bits/block_layouts.hpp"
#include "core/simd/one_key_products.hpp"
#include "core/simd/one_lane_block.hpp"

namespace bloomlab {

/// A filter with a direct path for a key. Where positions come from a hashing scheme, `key.walk(m)`
/// is the key's walk over [0, m) (core/probe/walk.hpp; a walk of one key, number 0); a filter that
/// chooses positions itself is given word 0 of the digest. insert_one() says whether
/// contains_one() was false just before.
template <class Filter, class Key>
concept AnswersOneKey = requires(const Filter& filter, const Key& key) {
  { filter.contains_one(key) } -> std::same_as<bool>;
};
template <class Filter, class Key>
concept TakesOneKey = requires(Filter& filter, const Key& key) {
  { filter.insert_one(key) } -> std::same_as<bool>;
};

/// Keys of a run that go one by one: a batch pays for its start from there on, sooner where it
/// waits for memory less than single keys do.
struct FewKeys {
  std::size_t in_cache = 0;   ///< of a filter that caches hold
  std::size_t in_memory = 0;  ///< of a larger one
  /// Of a filter that caches hold, in a program whose vectors hold a block; 0: as in_cache.
  std::size_t in_cache_by_vectors = 0;
};
/// Measured; a filter may have better numbers of its own.
template <class Filter>
inline constexpr FewKeys few_keys = {40, 32};

/// One of these numbers, chosen in the program that asks.
class OneByOne {
 public:
  OneByOne() = default;
  OneByOne(const FewKeys& few, bool in_memory) noexcept
      : keys_(in_memory ? few.in_memory : few.in_cache),
        by_vectors_(in_memory || few.in_cache_by_vectors == 0 ? keys_ : few.in_cache_by_vectors) {}
  [[gnu::always_inline]] operator std::size_t() const noexcept {  // NOLINT: it is a number
    return simd::one_vector_is_a_block ? by_vectors_ : keys_;
  }

 private:
  std::size_t keys_ = 0;
  std::size_t by_vectors_ = 0;
};

namespace detail {

/// Bit `position` of words, as bit 0.
struct BitsOf {
  const std::uint64_t* words;
  [[gnu::always_inline]] std::uint64_t operator()(std::uint64_t position) const noexcept {
    return words[position / 64] >> (position % 64);
  }
};

/// Sets bits of a word; not 0 where one was not set before.
[[gnu::always_inline]] inline std::uint64_t set_bits(std::uint64_t& word,
                                                     std::uint64_t bits) noexcept {
  const std::uint64_t before = word;
  word = before | bits;
  return word ^ before;
}

/// Sets a bit; not 0 where it was not set before.
[[gnu::always_inline]] inline std::uint64_t set_bit(std::uint64_t* words,
                                                    std::uint64_t bit) noexcept {
  return set_bits(words[bit / 64], std::uint64_t{1} << (bit % 64));
}

/// A walk of which a position costs so much that code for one is enough.
template <class Walk>
concept CostlyWalk = Walk::costly;

/// A walk that makes several positions at once.
template <class Walk>
concept WalkOfProducts = requires(const Walk& walk) {
  walk.template some<simd::ProductsAtOnce>(0, 0);
};
/// Goes on from position `first` - 1 of the walk's one key, whose state is given, up to position
/// k - 1 and calls use(position).
template <class Walk, class Use>
[[gnu::always_inline]] inline void walk_on(const Walk& walk, typename Walk::State state, int first,
                                           int k, const Use& use) {
  if (first >= k) return;
  int i = first;
  if constexpr (WalkOfProducts<Walk> && simd::has_products_at_once) {
    constexpr auto at_once = static_cast<int>(simd::products_at_once);
    for (; i < k; i += at_once) {
      const auto some = walk.template some<simd::ProductsAtOnce>(0, i);
      const std::uint64_t* next = some.positions.data();
      const auto use_next = [&]() __attribute__((always_inline)) { use(*next++); };
      repeat(static_cast<std::uint64_t>(std::min(at_once, k - i)), use_next);
    }
    return;
  }
  const auto step = [&]() __attribute__((always_inline)) {
    walk.advance(state, 0, i);
    use(walk.position(state, i));
    ++i;
  };
  if constexpr (CostlyWalk<Walk>) {
    while (i < k) step();
  } else {
    repeat(static_cast<std::uint64_t>(k - first), step);
  }
}

/// Whether all positions of the walk's one key are taken, where bit 0 of taken(position) says so;
/// k >= 1. Three probes are made before the first branch: in a filter that is half full every
/// second absent key passes a probe, and a branch that half of the keys take costs more than two
/// probes.
template <class Walk, class Taken>
[[gnu::always_inline]] inline bool all_positions(const Walk& walk, int k, const Taken& taken) {
  auto state = walk.first(0);
  std::uint64_t all = taken(walk.position(state, 0));
  int i = 1;
  if (k > 2) {
    walk.advance(state, 0, 1);
    all &= taken(walk.position(state, 1));
    walk.advance(state, 0, 2);
    all &= taken(walk.position(state, 2));
    i = 3;
  }
  if ((all & 1) == 0) return false;
  walk_on(
      walk, state, i,
      k, [&](std::uint64_t position) __attribute__((always_inline)) { all &= taken(position); });
  return (all & 1) != 0;
}

/// Calls use(position) for all positions of the walk's one key; k >= 1.
template <class Walk, class Use>
[[gnu::always_inline]] inline void for_each_position_of(const Walk& walk, int k, const Use& use) {
  auto state = walk.first(0);
  use(walk.position(state, 0));
  walk_on(walk, state, 1, k, use);
}

/// A layout whose keys have bits in many words, each of which is best tested by itself.
template <class Layout>
concept HasPlaces = requires(const Layout& layout, void (&use)(std::uint64_t, std::uint64_t)) {
  layout.for_each_place(std::uint64_t{}, use);
};

/// Whether the filter's block of the key has all of its bits.
template <class Layout>
[[gnu::always_inline]] inline bool block_has(const Layout& layout, const std::uint64_t* filter,
                                             std::uint64_t digest) noexcept {
  if constexpr (std::same_as<Layout, LaneBlocks>) {
    return simd::LaneMask(digest).in(filter + layout.first_word_to_read(digest));
  } else {
    const std::uint64_t* const block = filter + layout.first_word(digest);
    if constexpr (HasPlaces<Layout>) {
      if (layout.words() > 1) {
        std::uint64_t all = 1;
        layout.for_each_place(
            digest, [&](std::uint64_t word, std::uint64_t number)
                        __attribute__((always_inline)) { all &= block[word] >> (number % 64); });
        return (all & 1) != 0;
      }
    }
    std::uint64_t missing = 0;
    layout.for_each_mask(
        digest, [&](std::uint64_t word, std::uint64_t bits)
                    __attribute__((always_inline)) { missing |= bits & ~block[word]; });
    return missing == 0;
  }
}

/// Sets the key's bits in its block; whether one was not set before.
template <class Layout>
[[gnu::always_inline]] inline bool set_in_block(const Layout& layout, std::uint64_t* filter,
                                                std::uint64_t digest) noexcept {
  std::uint64_t* const block = filter + layout.first_word(digest);
  if constexpr (std::same_as<Layout, LaneBlocks>) {
    return simd::LaneMask(digest).set(block);
  } else {
    std::uint64_t changed = 0;
    if constexpr (HasPlaces<Layout>) {
      if (layout.words() > 1) {
        layout.for_each_place(
            digest, [&](std::uint64_t word, std::uint64_t number) __attribute__((always_inline)) {
              changed |= set_bits(block[word], std::uint64_t{1} << (number % 64));
            });
        return changed != 0;
      }
    }
    layout.for_each_mask(
        digest, [&](std::uint64_t word, std::uint64_t bits)
                    __attribute__((always_inline)) { changed |= set_bits(block[word], bits); });
    return changed != 0;
  }
}

}  // namespace detail
}  // namespace bloomlab
