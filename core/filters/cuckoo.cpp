#include "core/filters/cuckoo.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "core/bits/bit_array.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/one_word.hpp"
#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"
#include "core/require_places.hpp"
#include "core/simd/batch_tuning.hpp"
#include "core/theory/peers.hpp"

namespace bloomlab {
namespace {

/// Sizes of a bucket that filters are made with; a single slot is filled to a half only.
constexpr std::array<std::uint64_t, 3> bucket_sizes = {2, 4, 8};

/// The share of the slots of a large table that can be filled.
/// Source: Fan, Andersen, Kaminsky, Mitzenmacher 2014, "Cuckoo filter".
double load_of(std::uint64_t bucket_size) {
  switch (bucket_size) {
    case 1:
      return 0.48;
    case 2:
      return 0.84;
    case 4:
      return 0.95;
    default:
      return 0.98;
  }
}

/// The smallest power of two of buckets that n keys fit into; 0 beyond the largest table.
std::uint64_t buckets_for(std::uint64_t n, std::uint64_t bucket_size) {
  std::uint64_t buckets = 1;
  while (buckets <= Cuckoo::max_buckets &&
         Cuckoo::most_keys(
             {.fingerprint_bits = 8, .bucket_size = bucket_size, .buckets = buckets}) < n) {
    buckets *= 2;
  }
  return buckets <= Cuckoo::max_buckets ? buckets : 0;
}

/// Fewest bits of a fingerprint with which such a table fills up. The second bucket of a key is one
/// of 2^f - 1, by its fingerprint: with too few of them the buckets fall into groups, and a group
/// overflows. Of 24 975 tables of 2^4 to 2^23 buckets 22 refused one of their most_keys() keys, all
/// of them tables below 10 000 slots. With one bit less the one of 2^23 buckets of four slots did.
std::uint64_t narrowest_fingerprint(std::uint64_t bucket_size, std::uint64_t buckets) {
  const auto doublings = static_cast<std::uint64_t>(std::bit_width(buckets));
  const std::uint64_t others = Cuckoo::max_bucket_size * 2 / bucket_size * doublings;
  return std::max(static_cast<std::uint64_t>(std::bit_width(others - 1)),
                  detail::narrowest_fingerprint);
}

std::uint64_t lowest_bits(std::uint64_t numbers, std::uint64_t width) {
  std::uint64_t bits = 0;
  for (std::uint64_t i = 0; i < numbers; ++i) bits |= std::uint64_t{1} << (i * width);
  return bits;
}

}  // namespace

std::vector<Cuckoo::Parameters> Cuckoo::examples() {
  return {{.fingerprint_bits = 8, .bucket_size = 4, .buckets = 512},
          {.fingerprint_bits = 12, .bucket_size = 4, .buckets = 1024},
          {.fingerprint_bits = 7, .bucket_size = 2, .buckets = 1024},
          {.fingerprint_bits = 16, .bucket_size = 8, .buckets = 256},
          {.fingerprint_bits = 32, .bucket_size = 1, .buckets = 4096}};
}

std::optional<std::string> Cuckoo::check(const Parameters& p) {
  if (auto fault = detail::range_fault<Cuckoo>(p, "fingerprint_bits")) return fault;
  if (p.bucket_size > max_bucket_size || !std::has_single_bit(p.bucket_size)) {
    return std::string(name) + ": bucket_size is " + std::to_string(p.bucket_size) +
           "; it must be 1, 2, 4 or 8";
  }
  return detail::power_of_two_fault(name, "buckets", p.buckets, 1, max_buckets);
}

// A small table fills less evenly: by the square root of its slots.
std::uint64_t Cuckoo::most_keys(const Parameters& p) noexcept {
  const auto slots = static_cast<double>(p.buckets * p.bucket_size);
  return static_cast<std::uint64_t>(
      std::max(load_of(p.bucket_size) * slots - std::sqrt(slots), 1.0));
}

std::uint64_t Cuckoo::memory_bits(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return PackedArray::memory_bits_for(p.buckets * p.bucket_size,
                                      static_cast<unsigned>(p.fingerprint_bits));
}

theory::Query Cuckoo::prediction(const Parameters& p, std::uint64_t n) {
  return {
      "cuckoo",
      {{"f_bits", p.fingerprint_bits}, {"slots", p.bucket_size}, {"buckets", p.buckets}, {"n", n}}};
}

double Cuckoo::rate(const Parameters& p, std::uint64_t n) {
  return theory::cuckoo_fpr_of_keys(p.fingerprint_bits, p.bucket_size, p.buckets, n);
}

Sizing<Cuckoo::Parameters> Cuckoo::sizing(const SizingGoal& goal) {
  Sizing<Parameters> sizing{.traits = {.deletes = true},
                            .false_negatives = "once it is full it refuses keys",
                            .note = "a power of two of buckets"};
  for (const std::uint64_t slots : bucket_sizes) {
    const std::uint64_t buckets = buckets_for(goal.n, slots);
    if (buckets == 0) continue;
    const auto make = [slots, buckets](std::uint64_t width) {
      return Parameters{.fingerprint_bits = width, .bucket_size = slots, .buckets = buckets};
    };
    sizing.shapes.push_back({narrowest_fingerprint(slots, buckets), max_fingerprint_bits, make});
  }
  if (sizing.shapes.empty()) sizing.unavailable = "takes fewer keys";
  return sizing;
}

LinesRead Cuckoo::lines(const Parameters& p, std::uint64_t /*n*/) {
  const std::uint64_t bucket = p.bucket_size * p.fingerprint_bits;
  const double both = 2.0 * run_lines(bucket, bucket);
  return {both, both};
}

Cuckoo::Cuckoo(const Parameters& p)
    : parameters_(detail::require(p, check(p))),
      table_(p.buckets * p.bucket_size, static_cast<unsigned>(p.fingerprint_bits)),
      together_(std::bit_floor(std::min(p.bucket_size, 64 / p.fingerprint_bits))),
      lowest_bits_(lowest_bits(together_, p.fingerprint_bits)) {}

std::optional<std::uint64_t> Cuckoo::slot_with(const Entry& entry) const noexcept {
  for (std::uint64_t first = 0; first < parameters_.bucket_size; first += together_) {
    const std::uint64_t found = matches(entry, first);
    if (found == 0) continue;
    const auto bit = static_cast<unsigned>(std::countr_zero(found));
    return slot(entry.bucket, first + bit / static_cast<unsigned>(parameters_.fingerprint_bits));
  }
  return std::nullopt;
}

// Puts the fingerprint into a free slot of this bucket; false where there is none.
bool Cuckoo::place(const Entry& entry) noexcept {
  const auto free = slot_with({0, entry.bucket});
  if (free) table_.set(*free, entry.fingerprint);
  return free.has_value();
}

void Cuckoo::insert_word(std::uint64_t word) noexcept {
  const Entry entry = entry_of(word);
  const Entry other{entry.fingerprint, other_bucket(entry)};
  if (place(entry) || place(other)) {
    ++stored_;
  } else if (victim_.fingerprint == 0) {
    ++stored_;
    displace(other);
  } else {
    ++refused_;
  }
}

// Makes room by moving fingerprints to their other buckets; the last one without room becomes the
// victim.
void Cuckoo::displace(Entry entry) noexcept {
  for (int move = 0; move < max_moves; ++move) {
    // Any slot will do that does not repeat in step with the buckets.
    const std::uint64_t i = detail::remix(moves_++, entry.bucket) & (parameters_.bucket_size - 1);
    const std::uint64_t at = slot(entry.bucket, i);
    const std::uint64_t driven_out = table_.get(at);
    table_.set(at, entry.fingerprint);
    entry = {driven_out, other_bucket({driven_out, entry.bucket})};
    if (place(entry)) return;
  }
  victim_ = entry;
}

// Calls use(word, j) for every key j, with both of its buckets asked for some keys ahead where no
// near cache holds the table.
template <class Use>
void Cuckoo::for_each_word(const DigestBatch& digests, const Use& use) const {
  if (digests.size == 0) return;
  const std::span<const std::uint64_t> words = digests.word(0);
  const std::size_t ahead = BatchTuning{}.lookahead(table_.memory_bits() / 8);
  const auto ask = [&](std::uint64_t word) __attribute__((always_inline)) {
    const Entry entry = entry_of(word);
    table_.prefetch(slot(entry.bucket, 0));
    table_.prefetch(slot(other_bucket(entry), 0));
  };
  if (ahead == 0) {
    for (std::size_t j = 0; j < words.size(); ++j) use(words[j], j);
    return;
  }
  for (const std::uint64_t word : words.first(std::min(ahead, words.size()))) ask(word);
  for (std::size_t j = 0; j < words.size(); ++j) {
    if (words.size() - j > ahead) ask(words[j + ahead]);
    use(words[j], j);
  }
}

void Cuckoo::insert(const DigestBatch& digests) {
  for_each_word(digests, [this](std::uint64_t word, std::size_t /*j*/) { insert_word(word); });
}

// Frees a slot of this bucket that has the fingerprint; false where none has.
bool Cuckoo::take_out(const Entry& entry) noexcept {
  const auto found = slot_with(entry);
  if (found) table_.set(*found, 0);
  return found.has_value();
}

bool Cuckoo::remove_word(std::uint64_t word) noexcept {
  const Entry entry = entry_of(word);
  if (!take_out(entry) && !take_out({entry.fingerprint, other_bucket(entry)})) {
    if (!holds(word)) return false;  // the victim is not this key either
    victim_ = {};
    --stored_;
    return true;
  }
  --stored_;
  if (victim_.fingerprint == 0) return true;
  // Now there is room for the victim, if not in its own buckets.
  const Entry waiting = std::exchange(victim_, {});
  const Entry other{waiting.fingerprint, other_bucket(waiting)};
  if (!place(waiting) && !place(other)) displace(other);
  return true;
}

std::uint64_t Cuckoo::remove(const DigestBatch& digests) {
  std::uint64_t removed = 0;
  if (digests.size == 0) return removed;
  for (const std::uint64_t word : digests.word(0)) removed += remove_word(word) ? 1 : 0;
  return removed;
}

void Cuckoo::contains(const DigestBatch& digests, std::span<Answer> out) const {
  detail::require_places(digests.size, out.size());
  for_each_word(digests, [&](std::uint64_t word, std::size_t j) {
    out[j] = holds(word) ? Answer::maybe : Answer::absent;
  });
}

std::uint64_t Cuckoo::count_contained(const DigestBatch& digests) const {
  std::uint64_t count = 0;
  for_each_word(digests,
                [&](std::uint64_t word, std::size_t /*j*/) { count += holds(word) ? 1 : 0; });
  return count;
}

// Pairs (bucket, fingerprint) that an absent key could have and that are reported: every
// fingerprint held is found from its own bucket and from its other one.
std::uint64_t Cuckoo::reported_pairs() const noexcept {
  std::uint64_t pairs = 0;
  const auto count = [&](const Entry& entry) {
    pairs += other_bucket(entry) == entry.bucket ? 1 : 2;
  };
  for (std::uint64_t bucket = 0; bucket < parameters_.buckets; ++bucket) {
    for (std::uint64_t i = 0; i < parameters_.bucket_size; ++i) {
      const Entry entry{table_.get(slot(bucket, i)), bucket};
      if (entry.fingerprint == 0) continue;
      bool counted = false;
      for (std::uint64_t before = 0; before < i; ++before) {
        counted |= table_.get(slot(bucket, before)) == entry.fingerprint;
      }
      const Entry other{entry.fingerprint, other_bucket(entry)};
      counted |= other.bucket < bucket && in_bucket(other);
      if (!counted) count(entry);
    }
  }
  const Entry other{victim_.fingerprint, other_bucket(victim_)};
  if (victim_.fingerprint != 0 && !in_bucket(victim_) && !in_bucket(other)) count(victim_);
  return pairs;
}

FilterState Cuckoo::state() const {
  const std::uint64_t bits = table_.size() * table_.width();
  const std::uint64_t bits_set = count_set_bits(table_.words());
  const auto values = static_cast<double>((std::uint64_t{1} << parameters_.fingerprint_bits) - 1);
  const double rate =
      static_cast<double>(reported_pairs()) / (static_cast<double>(parameters_.buckets) * values);
  return {.bits = bits,
          .bits_set = bits_set,
          .memory_bits = table_.memory_bits(),
          .conditional_rate = rate,
          .layers = {{bits, bits_set, stored_, 2 * parameters_.bucket_size}},
          .refused = refused_};
}

void Cuckoo::clear() noexcept {
  table_.clear();
  victim_ = {};
  stored_ = 0;
  refused_ = 0;
  moves_ = 0;
}

}  // namespace bloomlab
