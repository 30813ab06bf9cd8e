#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "analysis/claims/claim.hpp"
#include "core/bits/bit_array.hpp"
#include "core/catalogue.hpp"
#include "core/hash/hasher.hpp"
#include "core/keys/key_batch.hpp"
#include "core/theory/standard.hpp"
#include "planner/plan.hpp"
#include "planner/units.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis::claims {
namespace {

/// Independent positions, so that closed forms hold.
Probe ideal_probe() { return Probe::of<Independent, MultiplyShift>(); }

/// Digests of the keys first .. first + count - 1, for k independent probes.
class NumberedKeys {
 public:
  NumberedKeys(std::uint64_t first, std::uint64_t count, int k, std::uint64_t seed = 1)
      : keys_(count) {
    std::iota(keys_.begin(), keys_.end(), first);
    digests_ = Hasher::of<XxHash3_64>().digest(KeyBatch::integers(keys_, 8), seed,
                                               ideal_probe().need(k), buffer_);
  }
  NumberedKeys(const NumberedKeys&) = delete;
  NumberedKeys& operator=(const NumberedKeys&) = delete;

  [[nodiscard]] const DigestBatch& digests() const { return digests_; }

 private:
  std::vector<std::uint64_t> keys_;
  DigestBuffer buffer_;
  DigestBatch digests_;
};

/// A filter that holds these keys.
Standard filled(const Standard::Parameters& parameters, const NumberedKeys& keys) {
  Standard filter(parameters, ideal_probe());
  filter.insert(keys.digests());
  return filter;
}

/// "12 of 34 what".
std::string share_text(std::uint64_t part, std::uint64_t whole, const std::string& what) {
  std::string text = std::to_string(part);
  return text.append(" of ").append(std::to_string(whole)).append(" ").append(what);
}

// Bits, positions and answers.

constexpr Standard::Parameters usual_filter{.m = 10240, .k = 7};
constexpr std::uint64_t usual_keys = 1024;
constexpr std::uint64_t lookups = 100'000;

/// How many keys that were never inserted a filter with the usual keys and k probes reports.
std::uint64_t false_positives(std::uint64_t k) {
  const auto probes = static_cast<int>(k);
  const NumberedKeys absent(1'000'000, lookups, probes);
  return filled({.m = usual_filter.m, .k = k}, NumberedKeys(0, usual_keys, probes))
      .count_contained(absent.digests());
}

Observed starts_empty() {
  const Standard filter(usual_filter, ideal_probe());
  const std::uint64_t set = filter.state().bits_set;
  const bool nothing = filter.count_contained(NumberedKeys(0, usual_keys, 7).digests()) == 0;
  return {set == 0 && nothing, share_text(set, usual_filter.m, "bits set")};
}

Observed insert_is_idempotent() {
  const NumberedKeys keys(0, usual_keys, 7);
  const Standard once = filled(usual_filter, keys);
  Standard twice = filled(usual_filter, keys);
  twice.insert(keys.digests());
  const std::uint64_t set = twice.state().bits_set;
  const bool few = set <= usual_filter.k * usual_keys && set > 0;
  return {std::ranges::equal(once.bits().words(), twice.bits().words()) && few,
          std::to_string(set) + " bits set after one and after two inserts of every key"};
}

Observed no_false_negatives() {
  std::uint64_t lost = 0;
  std::uint64_t asked = 0;
  for (const std::uint64_t m : {1U, 63U, 64U, 1000U, 10240U}) {
    for (const std::uint64_t k : {1U, 3U, 7U, 16U}) {
      const NumberedKeys keys(0, usual_keys, static_cast<int>(k));
      lost += usual_keys - filled({m, k}, keys).count_contained(keys.digests());
      asked += usual_keys;
    }
  }
  return {lost == 0, share_text(lost, asked, "inserted keys lost")};
}

Observed false_positives_happen() {
  const std::uint64_t reported = false_positives(7);
  return {reported > 0 && reported < lookups,
          share_text(reported, lookups, "absent keys reported")};
}

Observed answers_absent_or_maybe() {
  const Observed inserted = no_false_negatives();
  const Observed absent = false_positives_happen();
  return {inserted.holds && absent.holds, inserted.seen + ", " + absent.seen};
}

Observed positions_in_range() {
  constexpr std::uint64_t m = 1000;
  const NumberedKeys keys(0, usual_keys, 7);
  PositionBuffer buffer;
  const PositionBatch positions = ideal_probe().positions(keys.digests(), m, 7, buffer);
  std::set<std::uint64_t> met;
  for (int i = 0; i < positions.k; ++i) {
    met.insert(positions.probe(i).begin(), positions.probe(i).end());
  }
  return {*met.rbegin() < m && met.size() > m / 2,
          share_text(met.size(), m, "positions met, none outside")};
}

Observed more_probes_share_less() {
  const std::uint64_t one = false_positives(1);
  const std::uint64_t four = false_positives(4);
  return {four < one, share_text(one, lookups, "absent keys reported with one probe, ") +
                          std::to_string(four) + " with four"};
}

Observed two_hashes_make_all() {
  constexpr std::uint64_t m = 1000;
  constexpr int k = 7;
  const NumberedKeys keys(0, usual_keys, 2);
  PositionBuffer buffer;
  const PositionBatch positions =
      Probe::of<DoubleHashing, Modulo>().positions(keys.digests(), m, k, buffer);
  std::uint64_t even = 0;
  for (std::size_t key = 0; key < usual_keys; ++key) {
    const std::uint64_t step = (positions.probe(1)[key] + m - positions.probe(0)[key]) % m;
    bool all = true;
    for (int i = 2; i < k; ++i) {
      all = all && (positions.probe(i - 1)[key] + step) % m == positions.probe(i)[key];
    }
    even += all ? 1 : 0;
  }
  return {even == usual_keys, share_text(even, usual_keys, "keys with positions in even steps")};
}

Observed seeds_give_other_positions() {
  const Standard filter = filled(usual_filter, NumberedKeys(0, usual_keys, 7));
  const std::uint64_t same = filter.count_contained(NumberedKeys(0, usual_keys, 7).digests());
  const std::uint64_t other = filter.count_contained(NumberedKeys(0, usual_keys, 7, 2).digests());
  return {same == usual_keys && other < usual_keys / 10,
          share_text(same, usual_keys, "keys found with their seed, ") + std::to_string(other) +
              " with another"};
}

Observed memory_is_constant() {
  const std::uint64_t before = Standard(usual_filter, ideal_probe()).state().memory_bits;
  const Standard full = filled(usual_filter, NumberedKeys(0, 100 * usual_keys, 7));
  const std::uint64_t after = full.state().memory_bits;
  return {before == after, std::to_string(before) + " bits empty, " + std::to_string(after) +
                               " with " + std::to_string(full.inserted()) + " keys"};
}

/// Bits 1, 4, 7 and 3, 4, 8 are set: a key at 1, 5, 8 is absent, one at 1, 3, 8 is reported.
Observed trace_of_the_slides() {
  BitArray bits(10);
  for (const std::uint64_t at : {1U, 4U, 7U, 3U, 4U, 8U}) bits.set(at);
  const auto reported = [&](std::initializer_list<std::uint64_t> positions) {
    return std::ranges::all_of(positions, [&](std::uint64_t at) { return bits.test(at); });
  };
  const bool holds = reported({1, 4, 7}) && reported({3, 4, 8}) && !reported({1, 5, 8}) &&
                     reported({1, 3, 8}) && bits.popcount() == 5 && !bits.test(5);
  return {holds, std::to_string(bits.popcount()) + " bits set, bit 5 clear"};
}

// Deletion, counters and smaller filters.

constexpr std::uint64_t counted_keys = 1000;
constexpr Counting::Parameters counted_filter{.m = 10000, .k = 7};

/// The bits of `filter` without those of the keys.
BitArray without(const Standard& filter, const NumberedKeys& keys) {
  PositionBuffer buffer;
  const auto k = static_cast<int>(filter.parameters().k);
  const PositionBatch positions =
      ideal_probe().positions(keys.digests(), filter.parameters().m, k, buffer);
  BitArray bits(filter.bits().size());
  bits.merge(filter.bits());
  for (int i = 0; i < k; ++i) {
    for (const std::uint64_t at : positions.probe(i)) {
      bits.writable_words()[at / 64] &= ~(std::uint64_t{1} << (at % 64));
    }
  }
  return bits;
}

/// A filter of m bits made from hash values that were kept: each is taken modulo m.
Standard rebuilt(std::uint64_t m, const NumberedKeys& keys) {
  Standard filter({.m = m, .k = 7}, Probe::of<Independent, Modulo>());
  filter.insert(keys.digests());
  return filter;
}

Observed clearing_bits_loses_inserted_keys() {
  constexpr Standard::Parameters parameters{.m = 10000, .k = 7};
  const NumberedKeys deleted(0, 100, 7);
  const NumberedKeys kept(100, counted_keys, 7);
  Standard filter = filled(parameters, deleted);
  filter.insert(kept.digests());
  const Standard after(parameters, ideal_probe(), without(filter, deleted), filter.inserted());
  const std::uint64_t lost = counted_keys - after.count_contained(kept.digests());
  return {lost > 0,
          share_text(lost, counted_keys, "other inserted keys lost by clearing the bits of 100")};
}

Observed counters_allow_deleting() {
  const NumberedKeys deleted(0, 100, 7);
  const NumberedKeys kept(100, counted_keys, 7);
  Counting filter(counted_filter, ideal_probe());
  filter.insert(deleted.digests());
  filter.insert(kept.digests());
  const std::uint64_t gone = filter.remove(deleted.digests());
  Counting fresh(counted_filter, ideal_probe());
  fresh.insert(kept.digests());
  const std::uint64_t lost = counted_keys - filter.count_contained(kept.digests());
  const bool same =
      filter.state().bits_set == fresh.state().bits_set &&
      filter.count_contained(deleted.digests()) == fresh.count_contained(deleted.digests());
  return {gone == 100 && lost == 0 && same && filter.overflows() == 0,
          "100 keys deleted, " + share_text(lost, counted_keys, "others lost")};
}

Observed sixteen_copies_overflow() {
  const NumberedKeys key(0, 1, 7);
  Counting filter(counted_filter, ideal_probe());
  for (int copy = 1; copy <= 15; ++copy) filter.insert(key.digests());
  const std::uint64_t before = filter.overflows();
  filter.insert(key.digests());
  const std::uint64_t after = filter.overflows();
  return {before == 0 && after > 0, std::to_string(before) + " overflows after 15 copies, " +
                                        std::to_string(after) + " after 16"};
}

Observed spectral_counts_at_least() {
  constexpr std::uint64_t most = 5;
  Spectral filter({.m = 7000, .k = 5}, ideal_probe());
  for (std::uint64_t copy = 0; copy < most; ++copy) {
    // Key i comes once for every copy number below 1 + i mod 5.
    for (std::uint64_t key = 0; key < counted_keys; ++key) {
      if (copy <= key % most) filter.insert(NumberedKeys(key, 1, 5).digests());
    }
  }
  const NumberedKeys keys(0, counted_keys, 5);
  std::vector<std::uint64_t> times(counted_keys);
  filter.frequency(keys.digests(), times);
  std::uint64_t below = 0;
  std::uint64_t exact = 0;
  for (std::uint64_t key = 0; key < counted_keys; ++key) {
    below += times[key] < 1 + key % most ? 1 : 0;
    exact += times[key] == 1 + key % most ? 1 : 0;
  }
  return {below == 0 && exact > counted_keys / 2,
          share_text(exact, counted_keys, "frequencies exact, none too low")};
}

Observed rebuilding_keeps_inserted_keys() {
  const NumberedKeys keys(0, counted_keys, 7);
  std::uint64_t lost = 0;
  for (const std::uint64_t smaller : {10000U, 9973U, 7000U}) {
    lost += counted_keys - rebuilt(smaller, keys).count_contained(keys.digests());
  }
  return {lost == 0, share_text(lost, 3 * counted_keys, "inserted keys lost")};
}

Observed rebuilding_fits_any_size() {
  // The rate of one filter varies from one to the next; theory says how much.
  constexpr double allowed = 4;
  const NumberedKeys keys(0, counted_keys, 7);
  double worst = 0;
  for (std::uint64_t smaller = 7001; smaller < 20000; smaller += 1000) {
    const double rate = rebuilt(smaller, keys).state().conditional_rate;
    const double expected = theory::exact_fpr(smaller, counted_keys, 7);
    const double spread = theory::sd_conditional_fpr(smaller, counted_keys, 7);
    worst = std::max(worst, std::abs(rate - expected) / spread);
  }
  return {worst < allowed,
          "at most " + significant(worst, 2) + " standard deviations off at 13 sizes"};
}

// The planner, units, and what is no Bloom filter.

Observed planner_needs_n_and_p() {
  planner::Request request;
  request.n = 4000;
  request.p = 1e-7;
  const planner::Plan plan = planner::plan(request);
  return {plan.rate <= 1e-7 && plan.m > 0 && plan.k > 0, "m = " + std::to_string(plan.m) +
                                                             ", k = " + std::to_string(plan.k) +
                                                             ", rate " + significant(plan.rate, 6)};
}

Observed units_are_understood() {
  using namespace planner;
  const bool holds =
      parse_count("n", "10M", "keys") == 10'000'000 && parse_count("n", "1.5k", "keys") == 1500 &&
      parse_probability("p", "1 in 1000000") == 1e-6 && parse_memory("m", "1KB") == 8000 &&
      parse_memory("m", "1KiB") == 8192 && parse_memory("m", "1MB") == 8'000'000 &&
      parse_memory("m", "1Mb") == 1'000'000 && parse_memory("m", "1GiB") == std::uint64_t{8} << 30;
  return {holds, "10M, 1.5k, 1 in 1000000, KB, KiB, MB, Mb, GiB"};
}

Observed md5_has_128_bits() {
  return {Md5::digest_bits == 128 && sizeof(Md5::Digest) == 16,
          std::to_string(Md5::digest_bits) + " bits, " + std::to_string(Md5::digest_bits / 4) +
              " hexadecimal digits"};
}

Observed md5_collides() {
  // Wang, Feng, Lai, Yu 2004, "Collisions for hash functions MD4, MD5, HAVAL-128 and RIPEMD": the
  // second text differs from the first in the highest bit of six bytes.
  constexpr std::array<std::uint64_t, 16> words = {
      0xd131dd02c5e6eec4, 0x693d9a0698aff95c, 0x2fcab58712467eab, 0x4004583eb8fb7f89,
      0x55ad340609f4b302, 0x83e488832571415a, 0x085125e8f7cdc99f, 0xd91dbdf280373c5b,
      0xd8823e3156348f5b, 0xae6dacd436c919c6, 0xdd53e2b487da03fd, 0x02396306d248cda0,
      0xe99f33420f577ee8, 0xce54b67080a80d1e, 0xc69821bcb6a88393, 0x96f9652b6ff72a70};
  constexpr std::array<std::size_t, 6> differing = {19, 45, 59, 83, 109, 123};
  std::array<std::byte, 128> text{};
  for (std::size_t i = 0; i < text.size(); ++i) {
    text[i] = static_cast<std::byte>(words[i / 8] >> (56 - 8 * (i % 8)));
  }
  std::array<std::byte, 128> other = text;
  for (const std::size_t at : differing) other[at] ^= std::byte{0x80};
  const bool equal = Md5::digest(text, 0) == Md5::digest(other, 0);
  const bool tells_others = Md5::digest(text, 0) != Md5::digest(std::span(text).first(127), 0);
  return {equal && text != other && tells_others,
          "two texts of 128 bytes, different in 6, with one MD5"};
}

/// The bytes that hexadecimal digits say.
std::vector<std::byte> bytes_of(std::string_view digits) {
  const auto value = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(16 * value(digits[i]) + value(digits[i + 1])));
  }
  return bytes;
}

