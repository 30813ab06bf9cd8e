// Asks filters that take digests, through the hash that they were filled with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/answer.hpp"
#include "core/digests.hpp"
#include "core/hash_stage.hpp"
#include "core/keys/key_batch.hpp"
#include "experiments/cells/implementation.hpp"

namespace bloomlab::experiments {

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
  /// Both outlive it.
  DigestAsker(const Filter& filter, const HashStage& hash) : filter_(filter), hash_(hash) {}

  std::uint64_t count_contained(const KeyBatch& keys) override {
    return hash_.count_contained(filter_, keys);
  }
  std::uint64_t only_hash(const KeyBatch& keys) override {
    std::uint64_t cancelled = 0;
    hash_.for_each_part(
        keys, [&](std::size_t, const DigestBatch& digests) { cancelled |= cancels_out(digests); });
    return cancelled;
  }

 private:
  const Filter& filter_;
  const HashStage& hash_;
};

/// Deduplicates by a filter that takes digests and tells of each key what was known (see
/// Deduplicates).
template <class Filter>
class DigestDeduplicator final : public Deduplicator {
 public:
  DigestDeduplicator(Filter& filter, const HashStage& hash) : filter_(filter), hash_(hash) {}

  void take(const KeyBatch& keys, std::span<Answer> known) override {
    hash_.for_each_part(keys, [&](std::size_t first, const DigestBatch& digests) {
      filter_.insert(digests, known.subspan(first, digests.size));
    });
  }

 private:
  Filter& filter_;
  const HashStage& hash_;
};

}  // namespace bloomlab::experiments
