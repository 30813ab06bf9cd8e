// The Bloom filter as published: m bits, k positions per key, all of them set on insert.
// Source: Bloom 1970, "Space/time trade-offs in hash coding with allowable errors", CACM 13(7).
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
#include "core/filters/shared_words.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/parameters.hpp"
#include "core/probe/probe.hpp"
#include "core/simd/batch_tuning.hpp"
#include "core/simd/remix_rounds.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The standard filter. Batches and single keys (batches of one) give the same bits and answers.
/// Const members may be called by several threads at once.
class Standard {
 public:
  static constexpr std::string_view name = "standard";
  static constexpr std::string_view summary = "m bits, k positions per key (Bloom's filter)";
  static constexpr std::string_view source =
      "Bloom 1970, Space/time trade-offs in hash coding with allowable errors";
  static constexpr bool chooses_positions = false;

  struct Parameters {
    std::uint64_t m = 0;  ///< filter bits
    std::uint64_t k = 0;  ///< probes per key
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filter", 1, max_filter_bits}, p.m);
    visit(IntegerField{"k", "probes per key", "positions set for a key", 1, max_probes}, p.k);
  }

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// The same, with this probe: its reduction must take m and its family k.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p, const Probe& probe);
  /// Largest k that the filter asks of the probe for n keys.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// Bits allocated for n keys.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `standard_exact`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// How it is sized for a goal (core/filters/sizing.hpp).
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  /// Cache lines that a lookup reads once n keys are in it.
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);

  /// An empty filter, in pages of the operating system or in the memory that is given. Throws
  /// std::invalid_argument with the text of check(), and AllocationError.
  Standard(const Parameters& p, const Probe& probe, FilterMemory* memory = nullptr);

  /// A filter with the bits of another one of these parameters, to which `inserted` keys were
  /// given. Throws std::invalid_argument with the text of check(), and where bits.size() is not m.
  Standard(const Parameters& p, const Probe& probe, BitArray bits, std::uint64_t inserted);

  /// Inserts every key of the batch. Here and below digests are made for probe().need(k) or more
  /// words; std::invalid_argument otherwise.
  void insert(const DigestBatch& digests);
  /// Inserts every key and writes what contains() would have said of it just before, as if the keys
  /// came one after the other (equal keys in one batch included). before.size() == digests.size.
  void insert(const DigestBatch& digests, std::span<Answer> before);
  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const;
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const;

  /// One key, inlined (core/filters/one_key.hpp). Precondition: its walk is that of probe().
  template <class Key>
  [[gnu::always_inline]] bool insert_one(const Key& key) noexcept {
    std::uint64_t* const words = bits_.writable_words().data();
    std::uint64_t changed = 0;
    detail::for_each_position_of(
        key.walk(parameters_.m), static_cast<int>(parameters_.k),
        [&](std::uint64_t position)
            __attribute__((always_inline)) { changed |= detail::set_bit(words, position); });
    ++inserted_;
    return changed != 0;
  }
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(const Key& key) const noexcept {
    return detail::all_positions(key.walk(parameters_.m), static_cast<int>(parameters_.k),
                                 detail::BitsOf{bits_.words().data()});
  }

  /// One key, while other threads do the same (core/filters/shared_words.hpp).
  template <class Key>
  bool insert_shared(const Key& key) noexcept {
    std::uint64_t* const words = bits_.writable_words().data();
    bool changed = false;
    detail::for_each_position_of(
        key.walk(parameters_.m), static_cast<int>(parameters_.k), [&](std::uint64_t position) {
          changed |= detail::set_shared(words[position / 64], std::uint64_t{1} << (position % 64));
        });
    return changed;
  }
  template <class Key>
  [[nodiscard]] bool contains_shared(const Key& key) const noexcept {
    const std::uint64_t* const words = bits_.words().data();
    return detail::all_positions(
        key.walk(parameters_.m), static_cast<int>(parameters_.k), [words](std::uint64_t position) {
          return detail::load_shared(words[position / 64]) >> (position % 64);
        });
  }
  void add_inserted(std::uint64_t keys) noexcept { inserted_ += keys; }

  /// Makes this the filter that was given the keys of both; true if a bit changed. Both must have
  /// taken digests of the same hash and seed. Throws std::invalid_argument for other parameters or
  /// another probe.
  bool merge(const Standard& other);
  /// Keeps the bits common to both: contains the keys of both, and is never smaller than the filter
  /// of just those; true if a bit changed. inserted() is then only an upper bound of the keys
  /// common to both. Throws as merge().
  bool intersect(const Standard& other);
  /// The closed form of the number of keys that `bits_set` bits tell of, with its standard
  /// deviation: `cardinality`. For the keys common to a and b: cardinality of a + cardinality of b
  /// - cardinality of their union.
  [[nodiscard]] static theory::Query cardinality(const Parameters& p, std::uint64_t bits_set);

  /// Counts and the conditional rate (X/m)^k. Reads the whole array. `keys` counts inserts,
  /// repeated keys included.
  [[nodiscard]] FilterState state() const;
  /// Empty again, with the memory kept.
  void clear() noexcept;

  /// How far ahead batches ask for memory, where a kernel takes the probe (see
  /// core/simd/remix_rounds.hpp); changes no answer.
  void tune(const BatchTuning& tuning) noexcept { tuning_ = tuning; }
  [[nodiscard]] const BatchTuning& tuning() const noexcept { return tuning_; }

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
    std::uint64_t inserted = self.inserted_;
    visit(inserted);
    if constexpr (Visitor::reading) self.inserted_ = inserted;
  }

 private:
  template <class Use>
  void for_each_contained(const DigestBatch& digests, Use&& use) const;
  [[nodiscard]] bool has_kernel() const;
  [[nodiscard]] simd::RemixedBits remixed() const noexcept;

  Parameters parameters_;
  Probe probe_;
  BitArray bits_;
  KeyCount inserted_ = 0;
  BatchTuning tuning_;
};

}  // namespace bloomlab