Observed sha1_collides() {
  // Stevens, Bursztein, Karpman, Albertini, Markov 2017, "The first collision for full SHA-1": the
  // beginnings of two documents, equal up to their last two blocks of 64 bytes.
  constexpr std::string_view beginning =
      "255044462d312e330a25e2e3cfd30a0a0a312030206f626a0a3c3c2f57696474682032203020522f486569676874"
      "2033203020522f547970652034203020522f537562747970652035203020522f46696c7465722036203020522f43"
      "6f6c6f7253706163652037203020522f4c656e6774682038203020522f42697473506572436f6d706f6e656e7420"
      "383e3e0a73747265616d0affd8fffe00245348412d3120697320646561642121212121852fec092339759c39b1a1"
      "c63c4c97e1fffe01";
  constexpr std::string_view blocks =
      "7f46dc93a6b67e013b029aaa1db2560b45ca67d688c7f84b8c4c791fe02b3df614f86db1690901c56b45c1530afe"
      "dfb76038e972722fe7ad728f0e4904e046c230570fe9d41398abe12ef5bc942be33542a4802d98b5d70f2a332ec3"
      "7fac3514e74ddc0f2cc1a874cd0c78305a21566461309789606bd0bf3f98cda8044629a1";
  constexpr std::string_view other_blocks =
      "7346dc9166b67e118f029ab621b2560ff9ca67cca8c7f85ba84c79030c2b3de218f86db3a90901d5df45c14f26fe"
      "dfb3dc38e96ac22fe7bd728f0e45bce046d23c570feb141398bb552ef5a0a82be331fea48037b8b5d71f0e332edf"
      "93ac3500eb4ddc0decc1a864790c782c76215660dd309791d06bd0af3f98cda4bc4629b1";
  const auto text = bytes_of(std::string(beginning).append(blocks));
  const auto other = bytes_of(std::string(beginning).append(other_blocks));
  std::size_t differing = 0;
  for (std::size_t i = 0; i < text.size(); ++i) differing += text[i] != other[i] ? 1 : 0;
  const bool equal = Sha1::digest(text, 0) == Sha1::digest(other, 0);
  const bool tells_others = Sha1::digest(text, 0) != Sha1::digest(std::span(text).first(319), 0);
  return {equal && differing != 0 && tells_others,
          "two texts of " + std::to_string(text.size()) + " bytes, different in " +
              std::to_string(differing) + ", with one SHA-1"};
}

