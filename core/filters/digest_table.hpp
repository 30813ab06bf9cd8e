// An open-addressing hash table of digests instead of keys, at most half full: what fingerprint
// tables and digest sets share. Such a filter is DigestFilter with rules: a name, summary, source
// and the words of a digest.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/bit_array.hpp"
#include "core/bits/wide_product.hpp"
#include "core/bits/zeroed_memory.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"
#include "core/parameters.hpp"
#include "core/require_places.hpp"
#include "core/theory/hash_width.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {
namespace detail {

/// A set of digests of `Words` words. The slots double when more than half of them would be taken;
/// a digest stands in the first free slot from its home on.
template <std::size_t Words>
class DigestTable {
 public:
  using Digest = std::array<std::uint64_t, Words>;

  /// Slots for that many digests, when the first table is made for `capacity` of them.
  [[nodiscard]] static constexpr std::uint64_t slots_for(std::uint64_t capacity,
                                                         std::uint64_t n) noexcept {
    std::uint64_t slots = 2 * capacity;
    while (slots / 2 < n) slots *= 2;
    return slots;
  }
  /// Bits of that many slots.
  [[nodiscard]] static constexpr std::uint64_t bits_of(std::uint64_t slots) noexcept {
    return slots * Words * 64;
  }

  /// @param capacity digests for which there is room at first, >= 1. Throws AllocationError.
  explicit DigestTable(std::uint64_t capacity) : memory_(2 * capacity * Words) {}

  /// Inserts every digest of the batch; equal ones count once. Throws AllocationError.
  void insert(const DigestBatch& digests) {
    detail::require_words(digests, Words);
    for (std::size_t j = 0; j < digests.size; ++j) insert(digest_of(digests, j));
  }
  /// Whether the table has each digest. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    detail::require_places(digests.size, out.size());
    detail::require_words(digests, Words);
    for (std::size_t j = 0; j < digests.size; ++j) {
      out[j] = holds(digest_of(digests, j)) ? Answer::maybe : Answer::absent;
    }
  }
  /// How many digests of the batch the table has.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    detail::require_words(digests, Words);
    std::uint64_t count = 0;
    for (std::size_t j = 0; j < digests.size; ++j) count += holds(digest_of(digests, j)) ? 1 : 0;
    return count;
  }

  /// One digest; whether it is new. Throws AllocationError.
  bool insert_one(const Digest& digest) {
    const std::uint64_t before = size();
    insert(digest);
    return size() != before;
  }
  [[nodiscard]] bool contains_one(const Digest& digest) const noexcept { return holds(digest); }

  /// Counts, and the share of all digests that are in the table. Reads the whole table.
  [[nodiscard]] FilterState state() const {
    const std::uint64_t bits = bits_of(slots());
    const std::uint64_t bits_set = count_set_bits(memory_.words());
    double rate = static_cast<double>(size());
    for (std::size_t i = 0; i < Words; ++i) rate *= 0x1p-64;
    return {.bits = bits,
            .bits_set = bits_set,
            .memory_bits = bits,
            .conditional_rate = rate,
            .layers = {{bits, bits_set, size(), 1}}};
  }
  /// Empty again, with as many slots as a new table for that capacity.
  void clear(std::uint64_t capacity) { *this = DigestTable(capacity); }

  /// Distinct digests held.
  [[nodiscard]] std::uint64_t size() const noexcept { return in_slots_ + (holds_zero_ ? 1 : 0); }
  [[nodiscard]] std::uint64_t slots() const noexcept { return memory_.size() / Words; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    std::uint64_t slots = self.slots();
    std::uint64_t holds_zero = self.holds_zero_ ? 1 : 0;
    visit(slots);
    visit(holds_zero);
    if constexpr (Visitor::reading) {
      visit.check(holds_zero <= 1, "the word for the digest of zeros is neither 0 nor 1");
      visit.check(slots >= 2 && slots < std::uint64_t{1} << 50, "the slots are out of range");
      visit.require(bits_of(slots));
      self.memory_ = ZeroedMemory(slots * Words);
      self.holds_zero_ = holds_zero != 0;
    }
    visit(self.memory_);
    if constexpr (Visitor::reading) self.in_slots_ = self.taken();
    visit.check(2 * self.in_slots_ <= slots, "the table is more than half full");
  }

 private:
  static Digest digest_of(const DigestBatch& digests, std::size_t j) noexcept {
    Digest digest;
    for (std::size_t i = 0; i < Words; ++i) digest[i] = digests.word(static_cast<int>(i))[j];
    return digest;
  }
  static bool is_zero(const Digest& digest) noexcept { return digest == Digest{}; }

  /// Slots that hold a digest.
  [[nodiscard]] std::uint64_t taken() const noexcept {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < memory_.size(); i += Words) {
      const std::uint64_t* const at = memory_.data() + i;
      count += std::all_of(at, at + Words, [](std::uint64_t word) { return word == 0; }) ? 0 : 1;
    }
    return count;
  }

  /// The slot of the digest, or the free one where it would go.
  [[nodiscard]] std::uint64_t* find(const Digest& digest) const noexcept {
    std::uint64_t slot = multiply_high(digest.front(), slots());
    for (;;) {
      std::uint64_t* const at = const_cast<std::uint64_t*>(memory_.data()) + slot * Words;
      const bool equal = std::equal(digest.begin(), digest.end(), at);
      if (equal || std::all_of(at, at + Words, [](std::uint64_t word) { return word == 0; })) {
        return at;
      }
      if (++slot == slots()) slot = 0;
    }
  }

  [[nodiscard]] bool holds(const Digest& digest) const noexcept {
    // Zero marks a free slot; the digest zero is remembered apart.
    if (is_zero(digest)) return holds_zero_;
    return std::equal(digest.begin(), digest.end(), find(digest));
  }

  void insert(const Digest& digest) {
    if (is_zero(digest)) {
      holds_zero_ = true;
      return;
    }
    std::uint64_t* at = find(digest);
    if (std::equal(digest.begin(), digest.end(), at)) return;
    if (2 * (in_slots_ + 1) > slots()) {
      grow();
      at = find(digest);
    }
    std::ranges::copy(digest, at);
    ++in_slots_;
  }

  void grow() {
    ZeroedMemory old(memory_.size() * 2);
    std::swap(old, memory_);
    Digest digest;
    for (std::size_t i = 0; i < old.size(); i += Words) {
      std::copy_n(old.data() + i, Words, digest.begin());
      if (!is_zero(digest)) std::ranges::copy(digest, find(digest));
    }
  }

  ZeroedMemory memory_;
  std::uint64_t in_slots_ = 0;
  bool holds_zero_ = false;
};

