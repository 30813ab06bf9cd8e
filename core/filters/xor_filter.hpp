// A static filter of fingerprints: the three slots of a key, one in each third of the table, xor to
// the key's fingerprint.
// Source: Graf, Lemire 2020, "Xor filters: faster and smaller than Bloom and cuckoo filters", ACM
// JEA 25.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/wide_product.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/peeled_table.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/parameters.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The slots of an xor filter: one in each of three blocks of equal length.
class XorLayout {
 public:
  static constexpr std::size_t arity = 3;
  /// Three blocks of ceil((32 + 1.23 n) / 3) slots, as published. @param n keys, <= 2^40
  explicit XorLayout(std::uint64_t n) noexcept
      : keys_(n), block_((32 + n + (n * 23 + 99) / 100 + 2) / 3) {}

  /// Keys that it was made for.
  [[nodiscard]] std::uint64_t keys() const noexcept { return keys_; }
  [[nodiscard]] std::uint64_t slots() const noexcept { return 3 * block_; }
  /// The three slots of a hash.
  [[nodiscard]] std::array<std::uint64_t, arity> positions(std::uint64_t hash) const noexcept {
    // Each product takes the high bits of its factor: those of three rotations overlap little.
    return {multiply_high(hash, block_), block_ + multiply_high(hash << 21 | hash >> 43, block_),
            2 * block_ + multiply_high(hash << 42 | hash >> 22, block_)};
  }

 private:
  std::uint64_t keys_;
  std::uint64_t block_;
};

/// The xor filter. Built once; a hash function fails with a small probability, and building only
/// when 64 of them do. Equal digests count once.
class XorFilter {
 public:
  static constexpr std::string_view name = "xor_filter";
  static constexpr std::string_view summary =
      "static; three slots xor to a key's fingerprint, 1.23 slots a key";
  static constexpr std::string_view source = "Graf, Lemire 2020, Xor filters";
  static constexpr bool chooses_positions = true;
  static constexpr std::uint64_t max_fingerprint_bits = 32;

  struct Parameters {
    std::uint64_t fingerprint_bits = 0;  ///< f: the rate is 2^-f
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"fingerprint_bits", "bits", "size of a fingerprint; the rate is 2^-f", 2,
                       max_fingerprint_bits},
          p.fingerprint_bits);
  }

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// Slots that a lookup reads.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// Bits allocated for n keys, while it is built not counted.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `fingerprint`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// How it is sized for a goal (core/filters/sizing.hpp).
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  /// Cache lines that a lookup reads once n keys are in it.
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
  /// One word per key.
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 1}; }

  /// The filter of all keys of the batch, or nothing where every hash function failed. Throws
  /// std::invalid_argument with the text of check(), and AllocationError.
  [[nodiscard]] static std::optional<XorFilter> build(const Parameters& p,
                                                      const DigestBatch& digests);

  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    table_.contains(digests, out);
  }
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return table_.count_contained(digests);
  }
  /// One key, inlined (core/filters/one_key.hpp).
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(std::uint64_t word) const noexcept {
    return table_.contains_one(word);
  }
  /// Counts and the rate 2^-f.
  [[nodiscard]] FilterState state() const { return table_.state(); }
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    Table::contents(self.table_, visit);
  }

 private:
  using Table = detail::PeeledTable<XorLayout>;
  XorFilter(const Parameters& p, Table table) : parameters_(p), table_(std::move(table)) {}

  Parameters parameters_;
  Table table_;
};

}  // namespace bloomlab
