// What filters of m cells have in common, whether the cells are bits or counters: a key has k of
// them, at the positions of a probe, and is reported where all of its cells are taken.
//
// A filter derives from CellFilter with rules: a type with the static members of a filter's
// description (core/filters/concepts.hpp), with Array (BitArray or PackedArray), and with those
// members of PlainCells that it hides. Loops over batches stand in detail/cell_rounds.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/answer.hpp"
#include "core/bits/bit_array.hpp"
#include "core/bits/conditional_rate.hpp"
#include "core/bits/packed_array.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/one_key.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/parameters.hpp"
#include "core/probe/probe.hpp"
#include "core/simd/batch_tuning.hpp"
#include "core/simd/remix_rounds.hpp"
#include "core/theory/query.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab {
namespace detail {

/// The rules of a filter with k positions among all of its m cells.
struct PlainCells {
  static constexpr bool chooses_positions = false;
  /// Whether walks of the fast probes are fused with the memory (detail/fused_probes.hpp).
  static constexpr bool fused = true;
  /// Whether the rules write positions themselves, by `write(p, probe, digests, out)`.
  static constexpr bool writes_positions = false;

  /// Why this probe cannot serve, or nothing: its reduction must take m and its family k.
  template <class Parameters>
  [[nodiscard]] static std::optional<std::string> probe_fault(std::string_view filter,
                                                              const Parameters& p,
                                                              const Probe& probe) {
    return detail::probe_fault(filter, probe, p.m, p.k);
  }
  /// Cells in memory.
  template <class Parameters>
  [[nodiscard]] static std::uint64_t cells(const Parameters& p) noexcept {
    return p.m;
  }
  /// The walk over a key's cells, where make(m) gives its walk over [0, m).
  template <class Parameters, class Make>
  [[gnu::always_inline]] [[nodiscard]] static auto walk(const Parameters& p, const Make& make) {
    return make(p.m);
  }
  /// The vector kernel that does the same, or nothing.
  template <class Parameters>
  [[nodiscard]] static std::optional<simd::RemixedBits> kernel(const Parameters& /*p*/) noexcept {
    return std::nullopt;
  }
  /// The rate of an array of which `used` cells are taken.
  template <class Parameters, class Array>
  [[nodiscard]] static double rate_of_cells(const Parameters& p, const Array& /*array*/,
                                            std::uint64_t used) noexcept {
    return conditional_rate(used, p.m, p.k);
  }
};

/// What the rules say of filters whose cells in use are the set bits of a standard filter.
struct StandardCells : PlainCells {
  /// The closed form of the rate, where no key was deleted: `standard_exact`; and its value.
  template <class Parameters>
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return {"standard_exact", {{"m", p.m}, {"n", n}, {"k", p.k}}};
  }
  template <class Parameters>
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n) {
    return theory::exact_fpr(p.m, n, p.k);
  }
  /// The closed form of the number of distinct keys that so many cells in use tell of, with its
  /// standard deviation: `cardinality`. For the keys common to a and b: cardinality of a +
  /// cardinality of b - cardinality of their union.
  template <class Parameters>
  [[nodiscard]] static theory::Query cardinality(const Parameters& p, std::uint64_t in_use) {
    return {"cardinality", {{"m", p.m}, {"k", p.k}, {"popcount", in_use}}};
  }
};

/// Counter `position`, as bit 0: whether it is above zero.
struct CountersOf {
  const PackedArray* counters;
  [[gnu::always_inline]] std::uint64_t operator()(std::uint64_t position) const noexcept {
    return counters->get(position) != 0 ? 1U : 0U;
  }
};

}  // namespace detail

/// The cells, and lookups. Const members may be called by several threads at once.
template <class Rules>
class CellFilter : public Rules {
 public:
  using typename Rules::Array;
  using typename Rules::Parameters;
  static constexpr bool has_bits = std::same_as<Array, BitArray>;

