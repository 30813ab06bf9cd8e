// A keyed filter that several threads fill at once, without locks, while others ask it.
//
//     #include <bloomlab/core/atomic_filter.hpp>
//
//     bloomlab::AtomicFilter<> seen({.m = 1 << 20, .k = 7});
//     // in any thread:
//     if (seen.insert(key)) { ... }  // one thread at least is told that a new key is new
//     // when the threads have ended:
//     bloomlab::KeyedFilter<> filter = std::move(seen).take();
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "core/filters/shared_words.hpp"
#include "core/keyed_filter.hpp"

namespace bloomlab {

/// KeyedFilter for threads: standard filters and filters of blocks. Every member but take() may be
/// called by several threads at once. When all inserts are done, the bits are those that one thread
/// would have made of the keys.
template <class Hash = MultiplyMix64, class Filter = Standard, class Family = Products,
          class Reduction = MultiplyShift>
class AtomicFilter {
 public:
  using Keyed = KeyedFilter<Hash, Filter, Family, Reduction>;
  using Parameters = typename Keyed::Parameters;

  /// As KeyedFilter.
  explicit AtomicFilter(const Parameters& parameters, std::uint64_t seed = 0)
      : keyed_(parameters, seed) {}
  /// Goes on with a filter.
  explicit AtomicFilter(Keyed keyed) : keyed_(std::move(keyed)) {}
  [[nodiscard]] static AtomicFilter for_items(std::uint64_t n, double p, std::uint64_t seed = 0) {
    return AtomicFilter(Keyed::for_items(n, p, seed));
  }
  AtomicFilter(const AtomicFilter&) = delete;
  AtomicFilter& operator=(const AtomicFilter&) = delete;

  /// Inserts a key; whether this call set a bit. Where two threads insert a new key at once, each
  /// may set some of its bits, and both are told that it is new.
  bool insert(std::string_view key) { return insert_one(std::as_bytes(std::span(key))); }
  bool insert(std::span<const std::byte> key) { return insert_one(key); }
  template <std::integral Integer>
  bool insert(Integer key) {
    return insert_one(static_cast<std::uint64_t>(key));
  }
  template <HasKeyForm Value>
  bool insert(const Value& value) {
    return insert(filter_key(value));
  }

  /// Whether a key was inserted.
  [[nodiscard]] Verdict contains(std::string_view key) const {
    return contains_one(std::as_bytes(std::span(key)));
  }
  [[nodiscard]] Verdict contains(std::span<const std::byte> key) const { return contains_one(key); }
  template <std::integral Integer>
  [[nodiscard]] Verdict contains(Integer key) const {
    return contains_one(static_cast<std::uint64_t>(key));
  }
  template <HasKeyForm Value>
  [[nodiscard]] Verdict contains(const Value& value) const {
    return contains(filter_key(value));
  }

  /// Keys inserted, repeated ones included; while others insert, some number of the near past.
  [[nodiscard]] std::uint64_t size() const noexcept {
    std::uint64_t sum = keyed_.size();
    for (const Counter& counter : inserted_) sum += counter.keys.load(std::memory_order_relaxed);
    return sum;
  }

  /// The filter, when no thread uses this any more; this is then one that was moved from
  /// (KeyedFilter) and may only be destroyed.
  [[nodiscard]] Keyed take() && {
    for (Counter& counter : inserted_) keyed_.filter_.add_inserted(counter.keys.exchange(0));
    return std::move(keyed_);
  }

 private:
  // Threads count each on a cache line of their own, while there are no more of them than lines.
  struct alignas(64) Counter {
    std::atomic<std::uint64_t> keys = 0;
  };
  static constexpr std::size_t counters = 16;

  [[nodiscard]] static std::size_t own_counter() noexcept {
    static std::atomic<std::size_t> threads = 0;
    thread_local const std::size_t index = threads.fetch_add(1, std::memory_order_relaxed);
    return index % counters;
  }
  template <class Key>
  bool insert_one(const Key& key) {
    static_assert(TakesSharedKeys<Filter, typename Keyed::template Given<Key>> && !Keyed::of_family,
                  "standard filters and filters of blocks take keys from several threads, with a "
                  "hashing scheme other than independent");
    inserted_[own_counter()].keys.fetch_add(1, std::memory_order_relaxed);
    return keyed_.filter_.insert_shared(keyed_.given(key));
  }
  template <class Key>
  [[nodiscard]] Verdict contains_one(const Key& key) const {
    return Verdict(keyed_.filter_.contains_shared(keyed_.given(key)));
  }

  Keyed keyed_;
  std::array<Counter, counters> inserted_;
};

}  // namespace bloomlab
