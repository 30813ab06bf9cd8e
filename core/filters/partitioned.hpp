// The partitioned filter: the bits are cut into k slices and each probe has one of its own.
// Sources: Mullin 1983, "A second look at Bloom filters", CACM 26(8); Almeida, Baquero, Preguica,
// Hutchison 2007, "Scalable Bloom filters", IPL 101, uses it as layer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/filters/cell_filter.hpp"
#include "core/probe/walk.hpp"
#include "core/theory/cardinality.hpp"
#include "core/theory/partitioned.hpp"

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

/// The description of Partitioned.
struct PartitionedRules : detail::PlainCells {
  using Array = BitArray;
  static constexpr bool writes_positions = true;
  static constexpr std::string_view name = "partitioned";
  static constexpr std::string_view summary = "k slices of m/k bits, one position a key in each";
  static constexpr std::string_view source = "Mullin 1983, A second look at Bloom filters";

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

  [[nodiscard]] static std::vector<Parameters> examples();
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// Why this probe cannot serve, or nothing: its reduction must take the slices and its family k.
  [[nodiscard]] static std::optional<std::string> probe_fault(std::string_view filter,
                                                              const Parameters& p,
                                                              const Probe& probe);
  /// The closed form: `partitioned`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return {"partitioned", {{"m", p.m}, {"n", n}, {"k", p.k}}};
  }
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n) {
    return theory::partitioned_fpr(p.m, n, p.k);
  }
  /// The kinds of its bits, by which set bits tell how many distinct keys there are: those of the
  /// two sizes of slices (core/theory/cardinality.hpp). Precondition: check(p) has no fault.
  [[nodiscard]] static theory::UnevenBits uneven_bits(const Parameters& p) {
    return theory::sliced_bits(p.m, p.k);
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n) {
    return probed_lines(p.m, n, p.k);
  }

  /// First bit of slice `index`, 0 <= index <= k; slice k begins where the last one ends.
  [[nodiscard]] static std::uint64_t slice_begin(const Parameters& p,
                                                 std::uint64_t index) noexcept {
    return index * (p.m / p.k) + std::min(index, p.m % p.k);
  }
  template <class Make>
  [[gnu::always_inline]] [[nodiscard]] static auto walk(const Parameters& p, const Make& make) {
    const std::uint64_t bits = p.m / p.k;
    return detail::SliceWalk(make(bits + 1), make(bits), static_cast<int>(p.m % p.k), bits);
  }
  /// Positions in the array.
  static void write(const Parameters& p, const Probe& probe, const DigestBatch& digests,
                    std::uint64_t* out) noexcept;
  [[nodiscard]] static std::optional<simd::RemixedBits> kernel(const Parameters& p) noexcept {
    return simd::RemixedBits{.m = p.m, .k = static_cast<int>(p.k), .sliced = true};
  }
  /// prod_i X_i / s_i.
  [[nodiscard]] static double rate_of_cells(const Parameters& p, const BitArray& bits,
                                            std::uint64_t used) noexcept;
};

/// The partitioned filter: slice i has floor(m/k) bits, the first m mod k slices one bit more, and
/// takes the i-th of the k positions that the probe gives for a filter of the slice's size: each is
/// uniform over its slice.
///
/// A family that derives all positions from two words reduced to the slice (double hashing) has
/// only s^2 sets of positions for slices of s bits: about n / s^2 is added to the rate, which
/// counts sooner here than in a standard filter of the same m, where it is n / m^2.
class Partitioned : public BitFilter<PartitionedRules> {
 public:
  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  Partitioned(const Parameters& p, const Probe& probe) : BitFilter(p, probe) {}

  /// First bit of slice `index`, 0 <= index <= k; slice k begins where the last one ends.
  [[nodiscard]] std::uint64_t slice_begin(std::uint64_t index) const noexcept {
    return PartitionedRules::slice_begin(parameters_, index);
  }
};

}  // namespace bloomlab
