// A plain standard filter with places for defects: key after key, probe after probe, as one would
// write it first. Without a defect it has the same bits and answers as core's Standard.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/bits/bit_array.hpp"
#include "core/bits/conditional_rate.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/probe/independent.hpp"
#include "core/probe/probe.hpp"
#include "core/reduction/multiply_shift.hpp"

namespace bloomlab::experiments {

/// Where a key stands while it is inserted.
struct KeyPlace {
  std::size_t index = 0;     ///< within its batch
  std::size_t batch = 0;     ///< keys of the batch
  std::uint64_t number = 0;  ///< among all keys inserted, from 1
};

/// No defect: what DefectiveBits asks its defect. Defects derive from it and replace one answer.
struct NoDefect {
  /// Probes that insert sets and those that a query tests, for k.
  static constexpr int insert_probes(int k) noexcept { return k; }
  static constexpr int query_probes(int k) noexcept { return k; }
  /// How often the key is inserted.
  static int copies(const KeyPlace& /*place*/) noexcept { return 1; }
  /// Whether this update of a bit reaches memory.
  static bool keeps_update() noexcept { return true; }
  /// Whether the position has memory in a filter of m bits.
  static bool has_memory(std::uint64_t /*position*/, std::uint64_t /*m*/) noexcept { return true; }
  /// The key of its batch whose digest answers for key `index`.
  static std::size_t asked_as(std::size_t index, std::size_t /*batch*/) noexcept { return index; }
  /// Whether a query goes on after probe i of k found this.
  static bool passes(bool is_set, int /*i*/, int /*k*/) noexcept { return is_set; }
  /// The answer that is given for what the probes said.
  static bool answer(bool contained) noexcept { return contained; }
  static std::uint64_t popcount(const BitArray& bits) noexcept { return bits.popcount(); }
  static void clear(BitArray& bits) noexcept { bits.clear(); }
};

/// The standard filter of m bits and k independent probes, with a defect.
template <class Defect>
class DefectiveBits {
 public:
  DefectiveBits(std::uint64_t m, int k) : bits_(m), k_(k) {}

  [[nodiscard]] static DigestNeed need(int k) {
    return Independent::need(std::max(Defect::insert_probes(k), Defect::query_probes(k)));
  }

  void insert(const DigestBatch& digests) {
    const PositionBatch positions =
        probe_.positions(digests, bits_.size(), Defect::insert_probes(k_), buffer_);
    for (std::size_t j = 0; j < positions.size; ++j) {
      const int copies = defect_.copies({j, positions.size, ++inserted_});
      for (int copy = 0; copy < copies; ++copy) insert_key(positions, j);
    }
  }

  std::uint64_t count_contained(const DigestBatch& digests) {
    const PositionBatch positions =
        probe_.positions(digests, bits_.size(), Defect::query_probes(k_), buffer_);
    std::uint64_t count = 0;
    for (std::size_t j = 0; j < positions.size; ++j) {
      const bool contained = contains(positions, defect_.asked_as(j, positions.size));
      count += defect_.answer(contained) ? 1 : 0;
    }
    return count;
  }

  [[nodiscard]] FilterState state() const {
    const std::uint64_t bits_set = Defect::popcount(bits_);
    const auto k = static_cast<std::uint64_t>(k_);
    return {.bits = bits_.size(),
            .bits_set = bits_set,
            .memory_bits = bits_.memory_bits(),
            .conditional_rate = conditional_rate(bits_set, bits_.size(), k),
            .layers = {{bits_.size(), bits_set, inserted_, k}}};
  }

  void clear() noexcept {
    Defect::clear(bits_);
    inserted_ = 0;
  }

  [[nodiscard]] const BitArray& bits() const& noexcept { return bits_; }
  void bits() const&& = delete;

 private:
  void insert_key(const PositionBatch& positions, std::size_t j) {
    for (int i = 0; i < positions.k; ++i) {
      const std::uint64_t position = positions.probe(i)[j];
      if (defect_.keeps_update() && Defect::has_memory(position, bits_.size())) bits_.set(position);
    }
  }

