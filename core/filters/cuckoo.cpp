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
  const double one = run_lines(bucket, bucket);
  constexpr double buckets_read = 1.5;  // a present key is found in the first one half the time
  return {2.0 * one, buckets_read * one};
}

Cuckoo::Cuckoo(const Parameters& p)
    : parameters_(detail::require(p, check(p))),
      table_(p.buckets * p.bucket_size, static_cast<unsigned>(p.fingerprint_bits)) {}

// Puts the fingerprint into a free slot of this bucket; false where there is none.
bool Cuckoo::place(const Entry& entry) noexcept {
  for (std::uint64_t i = 0; i < parameters_.bucket_size; ++i) {
    if (table_.get(slot(entry.bucket, i)) != 0) continue;
    table_.set(slot(entry.bucket, i), entry.fingerprint);
    return true;
  }
  return false;
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

void Cuckoo::insert(const DigestBatch& digests) {
  if (digests.size == 0) return;
  for (const std::uint64_t word : digests.word(0)) insert_word(word);
}

// Frees a slot of this bucket that has the fingerprint; false where none has.
bool Cuckoo::take_out(const Entry& entry) noexcept {
  for (std::uint64_t i = 0; i < parameters_.bucket_size; ++i) {
    if (table_.get(slot(entry.bucket, i)) != entry.fingerprint) continue;
    table_.set(slot(entry.bucket, i), 0);
    return true;
  }
  return false;
}

bool Cuckoo::remove_word(std::uint64_t word) noexcept {
  const Entry entry = entry_of(word);
  if (!take_out(entry) && !take_out({entry.fingerprint, other_bucket(entry)})) {
    if (!is_victim(entry)) return false;
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
  detail::answer_each(digests, out, [this](std::uint64_t word) { return holds(word); });
}

std::uint64_t Cuckoo::count_contained(const DigestBatch& digests) const {
  return detail::count_each(digests, [this](std::uint64_t word) { return holds(word); });
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