Observed bitmap_is_exact() {
  constexpr std::uint64_t range = 10000;
  DirectBitmap bitmap({range});
  std::vector<std::uint64_t> members;
  std::vector<std::uint64_t> absent_keys;
  for (std::uint64_t key = 0; key < range; ++key)
    (key % 3 == 0 ? members : absent_keys).push_back(key);
  bitmap.insert(KeyBatch::integers(members, 8));
  const std::uint64_t found = bitmap.count_contained(KeyBatch::integers(members, 8));
  const std::uint64_t wrong = bitmap.count_contained(KeyBatch::integers(absent_keys, 8));
  return {found == members.size() && wrong == 0 && bitmap.state().bits == range,
          share_text(wrong, absent_keys.size(), "absent keys reported")};
}

}  // namespace

std::span<const Property> properties() {
  static constexpr Property all[] = {
      {"starts_empty", starts_empty},
      {"insert_is_idempotent", insert_is_idempotent},
      {"no_false_negatives", no_false_negatives},
      {"false_positives_happen", false_positives_happen},
      {"answers_absent_or_maybe", answers_absent_or_maybe},
      {"positions_in_range", positions_in_range},
      {"more_probes_share_less", more_probes_share_less},
      {"two_hashes_make_all", two_hashes_make_all},
      {"seeds_give_other_positions", seeds_give_other_positions},
      {"memory_is_constant", memory_is_constant},
      {"trace_of_the_slides", trace_of_the_slides},
      {"clearing_bits_loses_inserted_keys", clearing_bits_loses_inserted_keys},
      {"counters_allow_deleting", counters_allow_deleting},
      {"sixteen_copies_overflow", sixteen_copies_overflow},
      {"spectral_counts_at_least", spectral_counts_at_least},
      {"rebuilding_keeps_inserted_keys", rebuilding_keeps_inserted_keys},
      {"rebuilding_fits_any_size", rebuilding_fits_any_size},
      {"planner_needs_n_and_p", planner_needs_n_and_p},
      {"units_are_understood", units_are_understood},
      {"md5_has_128_bits", md5_has_128_bits},
      {"md5_collides", md5_collides},
      {"sha1_collides", sha1_collides},
      {"bitmap_is_exact", bitmap_is_exact},
  };
  return all;
}

}  // namespace bloomlab::analysis::claims
