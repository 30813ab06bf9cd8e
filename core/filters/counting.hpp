// The counting filter: a small counter in the place of each bit, so that keys can be deleted.
// Source: Fan, Cao, Almeida, Broder 2000, "Summary cache: a scalable wide-area web cache sharing
// protocol", IEEE/ACM Transactions on Networking 8(3).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/filters/cell_filter.hpp"

namespace bloomlab {
namespace detail {
struct PositionRange;
}

/// What becomes of a counter at its largest value when one more key comes.
enum class OverflowPolicy {
  saturate,  ///< it stays there for ever, also when keys are deleted: no key is ever lost
  wrap,      ///< it starts again at zero: keys can be lost at once
  report,    ///< it stays, and is counted down as others are: keys can be lost by later deleting
};

/// The description of Counting.
struct CountingRules : detail::StandardCells {
  using Array = PackedArray;
  static constexpr std::string_view name = "counting";
  static constexpr std::string_view summary =
      "m counters, k positions per key; keys can be deleted";
  static constexpr std::string_view source = "Fan, Cao, Almeida, Broder 2000, Summary cache";
  static constexpr std::uint64_t max_counter_bits = 16;
  static constexpr std::array<std::string_view, 3> overflow_policies = {"saturate", "wrap",
                                                                        "report"};

  struct Parameters {
    std::uint64_t m = 0;             ///< counters
    std::uint64_t k = 0;             ///< probes per key
    std::uint64_t counter_bits = 4;  ///< bits of a counter: 2, 3, 4, 8 or 16
    OverflowPolicy overflow = OverflowPolicy::saturate;
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "counters", "counters of the filter", 1, max_filter_bits}, p.m);
    visit(IntegerField{"k", "probes per key", "counters raised for a key", 1, max_probes}, p.k);
    visit(IntegerField{.name = "counter_bits",
                       .unit = "bits",
                       .meaning = "size of a counter: 2, 3, 4, 8 or 16",
                       .min = 2,
                       .max = max_counter_bits,
                       .fallback = 4},
          p.counter_bits);
    visit(ChoiceField{"overflow", "what becomes of a counter at its largest value",
                      overflow_policies, 0},
          p.overflow);
  }

  /// The property tests ask that no key is lost: examples with other policies than `saturate` have
  /// wide counters.
  [[nodiscard]] static std::vector<Parameters> examples();
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n) {
    return probed_lines(p.m, n, p.k, p.counter_bits);
  }
  /// The closed form of the probability that overflows() > 0 after n keys: `counting_overflow`.
  [[nodiscard]] static theory::Query overflow_chance(const Parameters& p, std::uint64_t n) {
    return {"counting_overflow",
            {{"m", p.m}, {"N_hashes", n * p.k}, {"j", std::uint64_t{1} << p.counter_bits}}};
  }
  [[nodiscard]] static std::optional<simd::RemixedBits> kernel(const Parameters& p) noexcept {
    if (!std::has_single_bit(p.counter_bits)) return std::nullopt;
    return simd::RemixedBits{.m = p.m,
                             .k = static_cast<int>(p.k),
                             .cell_width = static_cast<unsigned>(std::countr_zero(p.counter_bits))};
  }
};

/// The counting filter. Counters are packed without gaps. Under every policy overflows() says how
/// many increments went wrong. While it is 0 the policies agree and the counts are exact, but for
/// one thing: under `saturate` a counter that has just reached its largest value is not counted
/// down any more, as it may have passed it.
///
/// Keys are lost (false negatives) by wrapping, by counting down a counter that had overflowed, and
/// by deleting keys that were never inserted but are reported.
class Counting : public CellFilter<CountingRules> {
 public:
  /// The counters that one of several threads raises, and what it has done.
  struct Share {
    std::uint64_t first = 0;
    std::uint64_t end = 0;     ///< one behind its last counter
    bool counts_keys = false;  ///< of the shares one does
    std::uint64_t stored = 0;
    std::uint64_t overflows = 0;
  };

  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  Counting(const Parameters& p, const Probe& probe) : CellFilter(p, probe) {}

  /// Inserts every key of the batch.
  void insert(const DigestBatch& digests);
  /// Inserts every key and writes what contains() would have said of it just before, as if the keys
  /// came one after the other. before.size() == digests.size.
  void insert(const DigestBatch& digests, std::span<Answer> before);
  /// One key, inlined (core/filters/one_key.hpp).
  template <class Key>
  [[gnu::always_inline]] bool insert_one(const Key& key) noexcept {
    const bool is_new = !contains_one(key);
    detail::for_each_position_of(walk_of(key), static_cast<int>(parameters_.k),
                                 [this](std::uint64_t position) { raise(position, overflows_); });
    ++keys_;
    return is_new;
  }
  /// Share number `index` of `count` threads that fill the filter (core/filters/concepts.hpp,
  /// FilledInShares): the counters of one part of the memory.
  [[nodiscard]] Share share(std::size_t index, std::size_t count) const noexcept;
  void insert(const DigestBatch& digests, Share& share);
  void join(const Share& share) noexcept;
  /// Deletes the keys, one after the other; how many the filter reported and so deleted. The others
  /// were never inserted (or are lost) and change nothing.
  std::uint64_t remove(const DigestBatch& digests);
  /// How often each key was inserted, as its smallest counter tells: never too low while no key was
  /// lost, and at most 2^counter_bits - 1. times.size() == digests.size.
  void multiplicity(const DigestBatch& digests, std::span<std::uint64_t> times) const;

  /// Makes this the filter that was given the keys of both: counters are added, by the policy; true
  /// if one changed. Both must have taken digests of the same hash and seed. Throws
  /// std::invalid_argument for other parameters or another probe.
  bool merge(const Counting& other);
  /// Keeps the smaller of both counters: contains the keys common to both, each as often as both
  /// have it; true if one changed. stored() is then only an upper bound. Throws as merge().
  bool intersect(const Counting& other);

  /// Empty again, with the memory kept.
  void clear() noexcept {
    CellFilter::clear();
    overflows_ = 0;
  }

  /// Keys inserted and not deleted since the filter was empty, repeated ones included.
  [[nodiscard]] std::uint64_t stored() const noexcept { return keys_; }
  /// Increments that met a counter at its largest value since the filter was empty.
  [[nodiscard]] std::uint64_t overflows() const noexcept { return overflows_; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    CellFilter::contents(self, visit);
    visit(self.overflows_);
  }

 private:
  void raise(std::uint64_t position, std::uint64_t& overflows) noexcept {
    const std::uint64_t count = array_.get_alone(position);
    if (count < largest_) {
      array_.set(position, count + 1);
      return;
    }
    ++overflows;
    if (parameters_.overflow == OverflowPolicy::wrap) array_.set(position, 0);
  }
  void raise_all(const DigestBatch& digests, const detail::PositionRange& range,
                 std::uint64_t& overflows);
  bool delete_key(const PositionBatch& positions, std::size_t key) noexcept;

  std::uint64_t largest_ = (std::uint64_t{1} << parameters_.counter_bits) - 1;
  std::uint64_t overflows_ = 0;
};

}  // namespace bloomlab
