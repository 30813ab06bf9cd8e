// One bit for each key that there could be: exact, and small where keys are dense integers.
// Source: folklore; the direct addressing of Cormen, Leiserson, Rivest, Stein, "Introduction to
// algorithms".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/bit_array.hpp"
#include "core/filter_state.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/sizing.hpp"
#include "core/keys/key_batch.hpp"
#include "core/parameters.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// A bitmap of the integers below a bound. Never errs.
class DirectBitmap {
 public:
  static constexpr std::string_view name = "direct_bitmap";
  static constexpr std::string_view summary = "exact: a bit for every integer below a bound";
  static constexpr std::string_view source = "folklore (direct addressing)";
  static constexpr bool chooses_positions = true;

  struct Parameters {
    std::uint64_t range = 0;  ///< keys are integers below it; also the size [bits]
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"range", "keys", "keys are integers below it; one bit for each", 1,
                       max_filter_bits},
          p.range);
  }

  [[nodiscard]] static std::vector<Parameters> examples() {
    return {{.range = 100000}, {.range = 4097}, {.range = std::uint64_t{1} << 32}};
  }
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    return detail::range_fault<DirectBitmap>(p);
  }
  /// 1: one bit.
  [[nodiscard]] static int probes(const Parameters& /*p*/, std::uint64_t /*n*/) noexcept {
    return 1;
  }
  /// Bits allocated, for any n.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p,
                                                 std::uint64_t /*n*/) noexcept {
    return BitArray::memory_bits_for(p.range);
  }
  /// The closed form of the rate: `exact_set`, 0.
  [[nodiscard]] static theory::Query prediction(const Parameters& /*p*/, std::uint64_t n) {
    return {"exact_set", {{"n", n}}};
  }
  [[nodiscard]] static double rate(const Parameters& /*p*/, std::uint64_t /*n*/) { return 0.0; }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& /*goal*/) {
    return {.traits = {.grows = true, .exact = true},
            .unavailable = "needs integer keys below a known bound: one bit for each possible key"};
  }
  [[nodiscard]] static LinesRead lines(const Parameters& /*p*/, std::uint64_t /*n*/) {
    return {1.0, 1.0};
  }

  /// An empty bitmap. Throws std::invalid_argument with the text of check(), and AllocationError.
  explicit DirectBitmap(const Parameters& p)
      : parameters_(p), bits_(detail::require(p.range, check(p))) {}

  /// Inserts every key of the batch. Throws std::invalid_argument for texts and for a key out of
  /// range; the keys before that one are then in the bitmap.
  void insert(const KeyBatch& keys);
  /// Whether the bitmap has each key; it has none out of range. out.size() == keys.size().
  void contains(const KeyBatch& keys, std::span<Answer> out) const;
  /// How many keys of the batch the bitmap has.
  [[nodiscard]] std::uint64_t count_contained(const KeyBatch& keys) const;
  /// Counts; `keys` counts distinct keys, the set bits.
  [[nodiscard]] FilterState state() const;
  /// Empty again, with the memory kept.
  void clear() noexcept { bits_.clear(); }
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

 private:
  [[nodiscard]] bool holds(std::uint64_t key) const noexcept {
    return key < bits_.size() && bits_.test(key);
  }

  Parameters parameters_;
  BitArray bits_;
};

}  // namespace bloomlab
