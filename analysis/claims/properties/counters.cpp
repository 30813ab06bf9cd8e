// Properties of deletion, of counters and of folding.

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/claims/properties.hpp"
#include "analysis/claims/properties/subject.hpp"
#include "analysis/format/number.hpp"
#include "core/bits/bit_array.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::analysis::claims {
namespace {

constexpr std::uint64_t counted_keys = 1000;
constexpr Counting::Parameters counted_filter{.m = 10000, .k = 7};

/// The bits of `filter` without those of the keys.
BitArray without(const Standard& filter, const NumberedKeys& keys) {
  PositionBuffer buffer;
  const auto k = static_cast<int>(filter.parameters().k);
  const PositionBatch positions =
      ideal_probe().positions(keys.digests(), filter.parameters().m, k, buffer);
  BitArray bits(filter.bits().size());
  bits.unite(filter.bits());
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

}  // namespace

Observed clearing_bits_loses_members() {
  constexpr Standard::Parameters parameters{.m = 10000, .k = 7};
  const NumberedKeys erased(0, 100, 7);
  const NumberedKeys kept(100, counted_keys, 7);
  Standard filter(parameters, ideal_probe());
  filter.insert(erased.digests());
  filter.insert(kept.digests());
  const Standard after(parameters, ideal_probe(), without(filter, erased), filter.inserted());
  const std::uint64_t lost = counted_keys - after.count_contained(kept.digests());
  return {lost > 0,
          share_text(lost, counted_keys, "other members lost by clearing the bits of 100")};
}

Observed counters_allow_erasing() {
  const NumberedKeys erased(0, 100, 7);
  const NumberedKeys kept(100, counted_keys, 7);
  Counting filter(counted_filter, ideal_probe());
  filter.insert(erased.digests());
  filter.insert(kept.digests());
  const std::uint64_t gone = filter.erase(erased.digests());
  Counting fresh(counted_filter, ideal_probe());
  fresh.insert(kept.digests());
  const std::uint64_t lost = counted_keys - filter.count_contained(kept.digests());
  const bool same =
      filter.state().bits_set == fresh.state().bits_set &&
      filter.count_contained(erased.digests()) == fresh.count_contained(erased.digests());
  return {gone == 100 && lost == 0 && same && filter.overflows() == 0,
          "100 keys erased, " + share_text(lost, counted_keys, "others lost")};
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

Observed folding_keeps_members() {
  const NumberedKeys keys(0, counted_keys, 7);
  Standard filter({.m = 20000, .k = 7}, ideal_probe());
  filter.insert(keys.digests());
  std::uint64_t lost = 0;
  for (const std::uint64_t smaller : {10000, 7000}) {
    const Folded folded = Folded::fold(filter, smaller);
    lost += counted_keys - folded.count_contained(keys.digests());
  }
  return {lost == 0, share_text(lost, 2 * counted_keys, "members lost")};
}

Observed rebuilding_keeps_members() {
  const NumberedKeys keys(0, counted_keys, 7);
  std::uint64_t lost = 0;
  for (const std::uint64_t smaller : {10000, 9973, 7000}) {
    lost += counted_keys - rebuilt(smaller, keys).count_contained(keys.digests());
  }
  return {lost == 0, share_text(lost, 3 * counted_keys, "members lost")};
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

}  // namespace bloomlab::analysis::claims
