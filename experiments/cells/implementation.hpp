// The thing under test: takes keys, answers questions. Its type is hidden once a batch, so that the
// engine is compiled once and each filter once.
//
// The interface speaks of keys, not of digests: also structures that keep the keys themselves, or
// that are built at once from all of them, can stand behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>

#include "core/answer.hpp"
#include "core/filter_state.hpp"
#include "core/keys/key_batch.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "core/simd/batch_tuning.hpp"
#include "experiments/cells/cell.hpp"

namespace bloomlab::experiments {

/// A loop without a filter: reads integers, and the lengths of texts. @return 0 or 1
[[nodiscard]] inline std::uint64_t only_read(const KeyBatch& keys) {
  std::uint64_t fold = 0;
  for (const std::uint64_t value : keys.values()) fold ^= value;
  for (const std::string_view text : keys.texts()) fold ^= text.size();
  return fold == 0 ? 1 : 0;
}

/// Asks an implementation from one thread, with working storage of its own; the implementation
/// outlives it and stays as it is.
class Asker {
 public:
  Asker() = default;
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;
  virtual ~Asker() = default;

  /// How many keys of the batch are reported.
  [[nodiscard]] virtual std::uint64_t count_contained(const KeyBatch& keys) = 0;
  /// What count_contained() does but for asking: hashes the keys, or reads them where they are not
  /// hashed. @return 0 or 1, from all that was computed, so that nothing can be left out
  [[nodiscard]] virtual std::uint64_t only_hash(const KeyBatch& keys) = 0;
};

/// Called by a thread that begins to work, with its number.
using ThreadStarted = std::function<void(unsigned thread)>;

/// Tells the new keys of a stream from those seen before, and remembers the new ones, in an
/// implementation that outlives it.
class Deduplicator {
 public:
  Deduplicator() = default;
  Deduplicator(const Deduplicator&) = delete;
  Deduplicator& operator=(const Deduplicator&) = delete;
  virtual ~Deduplicator() = default;

  /// The next keys of the stream, as if they came one after the other: each is asked for, and
  /// inserted where it is not reported. @param known what was said of each; of the keys' number
  virtual void take(const KeyBatch& keys, std::span<Answer> known) = 0;
};

/// One filter with its hash, in one trial. Not for use by several threads at once.
class Implementation {
 public:
  Implementation() = default;
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;
  virtual ~Implementation() = default;

  /// Inserts every key of the batch. Throws std::length_error where the filter cannot grow further.
  virtual void insert(const KeyBatch& keys) = 0;
  /// Inserts the keys of all batches by as many threads at once, 0 the calling one, each of which
  /// goes over the batch of its number or over all of them; what then stands in memory is what one
  /// thread would have made. Each thread calls `started` with its number before it inserts. At
  /// least one batch. Throws std::logic_error where the implementation cannot be filled so, and
  /// otherwise as insert().
  virtual void insert_by_threads(std::span<const KeyBatch> /*batches*/,
                                 const ThreadStarted& /*started*/) {
    throw std::logic_error("this implementation can be filled by one thread only");
  }
  /// As insert(), by so many threads, where the implementation shares the keys out among them
  /// itself; false, and nothing is done, where it does not, and insert_by_threads() is to be
  /// called.
  virtual bool insert_by_own_threads(const KeyBatch& /*keys*/, std::size_t /*threads*/) {
    return false;
  }
  /// How many keys of the batch are reported. Not const: working storage is reused.
  [[nodiscard]] virtual std::uint64_t count_contained(const KeyBatch& keys) = 0;
  /// Counts, and the rate that they imply.
  [[nodiscard]] virtual FilterState state() const = 0;
  /// Adds to what was counted what it says of itself, and takes out what it cannot know: filters
  /// from outside have no set bits that are seen.
  virtual void annotate(record::Json& /*measured*/) const {}
  /// Whether its memory depends on the number of keys.
  [[nodiscard]] virtual bool grows() const noexcept = 0;
  /// A number that says whether two of the same cell and seed keep the same, bit for bit; nothing
  /// where it has none.
  [[nodiscard]] virtual std::optional<std::uint64_t> contents_checksum() const {
    return std::nullopt;
  }
  /// How far ahead it asks for its memory; changes no answer. Nothing for those that do not.
  virtual void tune(const BatchTuning& /*tuning*/) {}
  /// As it was tuned; nothing where it does not ask ahead.
  [[nodiscard]] virtual std::optional<BatchTuning> tuning() const { return std::nullopt; }
  /// Several of them may be used at once, each by one thread. Null where an implementation has
  /// none.
  [[nodiscard]] virtual std::unique_ptr<Asker> asker() const { return nullptr; }
  /// For use in place of insert(). Null where an implementation has none.
  [[nodiscard]] virtual std::unique_ptr<Deduplicator> deduplicator() { return nullptr; }
};

/// Makes the implementation of a cell for one trial, with the trial's seed.
using ImplementationMaker =
    std::function<std::unique_ptr<Implementation>(const Cell&, std::uint64_t seed)>;

/// The seed of the hash in a trial. Keys come from the permutation of the trial's seed and families
/// of hash functions from that of their own seed: one seed for both would make each hash function's
/// seed a key. No key has the counter that this takes.
[[nodiscard]] inline std::uint64_t hash_seed(std::uint64_t trial_seed) {
  return KeyedPermutation(trial_seed)(std::uint64_t{1} << 63);
}

}  // namespace bloomlab::experiments
