// A static filter of fingerprints: the three slots of a key, one in each third of the table, xor to
// the key's fingerprint.
// Source: Graf, Lemire 2020, "Xor filters: faster and smaller than Bloom and cuckoo filters", ACM
// JEA 25.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bits/wide_product.hpp"
#include "core/digests.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/peeled_table.hpp"
#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"
#include "core/parameters.hpp"
#include "core/theory/peers.hpp"
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
class XorFilter : public detail::PeeledTable<XorLayout> {
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

  [[nodiscard]] static std::vector<Parameters> examples() {
    return {{.fingerprint_bits = 8},
            {.fingerprint_bits = 16},
            {.fingerprint_bits = 2},
            {.fingerprint_bits = 11},
            {.fingerprint_bits = 32}};
  }
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    return detail::range_fault<XorFilter>(p);
  }
  /// Slots that a lookup reads.
  [[nodiscard]] static int probes(const Parameters& /*p*/, std::uint64_t /*n*/) noexcept {
    return XorLayout::arity;
  }
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept {
    return detail::peeled_bits<XorLayout>(n, p.fingerprint_bits);
  }
  /// The closed form: `fingerprint`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return {"fingerprint", {{"f_bits", p.fingerprint_bits}, {"n", n}}};
  }
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n) {
    return theory::fingerprint_fpr_of_keys(p.fingerprint_bits, n);
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& /*goal*/) {
    const auto make = [](std::uint64_t width) { return Parameters{.fingerprint_bits = width}; };
    return {.traits = {.takes_keys_later = false},
            .shapes = {{detail::narrowest_fingerprint, max_fingerprint_bits, make}}};
  }
  [[nodiscard]] static LinesRead lines(const Parameters& /*p*/, std::uint64_t /*n*/) {
    return {3.0, 3.0};
  }
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 1}; }

  /// The filter of all keys of the batch, or nothing where every hash function failed. Throws
  /// std::invalid_argument with the text of check(), and AllocationError.
  [[nodiscard]] static std::optional<XorFilter> build(const Parameters& p,
                                                      const DigestBatch& digests) {
    detail::throw_fault(check(p));
    detail::require_buildable(name, digests.size);
    auto table = PeeledTable::build(XorLayout(digests.size),
                                    static_cast<unsigned>(p.fingerprint_bits), digests);
    if (!table) return std::nullopt;
    return XorFilter(p, *std::move(table));
  }
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

 private:
  XorFilter(const Parameters& p, PeeledTable table)
      : PeeledTable(std::move(table)), parameters_(p) {}

  Parameters parameters_;
};

}  // namespace bloomlab