  [[nodiscard]] bool contains(const PositionBatch& positions, std::size_t j) const {
    for (int i = 0; i < positions.k; ++i) {
      const std::uint64_t position = positions.probe(i)[j];
      const bool is_set = Defect::has_memory(position, bits_.size()) && bits_.test(position);
      if (!Defect::passes(is_set, i, positions.k)) return false;
    }
    return true;
  }

  Probe probe_ = Probe::of<Independent, MultiplyShift>();
  BitArray bits_;
  int k_;
  Defect defect_;
  std::uint64_t inserted_ = 0;
  PositionBuffer buffer_;
};

// Of the probes.

/// Insert sets one bit too few.
struct InsertProbeMissing : NoDefect {
  static constexpr int insert_probes(int k) noexcept { return k - 1; }
};
/// Insert sets one bit too many.
struct InsertProbeExtra : NoDefect {
  static constexpr int insert_probes(int k) noexcept { return k + 1; }
};
/// A query tests one bit too few.
struct QueryProbeMissing : NoDefect {
  static constexpr int query_probes(int k) noexcept { return k - 1; }
};
/// The last probe is taken the wrong way round.
struct LastProbeInverted : NoDefect {
  static bool passes(bool is_set, int i, int k) noexcept { return is_set != (i == k - 1); }
};
/// The result is assigned where it should be accumulated: the last probe decides alone.
struct LastProbeDecides : NoDefect {
  static bool passes(bool is_set, int i, int k) noexcept { return is_set || i < k - 1; }
};

// Of keys and answers.

/// One key in `period` is never inserted.
template <std::uint64_t period>
struct LostKey : NoDefect {
  static int copies(const KeyPlace& place) noexcept { return place.number % period == 0 ? 0 : 1; }
};
/// The loop over a batch ends one too early.
struct BatchEndLost : NoDefect {
  static int copies(const KeyPlace& place) noexcept {
    return place.index + 1 == place.batch ? 0 : 1;
  }
};
/// The first key of a batch is inserted twice.
struct BatchBeginTwice : NoDefect {
  static int copies(const KeyPlace& place) noexcept { return place.index == 0 ? 2 : 1; }
};
/// The last key of a batch is answered for by the digest of the first one.
struct StaleDigest : NoDefect {
  static std::size_t asked_as(std::size_t index, std::size_t batch) noexcept {
    return index + 1 == batch ? 0 : index;
  }
};
/// One update in 100 000 is overwritten by another thread's.
struct LostUpdate : NoDefect {
  bool keeps_update() noexcept { return ++updates % 100'000 != 0; }
  std::uint64_t updates = 0;
};
/// One answer in a million is the wrong way round.
struct InvertedAnswer : NoDefect {
  bool answer(bool contained) noexcept { return contained != (++answers % 1'000'000 == 0); }
  std::uint64_t answers = 0;
};

// Of memory.

/// As many words as fit into m bits: the last, partial one is missing.
struct LastWordLost : NoDefect {
  static bool has_memory(std::uint64_t position, std::uint64_t m) noexcept {
    return position < m / 64 * 64;
  }
};
/// A count of set bits that takes 32 of the 64 bits of a word.
struct PopcountOf32Bits : NoDefect {
  static std::uint64_t popcount(const BitArray& bits) noexcept {
    std::uint64_t count = 0;
    for (const std::uint64_t word : bits.words()) {
      count += static_cast<std::uint64_t>(std::popcount(static_cast<std::uint32_t>(word)));
    }
    return count;
  }
};
/// Clearing leaves the words from number `first(words)` on.
template <class First>
struct PartlyCleared : NoDefect {
  static void clear(BitArray& bits) noexcept {
    BitArray left(bits.size());
    const std::size_t words = bits.words().size();
    for (std::size_t i = First::of(words); i < words; ++i) left.set_word(i, bits.words()[i]);
    bits.clear();
    bits.merge(left);
  }
};
struct AllButOneWord {
  static std::size_t of(std::size_t words) noexcept { return words - 1; }
};
struct AnEighth {
  static std::size_t of(std::size_t words) noexcept { return words / 8; }
};
/// Clearing leaves the last word.
using LastWordKept = PartlyCleared<AllButOneWord>;
/// Clearing is told a number of bytes and given that of words: seven of eight words stay.
using ClearedTooFew = PartlyCleared<AnEighth>;

}  // namespace bloomlab::experiments
