// A static filter that solves linear equations: the fingerprint of a key is the product of a short
// row of bits, which starts at a slot of the key's choice, with the table.
// Source: Dillinger, Walzer 2021, "Ribbon filter: practically smaller than Bloom and xor", arXiv
// 2103.02515 (the standard ribbon filter, table in blocks of columns).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/zeroed_memory.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/parameters.hpp"
#include "core/theory/peers.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The standard ribbon filter. Built once. A hash function fails when a row depends on earlier ones
/// and contradicts them: the more keys, the shorter the rows and the fewer the spare slots, the
/// likelier; building fails when 64 of them do. Equal digests count once.
class Ribbon {
 public:
  static constexpr std::string_view name = "ribbon";
  static constexpr std::string_view summary =
      "static; fingerprints as the solution of a band of linear equations, few spare slots";
  static constexpr std::string_view source = "Dillinger, Walzer 2021, Ribbon filter";
  static constexpr bool chooses_positions = true;
  static constexpr std::uint64_t max_result_bits = 32;
  /// Hash functions that are tried before building is given up.
  static constexpr std::uint64_t attempts = 64;

  struct Parameters {
    std::uint64_t width = 0;        ///< w: length of a row [slots], 64 or 128
    std::uint64_t result_bits = 0;  ///< r: the rate is 2^-r
    double overhead = 0.0;          ///< spare slots for each key
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"width", "slots", "length of a row: 64 or 128", 64, 128, 128}, p.width);
    visit(IntegerField{"result_bits", "bits", "size of a fingerprint; the rate is 2^-r", 2,
                       max_result_bits},
          p.result_bits);
    visit(RealField{.name = "overhead",
                    .unit = "slots per key",
                    .meaning = "spare slots for each key",
                    .min = 0.0,
                    .max = 4.0,
                    .fallback = 0.1},
          p.overhead);
  }

  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// Columns that a lookup multiplies at most.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
    return static_cast<int>(p.result_bits);
  }
  /// Bits allocated for n keys, while it is built not counted.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form: `fingerprint`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return {"fingerprint", {{"f_bits", p.result_bits}, {"n", n}}};
  }
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n) {
    return theory::fingerprint_fpr_of_keys(p.result_bits, n);
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 1}; }

  /// The filter of all keys of the batch, or nothing where every hash function failed. Throws
  /// std::invalid_argument with the text of check(), and AllocationError.
  [[nodiscard]] static std::optional<Ribbon> build(const Parameters& p, const DigestBatch& digests);

  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const;
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const;
  /// One key (core/filters/one_key.hpp), a call without a batch.
  [[nodiscard]] bool contains_one(std::uint64_t word) const noexcept { return holds(word); }
  /// Counts and the rate 2^-r. `bits` counts slots times result bits; `keys` repeated ones too.
  [[nodiscard]] FilterState state() const;
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    std::uint64_t keys = self.keys_;
    visit(keys);
    if constexpr (Visitor::reading) {
      visit.require(memory_bits(self.parameters_, keys));
      self = Ribbon(self.parameters_, keys);
    }
    visit(self.attempt_);
    visit(self.table_);
  }

 private:
  /// A row: bits of the slots from `start` on; the first one is set.
  struct Row {
    std::uint64_t start = 0;
    std::array<std::uint64_t, 2> bits = {};
    std::uint64_t result = 0;
  };
  struct System;

  Ribbon(const Parameters& p, std::uint64_t n);  // n <= detail::max_static_keys
  [[nodiscard]] Row row_of(std::uint64_t word) const noexcept;
  [[nodiscard]] bool holds(std::uint64_t word) const noexcept;
  bool solve(const DigestBatch& digests, System& system);
  void back_substitute(const System& system) noexcept;

  Parameters parameters_;
  std::uint64_t slots_;
  std::uint64_t keys_;
  std::uint64_t attempt_ = 0;
  ZeroedMemory table_;  // blocks of 64 slots; column j of a block is one word
};

}  // namespace bloomlab
