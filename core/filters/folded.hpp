// A standard filter folded to fewer bits: what is at position h of the large filter is at h mod m2
// of the small one.
// Source: folklore ("compressed" in some notes, which is another thing, see compressed.hpp).
#pragma once

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
#include "core/filters/standard.hpp"
#include "core/parameters.hpp"
#include "core/probe/probe.hpp"
#include "core/theory/cardinality.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The folded filter: positions are made for m bits and taken modulo m2. Folding a standard filter
/// (fold) and inserting into a folded one give the same bits. Where m2 does not divide m the first
/// m mod m2 bits stand for one position more than the others.
class Folded {
 public:
  static constexpr std::string_view name = "folded";
  static constexpr std::string_view summary =
      "a standard filter of m bits folded to m2: positions modulo m2";
  static constexpr std::string_view source =
      "folklore, under the name of compression in some notes";
  static constexpr bool chooses_positions = false;

  struct Parameters {
    std::uint64_t m = 0;          ///< bits before folding: positions are made for them
    std::uint64_t k = 0;          ///< probes per key
    std::uint64_t folded_to = 0;  ///< m2: bits after folding, at most m
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size before folding", 1, max_filter_bits}, p.m);
    visit(IntegerField{"k", "probes per key", "positions set for a key", 1, max_probes}, p.k);
    visit(IntegerField{"folded_to", "bits", "size after folding, at most m", 1, max_filter_bits},
          p.folded_to);
  }

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// The same, with this probe: its reduction must take m and its family k.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p, const Probe& probe);
  /// k, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// Bits allocated for n keys: those after folding.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `folding`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// The kinds of its bits, by which set bits tell how many distinct keys there are: those of m/m2
  /// positions, rounded down and up (core/theory/cardinality.hpp).
  [[nodiscard]] static theory::UnevenBits uneven_bits(const Parameters& p);
  /// How it is sized for a goal (core/filters/sizing.hpp).
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  /// Cache lines that a lookup reads once n keys are in it.
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);

  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  Folded(const Parameters& p, const Probe& probe);
  /// The standard filter, folded. Throws std::invalid_argument where folded_to is not in 1 .. m,
  /// and AllocationError.
  [[nodiscard]] static Folded fold(const Standard& filter, std::uint64_t folded_to);

  /// Inserts every key of the batch. Here and below digests are made for probe().need(k) or more
  /// words; std::invalid_argument otherwise.
  void insert(const DigestBatch& digests);
  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const;
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const;

  /// One key, inlined (core/filters/one_key.hpp).
  template <class Key>
  [[gnu::always_inline]] bool insert_one(const Key& key) noexcept {
    bool changed = false;
    detail::for_each_position_of(
        key.walk(parameters_.m), static_cast<int>(parameters_.k),
        [&](std::uint64_t position) { changed |= bits_.set(position % bits_.size()); });
    ++inserted_;
    return changed;
  }
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(const Key& key) const noexcept {
    return detail::all_positions(
        key.walk(parameters_.m), static_cast<int>(parameters_.k),
        [this](std::uint64_t position) { return bits_.test(position % bits_.size()) ? 1U : 0U; });
  }

  /// Counts, and W^k with W the share of the m positions whose bit is set. Reads the whole array.
  [[nodiscard]] FilterState state() const;
  /// Empty again, with the memory kept.
  void clear() noexcept;

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const Probe& probe() const noexcept { return probe_; }
  /// The bits after folding.
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
  template <class Use>
  void for_each_chunk(const DigestBatch& digests, Use&& use) const;
  [[nodiscard]] std::uint64_t positions_set() const noexcept;

  Parameters parameters_;
  Probe probe_;
  BitArray bits_;
  std::uint64_t inserted_ = 0;
};

}  // namespace bloomlab
