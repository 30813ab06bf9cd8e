// Building one filter by several threads, and asking it by several threads; no atomic instruction
// and no shared cache line in the loops. Two ways:
// * In shares: every thread goes over all keys and inserts what falls into its part of the memory.
//   Keys are hashed by every thread, which pays where a hash costs less than the memory of a key.
// * Merged: every thread takes some of the keys and fills a filter of its own, then these are
//   merged. Any filter that can be merged can be built so. The price is the memory of one filter
//   more for every thread beyond the first while it lasts, and the time to merge them.
// Digests go the first way where a filter has it; keys, whose hash may cost more, the second where
// memory allows it.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/digests.hpp"
#include "core/filters/concepts.hpp"
#include "core/hash_stage.hpp"
#include "core/keys/key_batch.hpp"
#include "core/parallel/run_threads.hpp"

namespace bloomlab {

/// A filter that several threads can build: parts of the same parameters are merged to the filter
/// that one thread would have built.
template <class Filter>
concept MergedFromParts = Mergeable<Filter> &&(Probed<Filter> || SelfPositioned<Filter>);

namespace detail {

/// Memory of a filter from which on threads that merge it are worth their start.
inline constexpr std::uint64_t bytes_to_share = std::uint64_t{1} << 20;

/// An empty filter of the same kind and tuning.
template <MergedFromParts Filter>
[[nodiscard]] Filter empty_like(const Filter& filter) {
  Filter part = [&] {
    if constexpr (Probed<Filter>) {
      return Filter(filter.parameters(), filter.probe());
    } else {
      return Filter(filter.parameters());
    }
  }();
  if constexpr (Tuned<Filter>) part.tune(filter.tuning());
  return part;
}

}  // namespace detail

/// Calls fill(part, index) by `threads` threads at once, index 0 .. threads - 1, each with a filter
/// of its own, and merges the parts into `filter`: it is then, bit for bit, what one thread makes
/// of all the keys that were inserted. Part 0 is `filter` itself, keys and all; the others are
/// empty.
/// @param threads >= 1; taken as 1 below. @param fill inserts keys into its part.
/// Throws AllocationError before anything is done, and afterwards what `fill` throws: the filter
/// then holds the keys of part 0 only. Throws std::system_error where a thread cannot start: one
/// that was to merge leaves out its share, so that keys of other parts may be there in part.
template <MergedFromParts Filter, class Fill>
requires std::invocable<const Fill&, Filter&, std::size_t>
void fill_parallel(Filter& filter, int threads, const Fill& fill) {
  const auto count = static_cast<std::size_t>(std::max(threads, 1));
  std::vector<Filter> parts;
  parts.reserve(count - 1);
  for (std::size_t index = 1; index < count; ++index) parts.push_back(detail::empty_like(filter));
  run_threads(count,
              [&](std::size_t index) { fill(index == 0 ? filter : parts[index - 1], index); });
  if constexpr (MergedInShares<Filter>) {
    const bool pays = Filter::memory_bits(filter.parameters(), 0) >= 8 * detail::bytes_to_share;
    const std::size_t shares = pays ? count : 1;
    run_threads(shares, [&](std::size_t index) {
      for (const Filter& part : parts) filter.merge_share(part, index, shares);
    });
  } else {
    for (const Filter& part : parts) filter.merge(part);
  }
}

/// Calls fill(share, index) by `threads` threads at once, index 0 .. threads - 1, each with a share
/// of the filter, and joins the shares: the filter then holds, bit for bit, what one thread makes
/// of the keys.
/// @param threads >= 1; taken as 1 below. @param fill inserts all keys with the share.
/// Throws what `fill` throws: the filter then holds some of the keys, or parts of them, and clear()
/// is all that it is good for.
template <FilledInShares Filter, class Fill>
requires std::invocable<const Fill&, typename Filter::Share&, std::size_t>
void fill_shares(Filter& filter, int threads, const Fill& fill) {
  const auto count = static_cast<std::size_t>(std::max(threads, 1));
  std::vector<typename Filter::Share> shares;
  shares.reserve(count);
  for (std::size_t index = 0; index < count; ++index) shares.push_back(filter.share(index, count));
  run_threads(count, [&](std::size_t index) {
    // Not in the list: shares that stand side by side would share a cache line.
    typename Filter::Share share = shares[index];
    fill(share, index);
    shares[index] = share;
  });
  for (const typename Filter::Share& share : shares) filter.join(share);
}

/// A filter that several threads can build, one way or the other.
template <class Filter>
concept BuiltByThreads = FilledInShares<Filter> || MergedFromParts<Filter>;

/// Inserts all keys of the batches by `threads` threads, in shares where the filter has them.
/// Throws as fill_shares() and fill_parallel().
template <FilledInShares Filter>
void insert_parallel(Filter& filter, std::span<const DigestBatch> batches, int threads) {
  fill_shares(filter, threads, [&](typename Filter::Share& share, std::size_t) {
    for (const DigestBatch& batch : batches) filter.insert(batch, share);
  });
}
/// The same, merged: threads take batches as they come, so there should be several a thread.
template <MergedFromParts Filter>
requires(!FilledInShares<Filter>) void insert_parallel(Filter& filter,
                                                       std::span<const DigestBatch> batches,
                                                       int threads) {
  std::atomic<std::size_t> next = 0;
  fill_parallel(filter, threads, [&](Filter& part, std::size_t) {
    for (std::size_t i = next++; i < batches.size(); i = next++) part.insert(batches[i]);
  });
}

/// Keys that a thread is started for, at least. Measured on a processor of 2023 (Zen 4): to start a
/// thread with a filter of its own and to merge that took 25 us, so many keys 106 us (split_block)
/// to 420 us (standard).
inline constexpr std::size_t keys_per_thread = std::size_t{1} << 16;

namespace detail {

/// Keys that a thread takes at once: few enough that threads end together.
inline constexpr std::size_t keys_at_once = std::size_t{1} << 14;

/// Threads, of those wanted, that so many keys are inserted by. @param wanted 0: hardware_threads()
[[nodiscard]] inline std::size_t threads_for(std::size_t keys, std::size_t wanted) noexcept {
  if (keys < 2 * keys_per_thread) return 1;
  return std::min(wanted == 0 ? hardware_threads() : wanted, keys / keys_per_thread);
}

/// Filters, 1 at least, of which all but the first take at most as much memory as the keys do.
template <class Filter>
[[nodiscard]] std::size_t parts_for(const Filter& filter, const KeyBatch& keys) noexcept {
  const std::uint64_t bytes = Filter::memory_bits(filter.parameters(), keys.size()) / 8;
  return static_cast<std::size_t>(1 + keys.memory_bytes() / std::max<std::uint64_t>(bytes, 1));
}

}  // namespace detail

/// Inserts all keys by `threads` threads (0: as many as the machine runs at once), fewer where
/// there are less than keys_per_thread for each: it is then, bit for bit, what one thread makes of
/// the keys.
/// * A filter that counts is filled in shares: to add counters up takes longer than to raise them.
/// * Another one is merged, where the further filters take no more memory than the keys do (8 bytes
///   an integer, 16 a text). Where that allows fewer filters than there are threads, filters of
///   blocks are filled in shares, and others by fewer threads.
/// Throws AllocationError before anything is inserted, std::system_error where a thread cannot
/// start, and what the hash throws; all threads have ended then. After the latter two the filter
/// holds what it held, and some of the keys, or parts of them.
template <BuiltByThreads Filter>
void insert_parallel(Filter& filter, const HashStage& stage, const KeyBatch& keys,
                     std::size_t threads) {
  std::size_t count = detail::threads_for(keys.size(), threads);
  if constexpr (!Counts<Filter>) {
    const std::size_t parts = detail::parts_for(filter, keys);
    if (!FilledInShares<Filter>) count = std::min(count, parts);
    if (count > 1 && count <= parts) {
      std::atomic<std::size_t> next = 0;
      fill_parallel(filter, static_cast<int>(count), [&](Filter& part, std::size_t) {
        for (std::size_t first = next.fetch_add(detail::keys_at_once); first < keys.size();
             first = next.fetch_add(detail::keys_at_once)) {
          stage.insert(part,
                       keys.slice(first, std::min(detail::keys_at_once, keys.size() - first)));
        }
      });
      return;
    }
  }
  if (count == 1) return stage.insert(filter, keys);
  if constexpr (FilledInShares<Filter>) {
    fill_shares(filter, static_cast<int>(count), [&](typename Filter::Share& share, std::size_t) {
      stage.insert(filter, keys, share);
    });
  }
}

/// How many keys of the batches the filter reports, counted by `threads` threads (1 or more; taken
/// as 1 below).
template <Growing Filter>
[[nodiscard]] std::uint64_t count_contained_parallel(const Filter& filter,
                                                     std::span<const DigestBatch> batches,
                                                     int threads) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::uint64_t> total = 0;
  run_threads(static_cast<std::size_t>(std::max(threads, 1)), [&](std::size_t) {
    std::uint64_t count = 0;
    for (std::size_t i = next++; i < batches.size(); i = next++) {
      count += filter.count_contained(batches[i]);
    }
    total += count;
  });
  return total;
}

}  // namespace bloomlab
