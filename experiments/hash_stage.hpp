// Keys -> digests: the hash stage of whatever stands behind the interface Implementation, and how
// it is asked.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/answer.hpp"
#include "core/digests.hpp"
#include "core/filters/concepts.hpp"
#include "core/hash/hashed_keys.hpp"
#include "core/hash/hasher.hpp"
#include "core/keys/key_batch.hpp"
#include "experiments/implementation.hpp"

namespace bloomlab::experiments {

/// A hash with what it is asked for: keys in, digests out, part by part.
class HashStage {
 public:
  HashStage(const Hasher& hasher, DigestNeed need, std::uint64_t seed)
      : hasher_(hasher), need_(need), seed_(seed) {}

  [[nodiscard]] DigestNeed need() const noexcept { return need_; }

  /// Calls `use(digests)` for parts whose digests (64 KiB) stay in the nearest caches.
  template <class Use>
  void for_each_part(const KeyBatch& keys, Use use) {
    const auto words = static_cast<std::size_t>(need_.words);
    const std::size_t part = std::clamp<std::size_t>(8192 / words, 64, 1024);
    for (std::size_t first = 0; first < keys.size(); first += part) {
      const std::size_t count = std::min(part, keys.size() - first);
      use(hasher_.digest(keys.slice(first, count), seed_, need_, buffer_));
    }
  }

  /// Inserts all keys: by a stream where the filter takes one, of digests of one word.
  template <class Filter>
  void insert_into(Filter& filter, const KeyBatch& keys) {
    if constexpr (TakesStreams<Filter>) {
      assert(need_ == DigestNeed{.words = 1});
      const HashedKeys hashed(hasher_, keys, seed_);
      filter.insert(hashed.stream());
    } else {
      for_each_part(keys, [&](const DigestBatch& digests) { filter.insert(digests); });
    }
  }
  /// Inserts those of the keys that fall into the share (FilledInShares), in the same way.
  template <FilledInShares Filter>
  void insert_into(Filter& filter, const KeyBatch& keys, typename Filter::Share& share) {
    if constexpr (TakesStreams<Filter>) {
      assert(need_ == DigestNeed{.words = 1});
      const HashedKeys hashed(hasher_, keys, seed_);
      filter.insert(hashed.stream(), share);
    } else {
      for_each_part(keys, [&](const DigestBatch& digests) { filter.insert(digests, share); });
    }
  }
  /// How many of the keys are reported, asked in the same way.
  template <class Filter>
  [[nodiscard]] std::uint64_t count_contained(const Filter& filter, const KeyBatch& keys) {
    std::uint64_t count = 0;
    if constexpr (TakesStreams<Filter>) {
      assert(need_ == DigestNeed{.words = 1});
      const HashedKeys hashed(hasher_, keys, seed_);
      count = filter.count_contained(hashed.stream());
    } else {
      for_each_part(keys,
                    [&](const DigestBatch& digests) { count += filter.count_contained(digests); });
    }
    return count;
  }

 private:
  Hasher hasher_;
  DigestNeed need_;
  std::uint64_t seed_;
  DigestBuffer buffer_;
};

/// 1 if the words of all digests cancel out, which they hardly ever do: a number that needs them
/// all.
[[nodiscard]] inline std::uint64_t cancels_out(const DigestBatch& digests) {
  std::uint64_t fold = 0;
  for (int i = 0; i < digests.width; ++i) {
    for (const std::uint64_t word : digests.word(i)) fold ^= word;
  }
  return fold == 0 ? 1 : 0;
}

/// Asks a filter that takes digests, through the hash that it was filled with.
template <class Filter>
class DigestAsker final : public Asker {
 public:
  DigestAsker(const Filter& filter, const HashStage& hash) : filter_(filter), hash_(hash) {}

  std::uint64_t count_contained(const KeyBatch& keys) override {
    return hash_.count_contained(filter_, keys);
  }
  std::uint64_t only_hash(const KeyBatch& keys) override {
    std::uint64_t cancelled = 0;
    hash_.for_each_part(keys,
                        [&](const DigestBatch& digests) { cancelled |= cancels_out(digests); });
    return cancelled;
  }

 private:
  const Filter& filter_;
  HashStage hash_;
};

/// Deduplicates by a filter that takes digests and tells of each key what was known (see
/// Deduplicates).
template <class Filter>
class DigestDeduplicator final : public Deduplicator {
 public:
  DigestDeduplicator(Filter& filter, const HashStage& hash) : filter_(filter), hash_(hash) {}

  void take(const KeyBatch& keys, std::span<Answer> known) override {
    std::size_t done = 0;
    hash_.for_each_part(keys, [&](const DigestBatch& digests) {
      filter_.insert(digests, known.subspan(done, digests.size));
      done += digests.size;
    });
  }

 private:
  Filter& filter_;
  HashStage hash_;
};

}  // namespace bloomlab::experiments
