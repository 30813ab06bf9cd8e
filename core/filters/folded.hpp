// A standard filter folded to fewer bits: what is at position h of the large filter is at h mod m2
// of the small one.
// Source: folklore ("compressed" in some notes, which is another thing, see compressed.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/filters/cell_filter.hpp"
#include "core/filters/standard.hpp"
#include "core/theory/cardinality.hpp"
#include "core/theory/folding.hpp"

namespace bloomlab {
namespace detail {

/// A walk (core/probe/walk.hpp) of which positions are taken modulo `size`.
template <class Inner>
struct FoldedWalk {
  using State = typename Inner::State;

  [[nodiscard]] State first(std::size_t key) const noexcept { return inner.first(key); }
  void advance(State& state, std::size_t key, int i) const noexcept {
    inner.advance(state, key, i);
  }
  [[nodiscard]] std::uint64_t position(const State& state, int i) const noexcept {
    return inner.position(state, i) % size;
  }

  Inner inner;
  std::uint64_t size;
};

}  // namespace detail

/// The description of Folded.
struct FoldedRules : detail::PlainCells {
  using Array = BitArray;
  static constexpr bool fused = false;
  static constexpr bool writes_positions = true;
  static constexpr std::string_view name = "folded";
  static constexpr std::string_view summary =
      "a standard filter of m bits folded to m2: positions modulo m2";
  static constexpr std::string_view source =
      "folklore, under the name of compression in some notes";

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

  [[nodiscard]] static std::vector<Parameters> examples();
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// The closed form: `folding`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return {"folding", {{"m", p.m}, {"m2", p.folded_to}, {"n", n}, {"k", p.k}}};
  }
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n) {
    return theory::folded_fpr(p.m, p.folded_to, n, p.k);
  }
  /// The kinds of its bits, by which set bits tell how many distinct keys there are: those of m/m2
  /// positions, rounded down and up (core/theory/cardinality.hpp).
  [[nodiscard]] static theory::UnevenBits uneven_bits(const Parameters& p) {
    return theory::folded_bits(p.m, p.folded_to, p.k);
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n) {
    return probed_lines(p.folded_to, n, p.k);
  }
  [[nodiscard]] static std::uint64_t cells(const Parameters& p) noexcept { return p.folded_to; }
  template <class Make>
  [[gnu::always_inline]] [[nodiscard]] static auto walk(const Parameters& p, const Make& make) {
    return detail::FoldedWalk<decltype(make(p.m))>{make(p.m), p.folded_to};
  }
  static void write(const Parameters& p, const Probe& probe, const DigestBatch& digests,
                    std::uint64_t* out) noexcept;
  /// W^k with W the share of the m positions whose bit is set.
  [[nodiscard]] static double rate_of_cells(const Parameters& p, const BitArray& bits,
                                            std::uint64_t used) noexcept;
};

/// The folded filter: positions are made for m bits and taken modulo m2. Folding a standard filter
/// (fold) and inserting into a folded one give the same bits. Where m2 does not divide m the first
/// m mod m2 bits stand for one position more than the others.
class Folded : public CellFilter<FoldedRules> {
 public:
  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  Folded(const Parameters& p, const Probe& probe) : CellFilter(p, probe) {}
  /// The standard filter, folded. Throws std::invalid_argument where folded_to is not in 1 .. m,
  /// and AllocationError.
  [[nodiscard]] static Folded fold(const Standard& filter, std::uint64_t folded_to);

  /// Inserts every key of the batch.
  void insert(const DigestBatch& digests);
  /// One key, inlined (core/filters/one_key.hpp).
  template <class Key>
  [[gnu::always_inline]] bool insert_one(const Key& key) noexcept {
    bool changed = false;
    detail::for_each_position_of(walk_of(key), static_cast<int>(parameters_.k),
                                 [&](std::uint64_t at) { changed |= array_.set(at); });
    ++keys_;
    return changed;
  }
  /// Keys inserted since the filter was empty, repeated ones included.
  [[nodiscard]] std::uint64_t inserted() const noexcept { return keys_; }
};

}  // namespace bloomlab
