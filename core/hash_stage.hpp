// Keys -> digests -> filter, for many keys at once: the one loop behind KeyedFilter's spans and
// behind every experiment. Which hash is decided once a batch, so that hashes and filters never
// multiply into instantiations.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/answer.hpp"
#include "core/digests.hpp"
#include "core/filters/concepts.hpp"
#include "core/hash/hashed_keys.hpp"
#include "core/hash/hasher.hpp"
#include "core/keys/key_batch.hpp"
#include "core/keys/seed_family.hpp"
#include "core/parameters.hpp"

namespace bloomlab {

/// A hash under one seed, with what is asked of it: it gives keys to filters part by part, or
/// integers as a stream where the filter takes one (of digests of one word). Const members may be
/// called by several threads at once.
class HashStage {
 public:
  HashStage(const Hasher& hasher, DigestNeed need, std::uint64_t seed)
      : hasher_(hasher), need_(need), seed_(seed) {
    const SeedFamily family(seed);
    for (int i = 0; i < hasher.seeds_for(need); ++i) seeds_.push_back(family(i));
  }

  [[nodiscard]] const Hasher& hasher() const noexcept { return hasher_; }
  [[nodiscard]] DigestNeed need() const noexcept { return need_; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  /// Calls `use(first, digests)` for one part of the keys after the other; `first` is the number of
  /// the part's first key. Parts are as large as the digests fit into `memory`, one key at least.
  /// Precondition: memory has need().words words.
  template <class Use>
  void for_each_part(const KeyBatch& keys, std::span<std::uint64_t> memory, Use&& use) const {
    const std::size_t part = memory.size() / static_cast<std::size_t>(need_.words);
    assert(part > 0);
    for (std::size_t first = 0; first < keys.size(); first += part) {
      const std::size_t count = std::min(part, keys.size() - first);
      hasher_.write(keys.slice(first, count), seeds_, need_, {memory.data(), count, need_.words});
      use(first, DigestBatch{memory.data(), count, count, need_.words});
    }
  }
  /// The same in memory of its own, which stays in the nearest cache.
  template <class Use>
  void for_each_part(const KeyBatch& keys, Use&& use) const {
    std::array<std::uint64_t, part_words> words;
    for_each_part(keys, words, use);
  }

  /// Inserts all keys, in order.
  template <class Filter>
  void insert(Filter& filter, const KeyBatch& keys) const {
    give<Filter>(keys, [&](std::size_t, const auto& digests) { filter.insert(digests); });
  }
  /// Inserts those of the keys that fall into the share.
  template <FilledInShares Filter>
  void insert(Filter& filter, const KeyBatch& keys, typename Filter::Share& share) const {
    give<Filter>(keys, [&](std::size_t, const auto& digests) { filter.insert(digests, share); });
  }
  /// The answers for all keys. Precondition: out.size() == keys.size().
  template <class Filter>
  void contains(const Filter& filter, const KeyBatch& keys, std::span<Answer> out) const {
    give<Filter>(keys, [&](std::size_t first, const auto& digests) {
      filter.contains(digests, out.subspan(first, size_of(digests)));
    });
  }
  /// How many of the keys are reported.
  template <class Filter>
  [[nodiscard]] std::uint64_t count_contained(const Filter& filter, const KeyBatch& keys) const {
    std::uint64_t count = 0;
    give<Filter>(
        keys, [&](std::size_t, const auto& digests) { count += filter.count_contained(digests); });
    return count;
  }

 private:
  static constexpr std::size_t part_words = 2048;  // on the stack: 16 KiB
  static_assert(part_words >= max_probes, "the digests of one key fit in");

  static std::size_t size_of(const DigestBatch& digests) noexcept { return digests.size; }
  static std::size_t size_of(const DigestStream& digests) noexcept { return digests.size(); }

  template <class Filter, class Use>
  void give(const KeyBatch& keys, Use&& use) const {
    if constexpr (TakesStreams<Filter>) {
      assert(need_ == DigestNeed{.words = 1});
      // Texts take less time so than as a stream (docs/bench.md).
      if (hasher_.is_held() || !keys.holds_integers()) {
        return for_each_part(keys, [&](std::size_t first, const DigestBatch& digests) {
          use(first, DigestStream(digests.word(0)));
        });
      }
      const HashedKeys hashed(hasher_, keys, seed_);
      use(0, hashed.stream());
    } else {
      for_each_part(keys, use);
    }
  }

  Hasher hasher_;
  DigestNeed need_;
  std::uint64_t seed_;
  std::vector<std::uint64_t> seeds_;
};

}  // namespace bloomlab
