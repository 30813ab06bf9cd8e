// A hash table of 16-byte digests of the keys, such as MD5 sums or UUIDs, at most half full.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/digest_table.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/parameters.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// Digests of 128 bits in an open-addressing table: those of MD5 with the hash md5. Errs where an
/// absent key has the digest of an inserted key, n / 2^128.
class DigestSet {
 public:
  static constexpr std::string_view name = "digest_set";
  static constexpr std::string_view summary =
      "16-byte digests (MD5, UUID) in a hash table, at most half full";
  static constexpr std::string_view source = "folklore (a set of MD5 sums or UUIDs)";
  static constexpr bool chooses_positions = true;
  static constexpr bool keeps_fingerprints = true;
  static constexpr std::uint64_t max_capacity = std::uint64_t{1} << 40;

  struct Parameters {
    std::uint64_t capacity = 0;  ///< keys for which there is room at first
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"capacity", "keys", "keys for which there is room at first, at half load", 1,
                       max_capacity},
          p.capacity);
  }

  /// Parameters that show the table at work; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// 1: most lookups read one slot or two.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// Bits allocated for n keys; 2^64 - 1 where they would be too many.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `hash_width_floor` with 128 bits and no
  /// array.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// How it is sized for a goal (core/filters/sizing.hpp).
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  /// Cache lines that a lookup reads once n keys are in it.
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
  /// Two words per key.
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 2}; }

  /// An empty table. Throws std::invalid_argument with the text of check(), and AllocationError.
  explicit DigestSet(const Parameters& p);

  /// Inserts every key of the batch; equal digests count once. Throws AllocationError.
  void insert(const DigestBatch& digests) { table_.insert(digests); }
  /// Whether the table has each digest. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    table_.contains(digests, out);
  }
  /// How many digests of the batch the table has.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return table_.count_contained(digests);
  }
  /// Counts, and the share of all digests that are in the table. Reads the whole table.
  [[nodiscard]] FilterState state() const { return table_.state(); }
  /// Empty again, as a new one.
  void clear() { table_.clear(parameters_.capacity); }
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    Table::contents(self.table_, visit);
  }

 private:
  using Table = detail::DigestTable<2>;

  Parameters parameters_;
  Table table_;
};

}  // namespace bloomlab