/// The parameters of such a filter.
struct DigestTableParameters {
  std::uint64_t capacity = 0;  ///< keys for which there is room at first
  friend bool operator==(const DigestTableParameters&, const DigestTableParameters&) = default;
};

}  // namespace detail

/// A table of the digests of the keys, Rules::words of each. Errs where an absent key has the
/// digest of an inserted key, n / 2^(64 words).
template <class Rules>
class DigestFilter : public Rules, public detail::DigestTable<Rules::words> {
 public:
  using Parameters = detail::DigestTableParameters;
  using Rules::name;
  static constexpr bool chooses_positions = true;
  static constexpr bool keeps_fingerprints = true;
  static constexpr std::uint64_t max_capacity = std::uint64_t{1} << 40;

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"capacity", "keys", "keys for which there is room at first, at half load", 1,
                       max_capacity},
          p.capacity);
  }
  [[nodiscard]] static std::vector<Parameters> examples() {
    return {{.capacity = 1500}, {.capacity = 1}, {.capacity = 20000}, {.capacity = 7}};
  }
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    return detail::range_fault<DigestFilter>(p);
  }
  /// 1: most lookups read one slot or two.
  [[nodiscard]] static int probes(const Parameters& /*p*/, std::uint64_t /*n*/) noexcept {
    return 1;
  }
  /// Bits allocated for n keys; 2^64 - 1 where they would be too many.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept {
    if (n > max_filter_bits) return std::numeric_limits<std::uint64_t>::max();
    return Table::bits_of(Table::slots_for(p.capacity, n));
  }
  /// The closed form: `hash_width_floor`, of an array so large that its own rate, (256 n /
  /// 2^62)^256, is 0 beside that of the digests.
  [[nodiscard]] static theory::Query prediction(const Parameters& /*p*/, std::uint64_t n) {
    return {"hash_width_floor",
            {{"hash_bits", std::uint64_t{64} * Rules::words},
             {"n", n},
             {"m", std::uint64_t{1} << 62},
             {"k", max_probes}}};
  }
  [[nodiscard]] static double rate(const Parameters& /*p*/, std::uint64_t n) {
    return theory::hash_width_rate(64 * Rules::words, n, std::uint64_t{1} << 62, max_probes).rate;
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal) {
    const Parameters parameters{.capacity = goal.n};
    Sizing<Parameters> sizing{
        .traits = {.grows = true, .whole_hashes = true},
        .note = std::to_string(8 * Rules::words) + " bytes of a hash for each key"};
    if (check(parameters)) {
      sizing.unavailable = "takes fewer keys";
    } else {
      sizing.shapes = {{1, 1, [parameters](std::uint64_t) { return parameters; }}};
    }
    return sizing;
  }
  [[nodiscard]] static LinesRead lines(const Parameters& /*p*/, std::uint64_t /*n*/) {
    return detail::half_full_table;
  }
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept {
    return {.words = Rules::words};
  }

  /// An empty table. Throws std::invalid_argument with the text of check(), and AllocationError.
  explicit DigestFilter(const Parameters& p)
      : Table(detail::require(p.capacity, check(p))), parameters_(p) {}

  /// One key of one word (core/filters/one_key.hpp).
  bool insert_one(std::uint64_t word) requires(Rules::words == 1) {
    return Table::insert_one({word});
  }
  [[nodiscard]] bool contains_one(std::uint64_t word) const noexcept requires(Rules::words == 1) {
    return Table::contains_one({word});
  }
  /// Empty again, as a new one.
  void clear() { Table::clear(parameters_.capacity); }
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

 private:
  using Table = detail::DigestTable<Rules::words>;

  Parameters parameters_;
};

}  // namespace bloomlab