  /// A fault of the parameters as one line, or nothing; also with this probe.
  using Rules::check;
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p, const Probe& probe) {
    if (auto fault = check(p)) return fault;
    return Rules::probe_fault(Rules::name, p, probe);
  }
  /// k, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
    return static_cast<int>(p.k);
  }
  /// Bits allocated, for any n.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p,
                                                 std::uint64_t /*n*/) noexcept {
    if constexpr (has_bits) {
      return BitArray::memory_bits_for(Rules::cells(p));
    } else {
      return PackedArray::memory_bits_for(p.m, static_cast<unsigned>(p.counter_bits));
    }
  }

  /// Whether the filter reports each key. out.size() == digests.size. Here and below digests are
  /// made for probe().need(k) or more words; std::invalid_argument otherwise.
  void contains(const DigestBatch& digests, std::span<Answer> out) const;
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const;
  /// One key, inlined (core/filters/one_key.hpp). Precondition: its walk is that of probe().
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(const Key& key) const noexcept {
    const auto k = static_cast<int>(parameters_.k);
    if constexpr (has_bits) {
      return detail::all_positions(walk_of(key), k, detail::BitsOf{array_.words().data()});
    } else {
      return detail::all_positions(walk_of(key), k, detail::CountersOf{&array_});
    }
  }

  /// Counts of the array, where a set bit is a cell that is taken, and the conditional rate. Reads
  /// the whole array. `keys` counts repeated ones too.
  [[nodiscard]] FilterState state() const;
  /// Empty again, with the memory kept.
  void clear() noexcept {
    array_.clear();
    keys_ = 0;
  }

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const Probe& probe() const noexcept { return probe_; }
  /// The cells.
  [[nodiscard]] const Array& bits() const& noexcept requires has_bits { return array_; }
  void bits() const&& requires has_bits = delete;
  [[nodiscard]] const Array& counters() const& noexcept requires(!has_bits) { return array_; }
  void counters() const&& requires(!has_bits) = delete;

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    visit(self.array_);
    std::uint64_t keys = self.keys_;
    visit(keys);
    if constexpr (Visitor::reading) self.keys_ = keys;
  }

 protected:
  /// Empty cells. Throws std::invalid_argument with the text of check(), and AllocationError.
  CellFilter(const Parameters& p, const Probe& probe, FilterMemory* memory = nullptr)
      : parameters_(detail::require(p, check(p, probe))),
        probe_(probe),
        array_(array_of(p, memory)) {}
  /// With cells that are there already.
  CellFilter(const Parameters& p, const Probe& probe, Array array)
      : parameters_(detail::require(p, check(p, probe))), probe_(probe), array_(std::move(array)) {}

  static Array array_of(const Parameters& p, FilterMemory* memory) {
    if constexpr (has_bits) {
      return BitArray(Rules::cells(p), memory);
    } else {
      return PackedArray(Rules::cells(p), static_cast<unsigned>(p.counter_bits));
    }
  }
  /// The walk of one key.
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] auto walk_of(const Key& key) const noexcept {
    return Rules::walk(
        parameters_, [&](std::uint64_t m) __attribute__((always_inline)) { return key.walk(m); });
  }
  template <class Use>
  bool with_walk(const DigestBatch& digests, Use&& use) const;
  template <class Use>
  void for_each_chunk(const DigestBatch& digests, Use&& use) const;
  template <class Use>
  void for_each_contained(const DigestBatch& digests, Use&& use) const;
  [[nodiscard]] std::optional<simd::RemixedBits> kernel() const;

  Parameters parameters_;
  Probe probe_;
  Array array_;
  NumberBesideWords keys_ = 0;  // inserted, or stored where keys can be deleted
  BatchTuning tuning_;
};

/// A CellFilter of bits with set algebra.
template <class Rules>
class BitFilter : public CellFilter<Rules> {
 public:
  using typename CellFilter<Rules>::Parameters;

  /// Inserts every key of the batch.
  void insert(const DigestBatch& digests);
  /// Inserts every key and writes what contains() would have said of it just before, as if the keys
  /// came one after the other (equal keys in one batch included). before.size() == digests.size.
  void insert(const DigestBatch& digests, std::span<Answer> before);
  /// One key, inlined (core/filters/one_key.hpp). Precondition: its walk is that of probe().
  template <class Key>
  [[gnu::always_inline]] bool insert_one(const Key& key) noexcept {
    std::uint64_t* const words = this->array_.writable_words().data();
    std::uint64_t changed = 0;
    detail::for_each_position_of(
        this->walk_of(key), static_cast<int>(this->parameters_.k),
        [&](std::uint64_t position)
            __attribute__((always_inline)) { changed |= detail::set_bit(words, position); });
    ++this->keys_;
    return changed != 0;
  }

  /// Makes this the filter that was given the keys of both; true if a bit changed. Both must have
  /// taken digests of the same hash and seed. Throws std::invalid_argument for other parameters or
  /// another probe.
  bool merge(const BitFilter& other) { return merge_share(other, 0, 1); }
  /// Share number `index` of that (core/filters/concepts.hpp, MergedInShares).
  bool merge_share(const BitFilter& other, std::size_t index, std::size_t count);
  /// Keeps the bits common to both: contains the keys of both, and is never smaller than the filter
  /// of just those; true if a bit changed. inserted() is then only an upper bound of the keys
  /// common to both. Throws as merge().
  bool intersect(const BitFilter& other);
  /// Keys inserted since the filter was empty, repeated ones included.
  [[nodiscard]] std::uint64_t inserted() const noexcept { return this->keys_; }
  /// Sets that number, for one who counts otherwise: keys that were known, say, not at all.
  void count_as(std::uint64_t keys) noexcept { this->keys_ = keys; }

 protected:
  using CellFilter<Rules>::CellFilter;
};

}  // namespace bloomlab
