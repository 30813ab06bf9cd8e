// Limits: the same keys, the same hash, and as few cache lines as a filter of that sort can touch.
// The distance to its limit is what a filter's own work costs. With one line the next keys are
// hashed while lines are on their way, as filters of blocks do; with more of them all words of some
// hundreds of keys are made first, as the rounds of the classic filter do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/answer.hpp"
#include "core/bits/zeroed_memory.hpp"
#include "core/digest_stream.hpp"
#include "core/hash_stage.hpp"
#include "core/simd/batch_tuning.hpp"
#include "experiments/cells/digest_askers.hpp"
#include "experiments/peers/peer.hpp"

namespace bloomlab::experiments {

/// An array of cache lines of which a key touches `touches`, each at a place of its own: read when
/// it is asked for, written when it is inserted. It distinguishes keys by nothing and reports none.
/// Lines are touched by the very loop of the filters of blocks (core/simd/line_touches.hpp), asked
/// for as far ahead as those ask. Several threads may insert at once: they write to the one array.
class TouchedLines {
 public:
  /// @param bits size of the array, rounded up to lines   @param touches lines per key, >= 1
  TouchedLines(std::uint64_t bits, std::uint64_t touches);

  void insert(const DigestStream& digests);
  /// The same; writes that no key was known. before.size() == digests.size.
  void insert(const DigestBatch& digests, std::span<Answer> before);
  [[nodiscard]] std::uint64_t count_contained(const DigestStream& digests) const;
  [[nodiscard]] FilterState state() const;
  /// How far ahead lines are asked for.
  void tune(const BatchTuning& tuning) noexcept { tuning_ = tuning; }
  [[nodiscard]] const BatchTuning& tuning() const noexcept { return tuning_; }

 private:
  [[nodiscard]] std::size_t lookahead() const noexcept;

  ZeroedMemory memory_;
  std::uint64_t lines_;
  std::uint64_t touches_;
  BatchTuning tuning_;
};

/// A hash in front of touched lines.
class LimitImplementation : public PeerImplementation {
 public:
  LimitImplementation(const PeerSetup& setup, std::uint64_t touches);

  static constexpr std::string_view source = "own";
  static constexpr std::string_view sized_as = "split_block";
  [[nodiscard]] static record::Json law() { return nullptr; }
  static constexpr bool filled_by_threads = true;
  static constexpr bool tuned = true;
  static constexpr bool key_by_key = false;

  void insert(const KeyBatch& keys) override;
  /// Nothing is merged: what any way of filling by threads must do, and no more.
  void insert_by_threads(std::span<const KeyBatch> batches, const ThreadStarted& started) override;
  std::uint64_t count_contained(const KeyBatch& keys) override;
  FilterState state() const override { return lines_.state(); }
  void tune(const BatchTuning& tuning) override { lines_.tune(tuning); }
  std::optional<BatchTuning> tuning() const override { return lines_.tuning(); }
  std::unique_ptr<Asker> asker() const override;
  /// Writes a key's lines and reports none.
  std::unique_ptr<Deduplicator> deduplicator() override;

 private:
  TouchedLines lines_;
  HashStage hash_;
};

/// One line per key.
class Limit final : public LimitImplementation {
 public:
  static constexpr std::string_view name = "limit";
  static constexpr std::string_view summary = "no filter: hash every key and touch one cache line";
  explicit Limit(const PeerSetup& setup) : LimitImplementation(setup, 1) {}
};

/// Two lines per key: what absent keys take of a half-full classic filter on average.
class TwoLineLimit final : public LimitImplementation {
 public:
  static constexpr std::string_view name = "two_line_limit";
  static constexpr std::string_view summary =
      "no filter: hash every key and touch two cache lines, as an absent key does in a classic "
      "filter";
  explicit TwoLineLimit(const PeerSetup& setup) : LimitImplementation(setup, 2) {}
};

/// k lines per key: what inserted keys take of a classic filter.
class KLineLimit final : public LimitImplementation {
 public:
  static constexpr std::string_view name = "k_line_limit";
  static constexpr std::string_view summary =
      "no filter: hash every key and touch k cache lines, as an inserted key does in a classic "
      "filter";
  explicit KLineLimit(const PeerSetup& setup)
      : LimitImplementation(setup, best_probes(setup.bits_per_key)) {}
};

}  // namespace bloomlab::experiments
