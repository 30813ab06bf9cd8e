// A filter of fingerprints in a cuckoo hash table: each key has two buckets and moves between them
// to make room.
// Source: Fan, Andersen, Kaminsky, Mitzenmacher 2014, "Cuckoo filter: practically better than
// Bloom", CoNEXT.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/packed_array.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/one_word.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/parameters.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The cuckoo filter, with a cache for one fingerprint that found no room (the victim). While it is
/// in use nothing is moved any more: a key is taken where a slot of its buckets is free, and else
/// refused and counted. Every key that was taken has a slot of its own, one that was inserted twice
/// two: so no key that was taken is denied until it is deleted as often, whatever other keys that
/// were taken are deleted.
class Cuckoo {
 public:
  static constexpr std::string_view name = "cuckoo";
  static constexpr std::string_view summary =
      "fingerprints in a cuckoo hash table, two buckets per key; deletes; refuses keys when it is "
      "full";
  static constexpr std::string_view source =
      "Fan, Andersen, Kaminsky, Mitzenmacher 2014, Cuckoo filter";
  static constexpr bool chooses_positions = true;
  static constexpr bool keeps_fingerprints = true;
  static constexpr bool can_refuse = true;
  static constexpr std::uint64_t max_fingerprint_bits = 32;
  static constexpr std::uint64_t max_bucket_size = 8;
  static constexpr std::uint64_t max_buckets = std::uint64_t{1} << 32;
  /// Fingerprints that an insert moves at most.
  static constexpr int max_moves = 500;

