// A standard filter that is made to be sent: larger in memory than the usual one for its rate, with
// fewer probes and thus sparser, and smaller once it is entropy coded.
// Source: Mitzenmacher 2002, "Compressed Bloom filters", IEEE/ACM ToN 10(5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/answer.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/filters/standard.hpp"
#include "core/parameters.hpp"
#include "core/probe/probe.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The compressed filter: bits and answers are those of a standard filter of the same m and k. It
/// is really encoded (core/bits/entropy_coding.hpp); m and k for a given size on the wire:
/// theory::compressed_filter.
class Compressed {
 public:
  static constexpr std::string_view name = "compressed";
  static constexpr std::string_view summary =
      "a sparse standard filter with its size when entropy coded (Huffman, zlib)";
  static constexpr std::string_view source = "Mitzenmacher 2002, Compressed Bloom filters";
  static constexpr bool chooses_positions = false;

  using Parameters = Standard::Parameters;

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size in memory, not compressed", 1, max_filter_bits}, p.m);
    visit(IntegerField{"k", "probes per key", "positions set for a key", 1, max_probes}, p.k);
  }

  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// The same, with this probe: its reduction must take m and its family k.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p, const Probe& probe);
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept {
    return Standard::probes(p, n);
  }
  /// Bits allocated for n keys, not compressed.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept {
    return Standard::memory_bits(p, n);
  }
  /// The closed form: `standard_exact`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return Standard::prediction(p, n);
  }
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n) {
    return Standard::rate(p, n);
  }
  /// The closed form of the number of distinct keys that so many set bits tell of, with
  /// its standard deviation: `cardinality`.
  [[nodiscard]] static theory::Query cardinality(const Parameters& p, std::uint64_t bits_set) {
    return Standard::cardinality(p, bits_set);
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n) {
    return Standard::lines(p, n);
  }

  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  Compressed(const Parameters& p, const Probe& probe);
  /// The filter that encode() made `code` from. Throws std::invalid_argument where the code is
  /// damaged or of another m; takes no memory beyond the filter's.
  [[nodiscard]] static Compressed decode(const Parameters& p, const Probe& probe,
                                         std::span<const std::byte> code, std::uint64_t inserted);

  /// As Standard: inserts every key of the batch.
  void insert(const DigestBatch& digests) { filter_.insert(digests); }
  /// As Standard: whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    filter_.contains(digests, out);
  }
  /// As Standard: how many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return filter_.count_contained(digests);
  }

  /// One key, inlined (core/filters/one_key.hpp).
  template <class Key>
  [[gnu::always_inline]] bool insert_one(const Key& key) noexcept {
    return filter_.insert_one(key);
  }
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(const Key& key) const noexcept {
    return filter_.contains_one(key);
  }

  /// As Standard, with transmitted_bits. Encodes the array, about 20 ns a set bit.
  [[nodiscard]] FilterState state() const;
  /// Empty again, with the memory kept.
  void clear() noexcept { filter_.clear(); }

  /// The bits as they are sent.
  [[nodiscard]] std::vector<std::byte> encode() const;
  /// What an ideal coder takes for this fill ratio, m H2(X/m) [bits]; to show beside the
  /// size of encode().
  [[nodiscard]] double entropy_bits() const;

  [[nodiscard]] const Parameters& parameters() const noexcept { return filter_.parameters(); }
  [[nodiscard]] const Standard& filter() const noexcept { return filter_; }

  [[nodiscard]] const Probe& probe() const noexcept { return filter_.probe(); }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    Standard::contents(self.filter_, visit);
  }

 private:
  explicit Compressed(Standard filter) : filter_(std::move(filter)) {}

  Standard filter_;
};

}  // namespace bloomlab
