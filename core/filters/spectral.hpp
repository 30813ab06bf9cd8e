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

#include "core/filters/cell_filter.hpp"

namespace bloomlab {

/// How a spectral filter counts.
enum class SpectralMethod {
  minimum_selection,  ///< all counters of a key are raised; the smallest one is the answer
  minimal_increase,   ///< only the smallest ones are raised: fewer errors, nothing can be deleted
  recurring_minimum,  ///< keys whose smallest counter stands alone have a second filter of m/2
};

/// The description of Spectral.
struct SpectralRules : detail::StandardCells {
  using Array = PackedArray;
  static constexpr bool fused = false;
  static constexpr std::string_view name = "spectral";
  static constexpr std::string_view summary =
      "m counters, k positions per key; estimates how often a key was inserted";
  static constexpr std::string_view source = "Cohen, Matias 2003, Spectral Bloom filters";
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

  [[nodiscard]] static std::vector<Parameters> examples();
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// Why this probe cannot serve, or nothing: its reduction must take the numbers of counters.
  [[nodiscard]] static std::optional<std::string> probe_fault(std::string_view filter,
                                                              const Parameters& p,
                                                              const Probe& probe);
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n) {
    return probed_lines(p.m, n, p.k, p.counter_bits);
  }
  /// The closed form of the probability that the frequency of an inserted key, one of n distinct
  /// ones, is wrong by minimum selection: the n - 1 others cover its counters, `standard_exact` of
  /// n - 1. Precondition: n >= 1.
  [[nodiscard]] static theory::Query frequency_error(const Parameters& p, std::uint64_t n) {
    return prediction(p, n - 1);
  }
};

/// The spectral filter. Counters stop at their largest value. The set of counters above zero is
/// that of a standard filter, under every method, so membership has its rate.
///
/// A frequency is never below the truth for minimum selection and minimal increase (counters at
/// their largest value aside). With recurring minimum it can be, rarely: the second filter does not
/// see the inserts of a key while its smallest counter recurs.
class Spectral : public CellFilter<SpectralRules> {
 public:
  /// Bits allocated for n keys, the second filter included.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;

  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  Spectral(const Parameters& p, const Probe& probe);

  /// Inserts every key of the batch, one after the other: the order matters to all methods but
  /// minimum selection.
  void insert(const DigestBatch& digests);
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
        walk_of(key), static_cast<int>(parameters_.k),
        [&](std::uint64_t position)
            __attribute__((always_inline)) { positions[count++] = position; });
    insert_key({positions.data(), 1, static_cast<int>(count)}, {}, 0);
    ++keys_;
    return is_new;
  }
  /// How often each key was inserted, as the method estimates. times.size() == digests.size.
  void frequency(const DigestBatch& digests, std::span<std::uint64_t> times) const;

  /// As CellFilter, of the first filter; the memory is that of both.
  [[nodiscard]] FilterState state() const;
  /// Empty again, with the memory kept.
  void clear() noexcept {
    CellFilter::clear();
    second_.clear();
  }
  /// Keys inserted since the filter was empty, repeated ones included.
  [[nodiscard]] std::uint64_t inserted() const noexcept { return keys_; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    visit(self.array_);
    visit(self.second_);
    std::uint64_t keys = self.keys_;
    visit(keys);
    if constexpr (Visitor::reading) self.keys_ = keys;
  }

 private:
  template <class Use>
  void for_each_pair(const DigestBatch& digests, Use&& use) const;
  void insert_key(const PositionBatch& first, const PositionBatch& second,
                  std::size_t key) noexcept;

  PackedArray second_;  // of recurring_minimum; else empty
};

}  // namespace bloomlab
