// A static filter of fingerprints as an xor filter, smaller and faster to build: the slots of a key
// lie in neighbouring segments of the table.
// Source: Graf, Lemire 2022, "Binary fuse filters: fast and smaller than xor filters", ACM JEA 27.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/wide_product.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/peeled_table.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/parameters.hpp"
#include "core/theory/peers.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// Segments of a binary fuse filter: how many, and of which length.
struct FuseSegments {
  std::uint64_t count = 0;        ///< segments of the table, >= arity
  std::uint64_t length_log2 = 0;  ///< a segment has 2^length_log2 slots

  /// The published sizes: length 2^floor(ln n / ln 3.33 + 2.25) for arity 3, 2^floor(ln n / ln 2.91
  /// - 0.5) for 4, at most 2^18; slots per key max(1.125, 0.875 + 0.25 ln 10^6 / ln n), or
  /// max(1.075, 0.77 + 0.305 ln 600000 / ln n), rounded up to whole segments. The same on every
  /// machine.
  /// @param n keys, <= 2^40   @param arity 3 or 4
  [[nodiscard]] static FuseSegments for_keys(std::uint64_t n, std::uint64_t arity) noexcept;
};

/// The slots of a key: one in each of Arity consecutive segments.
template <std::size_t Arity>
class FuseLayout {
 public:
  static constexpr std::size_t arity = Arity;
  /// @param n keys, <= 2^40
  explicit FuseLayout(std::uint64_t n) noexcept
      : keys_(n),
        segments_(FuseSegments::for_keys(n, Arity)),
        first_slots_((segments_.count - Arity + 1) << segments_.length_log2) {}

  /// Keys that it was made for.
  [[nodiscard]] std::uint64_t keys() const noexcept { return keys_; }

  [[nodiscard]] std::uint64_t slots() const noexcept {
    return segments_.count << segments_.length_log2;
  }
  /// The slots of a hash.
  [[nodiscard]] std::array<std::uint64_t, Arity> positions(std::uint64_t hash) const noexcept {
    std::array<std::uint64_t, Arity> at;
    at[0] = multiply_high(hash, first_slots_);
    const std::uint64_t length = std::uint64_t{1} << segments_.length_log2;
    std::uint64_t segment = at[0] & ~(length - 1);
    std::uint64_t offsets = (hash * 0x9fb21c651e98df25) >> (64 - 3 * max_length_log2);
    for (std::size_t i = 1; i < Arity; ++i) {
      segment += length;
      at[i] = segment + (offsets & (length - 1));
      offsets >>= max_length_log2;
    }
    return at;
  }

  static constexpr unsigned max_length_log2 = 18;

 private:
  std::uint64_t keys_;
  FuseSegments segments_;
  std::uint64_t first_slots_;
};

/// The binary fuse filter. Built once; a hash function fails with a small probability, and building
/// only when 64 of them do. Equal digests count once.
class BinaryFuse {
 public:
  static constexpr std::string_view name = "binary_fuse";
  static constexpr std::string_view summary =
      "static; 3 or 4 slots in neighbouring segments xor to a key's fingerprint";
  static constexpr std::string_view source = "Graf, Lemire 2022, Binary fuse filters";
  static constexpr bool chooses_positions = true;
  static constexpr std::uint64_t max_fingerprint_bits = 32;

  struct Parameters {
    std::uint64_t arity = 0;             ///< slots of a key, 3 or 4
    std::uint64_t fingerprint_bits = 0;  ///< f: the rate is 2^-f
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"arity", "slots", "slots of a key; 4 is smaller, 3 is faster", 3, 4},
          p.arity);
    visit(IntegerField{"fingerprint_bits", "bits", "size of a fingerprint; the rate is 2^-f", 2,
                       max_fingerprint_bits},
          p.fingerprint_bits);
  }

  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    return detail::range_fault<BinaryFuse>(p);
  }
  /// Slots that a lookup reads.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
    return static_cast<int>(p.arity);
  }
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept {
    return p.arity == 3 ? detail::peeled_bits<FuseLayout<3>>(n, p.fingerprint_bits)
                        : detail::peeled_bits<FuseLayout<4>>(n, p.fingerprint_bits);
  }
  /// The closed form: `fingerprint`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return {"fingerprint", {{"f_bits", p.fingerprint_bits}, {"n", n}}};
  }
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n) {
    return theory::fingerprint_fpr_of_keys(p.fingerprint_bits, n);
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t /*n*/) {
    return {static_cast<double>(p.arity), static_cast<double>(p.arity)};
  }
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 1}; }

  /// The filter of all keys of the batch, or nothing where every hash function failed. Throws
  /// std::invalid_argument with the text of check(), and AllocationError.
  [[nodiscard]] static std::optional<BinaryFuse> build(const Parameters& p,
                                                       const DigestBatch& digests);

  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    std::visit([&](const auto& table) { table.contains(digests, out); }, table_);
  }
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return std::visit([&](const auto& table) { return table.count_contained(digests); }, table_);
  }
  /// One key, inlined (core/filters/one_key.hpp).
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(std::uint64_t word) const noexcept {
    if (const auto* const of_3 = std::get_if<0>(&table_)) return of_3->contains_one(word);
    return std::get_if<1>(&table_)->contains_one(word);
  }
  /// Counts and the rate 2^-f.
  [[nodiscard]] FilterState state() const {
    return std::visit([](const auto& table) { return table.state(); }, table_);
  }
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    std::visit([&](auto& table) { table.contents(table, visit); }, self.table_);
  }

 private:
  using Tables =
      std::variant<detail::PeeledTable<FuseLayout<3>>, detail::PeeledTable<FuseLayout<4>>>;
  BinaryFuse(const Parameters& p, Tables table) : parameters_(p), table_(std::move(table)) {}

  Parameters parameters_;
  Tables table_;
};

}  // namespace bloomlab
