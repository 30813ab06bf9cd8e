// Standard filters that differ only in k, filled and asked in one pass ("k-sliced").
//
// Where the i-th position of a key does not depend on k, the filter with k probes sets the first k
// of the positions that the one with most probes sets. So one array serves them all: at position p
// it holds a word whose bit j says whether filter j has its bit p set. Probe i of an insert sets
// the bits of the filters with more than i probes; a question keeps a word of filters that still
// say "maybe", probe i takes those away that miss the bit, except those with i probes or less,
// whose answer stands; and a key needs no further probe, so no further hash, once no filter is left
// that has any. Every filter's bits and answers are those of the separate filter.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/filter_state.hpp"
#include "core/hash/hasher.hpp"
#include "core/keys/key_batch.hpp"
#include "core/probe/probe.hpp"
#include "experiments/cell.hpp"

namespace bloomlab::experiments {

/// Several standard filters of one m and different k, under one hash and probe. Not for use by
/// several threads at once.
class KSliced {
 public:
  /// Most filters of one slice: bits of the widest word.
  static constexpr std::size_t max_filters = 64;
  /// Most memory of one array [bytes]; larger filters are measured one by one. A worker holds one.
  static constexpr std::uint64_t max_array_bytes = std::uint64_t{1} << 30;

  KSliced() = default;
  KSliced(const KSliced&) = delete;
  KSliced& operator=(const KSliced&) = delete;
  virtual ~KSliced() = default;

  /// Inserts every key into every filter.
  virtual void insert(const KeyBatch& keys) = 0;
  /// Asks every filter for every key; the answers are counted.
  virtual void ask(const KeyBatch& keys) = 0;
  /// How many keys each filter has reported since the last call, in the order of its k.
  [[nodiscard]] virtual std::vector<std::uint64_t> take_counts() = 0;
  /// The state of each filter, as the separate filter would give it. Reads the whole array.
  [[nodiscard]] virtual std::vector<FilterState> states() const = 0;

  /// Bytes of the array for so many filters of m bits; saturating.
  [[nodiscard]] static std::uint64_t array_bytes(std::uint64_t m, std::size_t filters);
};

/// The filters of m bits and the given numbers of probes.
/// @param probes ascending, all different, each 1 .. max_probes; 1 .. KSliced::max_filters of them
/// @param seed of the hash   Precondition: probe.prefix_stable(), probe.accepts(m).
/// Throws AllocationError.
[[nodiscard]] std::unique_ptr<KSliced> make_k_sliced(std::uint64_t m,
                                                     const std::vector<std::uint64_t>& probes,
                                                     const Hasher& hasher, const Probe& probe,
                                                     std::uint64_t seed);

/// Cells of one group, cut into slices: cells that can be measured together stand together, in the
/// order of their k; every other cell stands alone. Every cell is in exactly one slice.
[[nodiscard]] std::vector<std::vector<const Cell*>> cut_into_slices(
    const std::vector<const Cell*>& cells);

/// The k-sliced filters of a slice of at least two cells, in the order of the cells, in the trial
/// of this seed.
[[nodiscard]] std::unique_ptr<KSliced> make_k_sliced(const std::vector<const Cell*>& slice,
                                                     std::uint64_t trial_seed);

}  // namespace bloomlab::experiments
