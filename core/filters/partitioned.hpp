// The partitioned filter: the bits are cut into k slices and each probe has one of its own.
// Sources: Mullin 1983, "A second look at Bloom filters", CACM 26(8); Almeida, Baquero, Preguica,
// Hutchison 2007, "Scalable Bloom filters", IPL 101, uses it as layer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/bit_array.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/one_key.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/parameters.hpp"
#include "core/probe/probe.hpp"
#include "core/probe/walk.hpp"
#include "core/simd/remix_rounds.hpp"
#include "core/theory/cardinality.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {
namespace detail {

/// The walk (core/probe/walk.hpp) through the slices: each has the next position of a walk of its
/// size. The first `longer` slices are one bit longer than the others.
template <PositionWalk Inner>
class SliceWalk {
 public:
  using State = typename Inner::State;

  SliceWalk(const Inner& longer_slices, const Inner& slices, int longer, std::uint64_t slice_bits)
      : longer_slices_(longer_slices), slices_(slices), longer_(longer), slice_bits_(slice_bits) {}

  [[nodiscard]] State first(std::size_t key) const noexcept { return walk(0).first(key); }
  void advance(State& state, std::size_t key, int i) const noexcept {
    if (i != longer_) {
      walk(i).advance(state, key, i);
      return;
    }
    state = slices_.first(key);  // the positions so far were for the other size
    for (int probe = 1; probe <= i; ++probe) slices_.advance(state, key, probe);
  }
  [[nodiscard]] std::uint64_t position(const State& state, int i) const noexcept {
    const auto begin = static_cast<std::uint64_t>(i) * slice_bits_ +
                       static_cast<std::uint64_t>(std::min(i, longer_));
    return begin + walk(i).position(state, i);
  }

 private:
  [[nodiscard]] const Inner& walk(int i) const noexcept {
    return i < longer_ ? longer_slices_ : slices_;
  }

  Inner longer_slices_;
  Inner slices_;
  int longer_;
  std::uint64_t slice_bits_;
};

}  // namespace detail

/// The partitioned filter: slice i has floor(m/k) bits, the first m mod k slices one bit more, and
/// takes the i-th of the k positions that the probe gives for a filter of the slice's size: each is
/// uniform over its slice. Const members may be called by several threads at once.
///
/// A family that derives all positions from two words reduced to the slice (double hashing) has
/// only s^2 sets of positions for slices of s bits: about n / s^2 is added to the rate, which
/// counts sooner here than in a standard filter of the same m, where it is n / m^2.
class Partitioned {
 public:
  static constexpr std::string_view name = "partitioned";
  static constexpr std::string_view summary = "k slices of m/k bits, one position a key in each";
  static constexpr std::string_view source = "Mullin 1983, A second look at Bloom filters";
  static constexpr bool chooses_positions = false;

  struct Parameters {
    std::uint64_t m = 0;  ///< filter bits, over all slices
    std::uint64_t k = 0;  ///< slices, and probes per key
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of all slices together, at least k", 1, max_filter_bits},
          p.m);
    visit(IntegerField{"k", "probes per key", "slices, with one position a key in each", 1,
                       max_probes},
          p.k);
  }

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// The same, with this probe: its reduction must take the sizes of the slices, its family k.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p, const Probe& probe);
  /// k, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// Bits allocated for n keys.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `partitioned`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// The kinds of its bits, by which set bits tell how many distinct keys there are: slices of two
  /// lengths (core/theory/cardinality.hpp). Precondition: check(p) has no fault.
  [[nodiscard]] static theory::UnevenBits uneven_bits(const Parameters& p);
  /// How it is sized for a goal (core/filters/sizing.hpp).
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  /// Cache lines that a lookup reads once n keys are in it.
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);

  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  Partitioned(const Parameters& p, const Probe& probe);

  /// Inserts every key of the batch. Here and below digests are made for probe().need(k) or more
  /// words; std::invalid_argument otherwise.
  void insert(const DigestBatch& digests);
  /// Inserts every key and writes what contains() would have said of it just before, as if the keys
  /// came one after the other. before.size() == digests.size.
  void insert(const DigestBatch& digests, std::span<Answer> before);
  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const;
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const;

  /// One key, inlined (core/filters/one_key.hpp).
  template <class Key>
  [[gnu::always_inline]] bool insert_one(const Key& key) noexcept {
    std::uint64_t* const words = bits_.writable_words().data();
    std::uint64_t changed = 0;
    detail::for_each_position_of(
        slice_walk(key), static_cast<int>(parameters_.k),
        [&](std::uint64_t position)
            __attribute__((always_inline)) { changed |= detail::set_bit(words, position); });
    ++inserted_;
    return changed != 0;
  }
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(const Key& key) const noexcept {
    return detail::all_positions(slice_walk(key), static_cast<int>(parameters_.k),
                                 detail::BitsOf{bits_.words().data()});
  }

  /// Makes this the filter that was given the keys of both; true if a bit changed. Both must have
  /// taken digests of the same hash and seed. Throws std::invalid_argument for other parameters or
  /// another probe.
  bool merge(const Partitioned& other);
  /// Keeps the bits common to both, which contains the keys of both; true if a bit changed.
  /// inserted() is then only an upper bound of the keys common to both. Throws as merge().
  bool intersect(const Partitioned& other);

  /// Counts and the conditional rate prod_i X_i / s_i. Reads the whole array.
  [[nodiscard]] FilterState state() const;
  /// Empty again, with the memory kept.
  void clear() noexcept;

  /// First bit of slice `index`, 0 <= index <= k; slice k begins where the last one ends.
  [[nodiscard]] std::uint64_t slice_begin(std::uint64_t index) const noexcept;
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const Probe& probe() const noexcept { return probe_; }
  [[nodiscard]] const BitArray& bits() const& noexcept { return bits_; }
  void bits() const&& = delete;
  /// Keys inserted since the filter was empty, repeated ones included.
  [[nodiscard]] std::uint64_t inserted() const noexcept { return inserted_; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    visit(self.bits_);
    visit(self.inserted_);
  }

 private:
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] auto slice_walk(const Key& key) const noexcept {
    const std::uint64_t bits = parameters_.m / parameters_.k;
    return detail::SliceWalk(key.walk(bits + 1), key.walk(bits),
                             static_cast<int>(parameters_.m % parameters_.k), bits);
  }
  void write_positions(const DigestBatch& digests, std::uint64_t* out) const noexcept;
  template <class Use>
  void for_each_chunk(const DigestBatch& digests, Use&& use) const;
  template <class Use>
  bool with_slice_walk(const DigestBatch& digests, Use&& use) const;
  template <class Use>
  void for_each_contained(const DigestBatch& digests, Use&& use) const;
  [[nodiscard]] bool has_kernel() const;
  [[nodiscard]] simd::RemixedBits remixed() const noexcept;

  Parameters parameters_;
  Probe probe_;
  BitArray bits_;
  std::uint64_t inserted_ = 0;
};

}  // namespace bloomlab
