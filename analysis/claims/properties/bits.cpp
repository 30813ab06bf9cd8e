// Properties of bits, positions and answers.

#include <algorithm>
#include <array>
#include <span>

#include "analysis/claims/properties.hpp"
#include "analysis/claims/properties/subject.hpp"
#include "core/bits/bit_array.hpp"

namespace bloomlab::analysis::claims {
namespace {

constexpr Standard::Parameters usual_filter{.m = 10240, .k = 7};
constexpr std::uint64_t usual_keys = 1024;
constexpr std::uint64_t first_stranger = 1'000'000;

bool equal_words(const BitArray& a, const BitArray& b) {
  return std::ranges::equal(a.words(), b.words());
}

/// Whether a key with these bits is reported.
bool all_set(const BitArray& bits, std::span<const std::uint64_t> positions) {
  return std::ranges::all_of(positions, [&](std::uint64_t at) { return bits.test(at); });
}

void set_all(BitArray& bits, std::span<const std::uint64_t> positions) {
  for (const std::uint64_t at : positions) bits.set(at);
}

}  // namespace

Observed starts_empty() {
  const Standard filter(usual_filter, ideal_probe());
  const NumberedKeys keys(0, usual_keys, 7);
  const std::uint64_t set = filter.state().bits_set;
  const std::uint64_t reported = filter.count_contained(keys.digests());
  return {set == 0 && reported == 0, share_text(set, usual_filter.m, "bits set")};
}

Observed insert_is_idempotent() {
  const NumberedKeys keys(0, usual_keys, 7);
  Standard filter(usual_filter, ideal_probe());
  filter.insert(keys.digests());
  Standard once(usual_filter, ideal_probe());
  once.unite(filter);
  filter.insert(keys.digests());
  const std::uint64_t set = filter.state().bits_set;
  const bool few = set <= usual_filter.k * usual_keys && set > 0;
  return {equal_words(once.bits(), filter.bits()) && few,
          std::to_string(set) + " bits set after one and after two inserts of every key"};
}

Observed no_false_negatives() {
  std::uint64_t lost = 0;
  std::uint64_t asked = 0;
  for (const std::uint64_t m : {1, 63, 64, 1000, 10240}) {
    for (const std::uint64_t k : {1, 3, 7, 16}) {
      const NumberedKeys keys(0, usual_keys, static_cast<int>(k));
      Standard filter({m, k}, ideal_probe());
      filter.insert(keys.digests());
      lost += usual_keys - filter.count_contained(keys.digests());
      asked += usual_keys;
    }
  }
  return {lost == 0, share_text(lost, asked, "members lost")};
}

Observed false_positives_happen() {
  const NumberedKeys keys(0, usual_keys, 7);
  const NumberedKeys strangers(first_stranger, 100'000, 7);
  Standard filter(usual_filter, ideal_probe());
  filter.insert(keys.digests());
  const std::uint64_t reported = filter.count_contained(strangers.digests());
  return {reported > 0 && reported < 100'000, share_text(reported, 100'000, "strangers reported")};
}

Observed answers_absent_or_maybe() {
  const Observed members = no_false_negatives();
  const Observed strangers = false_positives_happen();
  return {members.holds && strangers.holds, members.seen + ", " + strangers.seen};
}

Observed positions_in_range() {
  constexpr std::uint64_t m = 1000;
  const NumberedKeys keys(0, usual_keys, 7);
  PositionBuffer buffer;
  const PositionBatch positions = ideal_probe().positions(keys.digests(), m, 7, buffer);
  std::array<bool, m> met{};
  bool inside = true;
  for (int i = 0; i < positions.k; ++i) {
    for (const std::uint64_t at : positions.probe(i)) {
      inside = inside && at < m;
      if (at < m) met[at] = true;
    }
  }
  const auto count = static_cast<std::uint64_t>(std::ranges::count(met, true));
  return {inside && count > m / 2, share_text(count, m, "positions met, none outside")};
}

Observed more_probes_share_less() {
  const NumberedKeys strangers(first_stranger, 100'000, 4);
  std::array<std::uint64_t, 2> reported{};
  for (const std::uint64_t k : {1, 4}) {
    const NumberedKeys keys(0, usual_keys, 4);
    Standard filter({usual_filter.m, k}, ideal_probe());
    filter.insert(keys.digests());
    reported[k == 1 ? 0 : 1] = filter.count_contained(strangers.digests());
  }
  return {reported[1] < reported[0], share_text(reported[0], 100'000,
                                                "strangers reported with one "
                                                "probe, ") +
                                         std::to_string(reported[1]) + " with four"};
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
  Standard filter(usual_filter, ideal_probe());
  filter.insert(NumberedKeys(0, usual_keys, 7).digests());
  const std::uint64_t same = filter.count_contained(NumberedKeys(0, usual_keys, 7).digests());
  const std::uint64_t other = filter.count_contained(NumberedKeys(0, usual_keys, 7, 2).digests());
  return {same == usual_keys && other < usual_keys / 10,
          share_text(same, usual_keys, "keys found with their seed, ") + std::to_string(other) +
              " with another"};
}

Observed memory_is_constant() {
  Standard filter(usual_filter, ideal_probe());
  const std::uint64_t before = filter.state().memory_bits;
  for (std::uint64_t first = 0; first < 100 * usual_keys; first += usual_keys) {
    filter.insert(NumberedKeys(first, usual_keys, 7).digests());
  }
  const std::uint64_t after = filter.state().memory_bits;
  return {before == after && before == Standard::memory_bits(usual_filter, 100 * usual_keys),
          std::to_string(before) + " bits empty, " + std::to_string(after) + " with " +
              std::to_string(filter.inserted()) + " keys"};
}

Observed rate_grows_with_keys() {
  Standard filter(usual_filter, ideal_probe());
  double rate = -1;
  bool grows = true;
  for (std::uint64_t first = 0; first < 4 * usual_keys; first += usual_keys) {
    filter.insert(NumberedKeys(first, usual_keys, 7).digests());
    const double now = filter.state().conditional_rate;
    grows = grows && now > rate;
    rate = now;
  }
  return {grows, share_text(filter.state().bits_set, usual_filter.m, "bits set in the end")};
}

Observed trace_of_the_slides() {
  constexpr std::array<std::uint64_t, 3> first = {1, 4, 7};
  constexpr std::array<std::uint64_t, 3> second = {3, 4, 8};
  constexpr std::array<std::uint64_t, 3> absent = {1, 5, 8};
  constexpr std::array<std::uint64_t, 3> reported = {1, 3, 8};
  BitArray bits(10);
  set_all(bits, first);
  set_all(bits, second);
  const bool holds = bits.popcount() == 5 && !bits.test(5) && all_set(bits, first) &&
                     all_set(bits, second) && !all_set(bits, absent) && all_set(bits, reported);
  return {holds, std::to_string(bits.popcount()) + " bits set, bit 5 clear"};
}

}  // namespace bloomlab::analysis::claims
