// Standard filters that differ only in k, filled and asked in one pass ("k-sliced").
//
// Where the i-th position of a key does not depend on k, the filter with k probes sets the first k
// of the positions that the one with most probes sets. Its set bits are then those that some probe
// before number k has set: it is enough to keep, for every position, the smallest number of a probe
// that set it, a byte. A key is reported by the filter with k probes if the numbers at its first k
// positions are all smaller than k: it is enough to keep, for every key, the largest number met,
// and a key needs no further probe, so no further hash, once it meets a position that no probe has
// set. Every filter's bits and answers are those of the separate filter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bits/zeroed_memory.hpp"
#include "core/filter_state.hpp"
#include "core/hash/hasher.hpp"
#include "core/keys/key_batch.hpp"
#include "core/probe/probe.hpp"
#include "experiments/cells/cell.hpp"
#include "experiments/cells/k_sliced_probes.hpp"

namespace bloomlab::experiments {

/// Several standard filters of one m and different k, under one hash and probe. Not for use by
/// several threads at once.
class KSliced {
 public:
  /// Largest k: a byte tells so many probes and "none" apart.
  static constexpr std::uint64_t max_k = 255;
  /// Largest m; larger filters are measured one by one.
  static constexpr std::uint64_t max_m = std::uint64_t{1} << 30;
  /// Memory of the array for filters of m bits, one byte a position [bytes].
  static constexpr std::uint64_t array_bytes(std::uint64_t m) noexcept {
    return (m + 7) / 8 * 8 + simd::marks_padding;
  }

  /// @param m filter bits, 1 .. max_m
  /// @param probes k of each filter, 1 .. max_k, in any order; not empty
  /// @param seed of the hash   @param takes what is inserted and asked
  /// Preconditions: probe.prefix_stable(), probe.accepts(m), and those of ProbeByProbe.
  /// Throws AllocationError.
  KSliced(std::uint64_t m, std::vector<std::uint64_t> probes, const Hasher& hasher,
          const Probe& probe, std::uint64_t seed,
          ProbeByProbe::Takes takes = ProbeByProbe::Takes::keys);

  /// Inserts every key into every filter.
  void insert(const KeyBatch& keys);
  /// Asks every filter for every key; the answers are counted.
  void ask(const KeyBatch& keys);
  /// How many keys each filter has reported since the last call, in the order of `probes`.
  [[nodiscard]] std::vector<std::uint64_t> take_counts();
  /// The state of each filter, as the separate filter would give it. Reads the whole array.
  [[nodiscard]] std::vector<FilterState> states() const;

 private:
  // What the array holds: none, or the more the smaller the number of the probe.
  static constexpr std::uint8_t none = 0;
  static constexpr std::uint8_t mark_of(std::uint64_t probe) noexcept {
    return static_cast<std::uint8_t>(max_k - probe);
  }

  template <class Use>
  void for_each_part(const KeyBatch& keys, ProbeByProbe::Left later, Use use);
  void insert_part();
  void ask_part();
  /// How many probes to ask for at once where so many are asked.
  [[nodiscard]] std::size_t probes_at_once(std::uint64_t asked) const;
  void note_survival(std::size_t asked, std::size_t left, std::size_t probes);

  std::uint64_t m_;
  std::vector<std::uint64_t> probes_;
  std::uint64_t most_probes_;
  ZeroedMemory array_;
  ProbeByProbe stage_;
  std::uint64_t inserted_ = 0;
  double survival_ = 1.0;                // share of keys that lately met a mark at a probe
  std::vector<std::uint64_t> reported_;  // [k]: keys reported by the filter with k probes
  // Smallest mark met by each key that is left, and by those that a round keeps.
  std::array<std::uint64_t, ProbeByProbe::max_batch + simd::marks_padding> smallest_;
  std::array<std::uint64_t, ProbeByProbe::max_batch + simd::marks_padding> kept_smallest_;
};

/// Whether the cell's filter can be measured in a k-sliced pass.
[[nodiscard]] bool can_be_sliced(const Cell& cell);

/// Cells of one group, cut into slices: cells that can be measured together stand together, in the
/// order of their k; every other cell stands alone. Every cell is in exactly one slice.
[[nodiscard]] std::vector<std::vector<const Cell*>> cut_into_slices(
    const std::vector<const Cell*>& cells);

/// Whether all slices, of cells of one trial, hash the same keys by the same hash and need no more
/// of them than one word: so that each key may be hashed once for all.
[[nodiscard]] bool share_digests(const std::vector<std::vector<const Cell*>>& slices);

/// The k-sliced filters of a slice of at least two cells, in the order of the cells, in the trial
/// of this seed. @param takes digests only for slices that share_digests()
[[nodiscard]] KSliced k_sliced_filters(const std::vector<const Cell*>& slice,
                                       std::uint64_t trial_seed, ProbeByProbe::Takes takes);

}  // namespace bloomlab::experiments
