// Bits that several threads set at once, without locks: by atomic operations on whole words.
//
// The order of memory is relaxed. A thread that learns by other means that a key was inserted (a
// queue, a join) finds it; without such means nobody could tell before from after.
//
// A filter that caches hold looks first whether it has the whole key, which it then only reads, so
// that its words can stay in the caches of all threads. To look at each word before it is set costs
// a new key a branch a word that nobody can predict. A filter in memory does not look: it would
// wait for the memory before it sets, and setting waits for less.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "core/bits/block_layouts.hpp"

namespace bloomlab {

/// A filter that takes keys from several threads at once, and may be asked meanwhile. `key` is as
/// for AnswersOneKey. insert_shared() says whether this call set a bit; it counts nothing: the
/// number of keys is told to add_inserted() when the threads have ended.
template <class Filter, class Key>
concept TakesSharedKeys = requires(Filter& filter, const Filter& view, const Key& key) {
  { filter.insert_shared(key) } -> std::same_as<bool>;
  { view.contains_shared(key) } -> std::same_as<bool>;
  filter.add_inserted(std::uint64_t{1});
};

namespace detail {

static_assert(std::atomic_ref<std::uint64_t>::is_always_lock_free);

[[nodiscard]] inline std::uint64_t load_shared(const std::uint64_t& word) noexcept {
  // There is no atomic_ref to a constant in C++20; nothing is written.
  return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(word))
      .load(std::memory_order_relaxed);
}

/// Sets the bits of the mask; whether this call set one of them.
inline bool set_shared(std::uint64_t& word, std::uint64_t mask) noexcept {
  const std::uint64_t before =
      std::atomic_ref<std::uint64_t>(word).fetch_or(mask, std::memory_order_relaxed);
  return (before & mask) != mask;
}

template <class Layout>
[[nodiscard]] inline bool has_shared(const Layout& layout, const std::uint64_t* filter,
                                     const BlockTarget& target) noexcept {
  std::uint64_t missing = 0;
  for (std::size_t i = 0; i < layout.words(); ++i) {
    missing |= target.mask[i] & ~load_shared(filter[target.word + i]);
  }
  return missing == 0;
}

template <class Layout>
[[nodiscard]] inline bool block_has_shared(const Layout& layout, const std::uint64_t* filter,
                                           std::uint64_t digest) noexcept {
  return has_shared(layout, filter, layout.target(digest));
}

/// Sets the bits of a digest; whether this call set one of them. @param look_first whether a key
/// that is there is only read
template <class Layout>
inline bool set_block_shared(const Layout& layout, std::uint64_t* filter, std::uint64_t digest,
                             bool look_first) noexcept {
  const BlockTarget target = layout.target(digest);
  if (look_first && has_shared(layout, filter, target)) return false;
  bool changed = false;
  for (std::size_t i = 0; i < layout.words(); ++i) {
    if (target.mask[i] != 0) changed |= set_shared(filter[target.word + i], target.mask[i]);
  }
  return changed;
}

}  // namespace detail
}  // namespace bloomlab
