// The spectral filter: counters that answer how often a key was inserted.
// Source: Cohen, Matias 2003, "Spectral Bloom filters", SIGMOD.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/packed_array.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/one_key.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/parameters.hpp"
#include "core/probe/probe.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// How a spectral filter counts.
enum class SpectralMethod {
  minimum_selection,  ///< all counters of a key are raised; the smallest one is the answer
  minimal_increase,   ///< only the smallest ones are raised: fewer errors, nothing can be deleted
  recurring_minimum,  ///< keys whose smallest counter stands alone have a second filter of m/2
};

/// The spectral filter. Counters stop at their largest value. The set of counters above zero is
/// that of a standard filter, under every method, so membership has its rate.
///
/// A frequency is never below the truth for minimum selection and minimal increase (counters at
/// their largest value aside). With recurring minimum it can be, rarely: the second filter does not
/// see the inserts of a key while its smallest counter recurs.
///
/// Const members may be called by several threads at once.
class Spectral {
 public:
  static constexpr std::string_view name = "spectral";
  static constexpr std::string_view summary =
      "m counters, k positions per key; estimates how often a key was inserted";
  static constexpr std::string_view source = "Cohen, Matias 2003, Spectral Bloom filters";
  static constexpr bool chooses_positions = false;
  static constexpr std::uint64_t max_counter_bits = 32;
  static constexpr std::array<std::string_view, 3> methods = {
      "minimum_selection", "minimal_increase", "recurring_minimum"};

  struct Parameters {
    std::uint64_t m = 0;  ///< counters; recurring_minimum has max(1, floor(m/2)) more
    std::uint64_t k = 0;  ///< probes per key
    SpectralMethod method = SpectralMethod::minimum_selection;
    std::uint64_t counter_bits = 16;  ///< bits of a counter, 2 .. 32
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "counters",
                       "counters of the filter; recurring_minimum has half as many more", 1,
                       max_filter_bits},
          p.m);
    visit(IntegerField{"k", "probes per key", "counters of a key", 1, max_probes}, p.k);
    visit(ChoiceField{"method", "how the filter counts", methods}, p.method);
    visit(IntegerField{.name = "counter_bits",
                       .unit = "bits",
                       .meaning = "size of a counter",
                       .min = 2,
                       .max = max_counter_bits,
                       .fallback = 16},
          p.counter_bits);
  }

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// The same, with this probe: its reduction must take the numbers of counters and its family k.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p, const Probe& probe);
  /// k, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// Bits allocated for n keys, the second filter included.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `standard_exact`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// The closed form of the number of distinct keys that so many counters above zero tell of, with
  /// its standard deviation: `cardinality`.
  [[nodiscard]] static theory::Query cardinality(const Parameters& p, std::uint64_t counters_used);
  /// How it is sized for a goal (core/filters/sizing.hpp).
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  /// Cache lines that a lookup reads once n keys are in it.
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
  /// The closed form of the probability that the frequency of an inserted key, one of n distinct
  /// ones, is wrong by minimum selection: the n - 1 others cover its counters, `standard_exact` of
  /// n - 1. Precondition: n >= 1.
  [[nodiscard]] static theory::Query frequency_error(const Parameters& p, std::uint64_t n);

  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  Spectral(const Parameters& p, const Probe& probe);

  /// Inserts every key of the batch, one after the other: the order matters to all methods but
  /// minimum selection. Here and below digests are made for probe().need(k) or more words;
  /// std::invalid_argument otherwise.
  void insert(const DigestBatch& digests);
  /// Whether the filter reports each key: a frequency above 0. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const;
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const;
  /// One key (core/filters/one_key.hpp). Only recurring minimum, which has positions in a second
  /// filter too, goes by a batch of one.
  template <class Key>
  requires requires(const Key& key) { key.digests(); }
  bool insert_one(const Key& key) {
    const bool is_new = !contains_one(key);
    if (parameters_.method == SpectralMethod::recurring_minimum) {
      insert(key.digests());
      return is_new;
    }
    std::array<std::uint64_t, max_probes> positions;
    std::size_t count = 0;
    detail::for_each_position_of(
        key.walk(parameters_.m), static_cast<int>(parameters_.k),
        [&](std::uint64_t position)
            __attribute__((always_inline)) { positions[count++] = position; });
    insert_key({positions.data(), 1, static_cast<int>(count)}, {}, 0);
    ++inserted_;
    return is_new;
  }
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(const Key& key) const noexcept {
    return detail::all_positions(
        key.walk(parameters_.m), static_cast<int>(parameters_.k),
        [this](std::uint64_t position)
            __attribute__((always_inline)) { return counters_.get(position) != 0 ? 1U : 0U; });
  }
  /// How often each key was inserted, as the method estimates. times.size() == digests.size.
  void frequency(const DigestBatch& digests, std::span<std::uint64_t> times) const;

  /// Counts of the first filter, where a set bit is a counter above zero, and the conditional rate
  /// (X/m)^k. Reads the whole array. `keys` counts inserts, repeated keys included.
  [[nodiscard]] FilterState state() const;
  /// Empty again, with the memory kept.
  void clear() noexcept;

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const Probe& probe() const noexcept { return probe_; }
  /// The counters of the first filter.
  [[nodiscard]] const PackedArray& counters() const& noexcept { return counters_; }
  void counters() const&& = delete;
  /// Keys inserted since the filter was empty, repeated ones included.
  [[nodiscard]] std::uint64_t inserted() const noexcept { return inserted_; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    visit(self.counters_);
    visit(self.second_);
    visit(self.inserted_);
  }

 private:
  template <class Use>
  void for_each_chunk(const DigestBatch& digests, Use&& use) const;
  void insert_key(const PositionBatch& first, const PositionBatch& second,
                  std::size_t key) noexcept;

  Parameters parameters_;
  Probe probe_;
  PackedArray counters_;
  PackedArray second_;  // of recurring_minimum; else empty
  std::uint64_t inserted_ = 0;
};

}  // namespace bloomlab
