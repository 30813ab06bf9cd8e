// One probe at a time for those keys of a batch that still need it: the hash and probe stage of the
// k-sliced pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/hash/hasher.hpp"
#include "core/keys/key_batch.hpp"
#include "core/probe/probe.hpp"
#include "core/simd/marked_keys.hpp"

namespace bloomlab::experiments {

/// Positions of the keys of a batch, probe by probe. A family of hash functions, and a probe that
/// goes from word to word, are evaluated only for the keys that are left; other derived positions
/// are made at once for the whole batch.
class ProbeByProbe {
 public:
  /// Most keys of a batch, so that the working storage stays in the nearest caches.
  static constexpr std::size_t max_batch = 1024;
  /// What a batch holds: keys, or integers that are the digests of keys.
  enum class Takes { keys, digests };
  /// Whether a key's positions, up to k of them, follow from one word of its hash, and each from
  /// the one before: what Takes::digests needs.
  [[nodiscard]] static bool takes_digests(const Probe& probe, int k) noexcept {
    return probe.steps() && probe.need(k) == DigestNeed{.words = 1};
  }

  /// @param k most probes that will be asked for   @param seed of the hash
  /// @param takes Precondition: keys, or takes_digests().
  ProbeByProbe(const Hasher& hasher, const Probe& probe, std::uint64_t m, int k, std::uint64_t seed,
               Takes takes = Takes::keys);

  /// How many keys will be left.
  enum class Left { all, ever_fewer };

  /// Turns to a batch, of which all keys are left; the keys must stay until the next one.
  /// @param later what to expect of keep()   Precondition: keys.size() <= max_batch.
  void start(const KeyBatch& keys, Left later);

  /// Number of keys that are left.
  [[nodiscard]] std::size_t left() const noexcept { return left_; }
  /// What stands for the keys that are left, left() values. The caller copies those that it wants
  /// to keep to kept(), in any order, and says how many by keep(). It has marks_padding words more
  /// than keys.
  [[nodiscard]] const std::uint64_t* keys() const& noexcept { return left_keys_; }
  void keys() const&& = delete;
  [[nodiscard]] std::uint64_t* kept() & noexcept { return kept_.data(); }
  /// Only the first `count` of kept() are left. Precondition: count <= left().
  void keep(std::size_t count) noexcept {
    left_ = count;
    keys_.swap(kept_);
    left_keys_ = keys_.data();
  }

  /// Most probes that are asked for at once.
  static constexpr int max_probes_at_once = static_cast<int>(simd::max_marks_met);
  /// Probes `i` .. `i + count - 1` of the keys that are left, in the order of keys(), one probe
  /// after the other, with positions_padding words behind the last. Valid until the next call. To
  /// be asked for all of 0, 1, 2, ..., k - 1 in this order, once each.
  /// Precondition: 1 <= count <= max_probes_at_once.
  [[nodiscard]] std::span<const std::uint64_t> positions(int i, int count) &;

 private:
  // Of derived positions the first few are made for the whole batch where few keys come further.
  static constexpr int few_probes = 4;

  void derive_for_those_left();
  void take_step(std::uint64_t* positions);
  [[nodiscard]] bool keeps_values() const noexcept {
    return need_.family && batch_.holds_integers();
  }
  [[nodiscard]] KeyBatch keys_left();
  void derive(int i, std::uint64_t* positions);

  Hasher hasher_;
  Probe probe_;
  std::uint64_t m_;
  int k_;
  DigestNeed need_;
  Takes takes_;
  std::vector<std::uint64_t> seeds_;
  KeyBatch batch_;
  std::size_t left_ = 0;
  const std::uint64_t* left_keys_ = nullptr;  // the batch's own values, or keys_
  int derived_probes_ = 0;
  // Values where they are hashed again, words where the probe goes from one to the next, else
  // places in the batch.
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> kept_;
  std::vector<std::string_view> texts_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> positions_;
  std::vector<std::uint64_t> words_left_;
  DigestBatch batch_digests_;
  PositionBatch derived_;
  DigestBuffer digests_;
  PositionBuffer derived_positions_;
};

}  // namespace bloomlab::experiments