  struct Parameters {
    std::uint64_t fingerprint_bits = 0;  ///< f: the rate is about 2 b load / 2^f
    std::uint64_t bucket_size = 0;       ///< b: slots of a bucket
    std::uint64_t buckets = 0;           ///< buckets of the table, a power of two
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(
        IntegerField{"fingerprint_bits", "bits", "size of a fingerprint", 2, max_fingerprint_bits},
        p.fingerprint_bits);
    visit(
        IntegerField{"bucket_size", "slots", "slots of a bucket: 1, 2, 4 or 8", 1, max_bucket_size},
        p.bucket_size);
    visit(
        IntegerField{"buckets", "buckets", "buckets of the table, a power of two", 1, max_buckets},
        p.buckets);
  }

  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// Keys that find room in all but very few filters, by the published loads: 48, 84, 95 or 98 % of
  /// the slots by the size of a bucket, and less of a small table. Fingerprints that are narrower
  /// than those of sizing() fill less.
  [[nodiscard]] static std::uint64_t most_keys(const Parameters& p) noexcept;
  /// Slots that a lookup compares at most.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
    return static_cast<int>(2 * p.bucket_size);
  }
  /// Bits allocated, for any n.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys, none of them refused: `cuckoo`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n);
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 1}; }

  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  explicit Cuckoo(const Parameters& p);

  /// Inserts every key that finds room; the others add to refused().
  void insert(const DigestBatch& digests);
  /// Deletes the keys, one after the other, and how many the filter reported and so deleted: a
  /// fingerprint of each, from one of its buckets. The others change nothing. A key that was not
  /// taken, but is reported, takes another one's fingerprint along.
  std::uint64_t remove(const DigestBatch& digests);
  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const;
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const;

  /// One key (core/filters/one_key.hpp); a lookup is inlined.
  bool insert_one(std::uint64_t word) noexcept {
    const bool is_new = !holds(word);
    insert_word(word);
    return is_new;
  }
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(std::uint64_t word) const noexcept {
    return holds(word);
  }

  /// Counts, and the share of all pairs of a bucket and a fingerprint that are reported. Reads the
  /// whole table. `keys` counts the fingerprints held.
  [[nodiscard]] FilterState state() const;
  /// Empty again, with the memory kept.
  void clear() noexcept;

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  /// Keys turned away since the filter was empty.
  [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }
  /// Fingerprints held, the victim among them.
  [[nodiscard]] std::uint64_t stored() const noexcept { return stored_; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    visit(self.table_);
    visit(self.victim_.fingerprint);
    visit(self.victim_.bucket);
    visit(self.stored_);
    visit(self.refused_);
    visit(self.moves_);
    visit.check(self.victim_.bucket < self.parameters_.buckets &&
                    self.victim_.fingerprint >> self.parameters_.fingerprint_bits == 0,
                "the victim is no fingerprint of the table");
  }

 private:
  /// A fingerprint and one of its two buckets; fingerprint 0 is none.
  struct Entry {
    std::uint64_t fingerprint = 0;
    std::uint64_t bucket = 0;
  };

  [[nodiscard]] Entry entry_of(std::uint64_t word) const noexcept {
    // The high half gives the fingerprint, 1 .. 2^f - 1, the low half the bucket.
    const std::uint64_t values = (std::uint64_t{1} << parameters_.fingerprint_bits) - 1;
    return {1 + (((word >> 32) * values) >> 32), word & (parameters_.buckets - 1)};
  }
  [[nodiscard]] std::uint64_t other_bucket(const Entry& entry) const noexcept {
    // The other bucket follows from the fingerprint and either one: the key is not needed any more.
    return entry.bucket ^ (detail::remix(entry.fingerprint, 0) & (parameters_.buckets - 1));
  }
  [[nodiscard]] std::uint64_t slot(std::uint64_t bucket, std::uint64_t i) const noexcept {
    return bucket * parameters_.bucket_size + i;
  }
  /// Of the slots of a bucket from number `first` on that are read together, the highest bits of
  /// those that hold the fingerprint. Where one does, the lowest bit that is set is right; those
  /// above it may be of slots that hold another one.
  [[nodiscard]] std::uint64_t matches(const Entry& entry, std::uint64_t first) const noexcept {
    const std::uint64_t differences =
        table_.from(slot(entry.bucket, first)) ^ (entry.fingerprint * lowest_bits_);
    return (differences - lowest_bits_) & ~differences &
           (lowest_bits_ << (parameters_.fingerprint_bits - 1));
  }
  [[nodiscard]] bool in_bucket(const Entry& entry) const noexcept {
    std::uint64_t found = matches(entry, 0);
    for (std::uint64_t i = together_; i < parameters_.bucket_size; i += together_) {
      found |= matches(entry, i);
    }
    return found != 0;
  }
  /// The first slot of the bucket that holds the fingerprint, which 0 is for a free one.
  [[nodiscard]] std::optional<std::uint64_t> slot_with(const Entry& entry) const noexcept;
  [[nodiscard]] bool holds(std::uint64_t word) const noexcept {
    const Entry entry = entry_of(word);
    const Entry other{entry.fingerprint, other_bucket(entry)};
    const bool is_victim = entry.fingerprint == victim_.fingerprint &&
                           (entry.bucket == victim_.bucket || other.bucket == victim_.bucket);
    // Both are read: which one has a present key cannot be foreseen.
    return static_cast<int>(in_bucket(entry)) + static_cast<int>(in_bucket(other)) +
               static_cast<int>(is_victim) !=
           0;
  }
  template <class Use>
  void for_each_word(const DigestBatch& digests, const Use& use) const;
  bool place(const Entry& entry) noexcept;
  bool take_out(const Entry& entry) noexcept;
  bool remove_word(std::uint64_t word) noexcept;
  [[gnu::noinline]] void insert_word(std::uint64_t word) noexcept;
  void displace(Entry entry) noexcept;
  [[nodiscard]] std::uint64_t reported_pairs() const noexcept;

  Parameters parameters_;
  PackedArray table_;
  std::uint64_t together_;     // slots of a bucket that 64 bits hold, a power of two
  std::uint64_t lowest_bits_;  // of each of them
  Entry victim_;
  std::uint64_t stored_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t moves_ = 0;  // so far: which slot of a bucket goes next
};

}  // namespace bloomlab
