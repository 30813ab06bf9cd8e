#include "experiments/mutants/judged_filters.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/filters/blocked.hpp"
#include "core/filters/partitioned.hpp"
#include "core/filters/scalable.hpp"
#include "core/filters/split_block.hpp"
#include "core/filters/standard.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "core/probe/double_hashing.hpp"
#include "core/reduction/modulo.hpp"
#include "experiments/mutants/bit_filter.hpp"
#include "experiments/mutants/composed.hpp"
#include "experiments/mutants/defective_families.hpp"
#include "experiments/mutants/defective_reductions.hpp"
#include "experiments/mutants/keyed_mutant.hpp"
#include "experiments/sources/key_buffer.hpp"

namespace bloomlab::experiments {
namespace {

using Made = std::unique_ptr<Implementation>;
using FilterMaker = decltype(JudgedFilter::make);

constexpr std::uint64_t first_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t split_block_probes = LaneBlocks::lanes;

// What is drawn.

std::uint64_t drawn_between(KeyedDraws& draws, std::uint64_t low, std::uint64_t high) {
  return low + draws.below(high - low + 1);
}

/// From 2^low to 2^high, each power of two as likely as the next.
std::uint64_t drawn_scale(KeyedDraws& draws, std::uint64_t low, std::uint64_t high) {
  const std::uint64_t power = std::uint64_t{1} << drawn_between(draws, low, high - 1);
  return power + draws.below(power);
}

/// share * value / 10^6, rounded, at least 1.
std::uint64_t millionths(std::uint64_t share, std::uint64_t value) {
  constexpr std::uint64_t million = 1'000'000;
  return std::max<std::uint64_t>(1, (share * value + million / 2) / million);
}

constexpr std::uint64_t ln2 = 693'147;          // of 10^6
constexpr std::uint64_t ln2_squared = 480'453;  // the same
constexpr std::uint64_t over_ln2 = 1'442'695;   // the same

std::uint64_t probes_for(std::uint64_t m, std::uint64_t n) {
  return std::max<std::uint64_t>(1, (ln2 * m / n + 500'000) / 1'000'000);
}

std::uint64_t in_whole(std::uint64_t m, std::uint64_t unit) { return (m + unit - 1) / unit * unit; }

struct DrawnSize {
  std::uint64_t n = 1;
  std::uint64_t m = 1;
  std::uint64_t k = 1;
  std::uint64_t queries = 1;
};

/// The same with m in whole units.
DrawnSize in_units(DrawnSize size, std::uint64_t unit) {
  size.m = in_whole(size.m, unit);
  size.k = probes_for(size.m, size.n);
  return size;
}

/// Thousands of keys, with 6 to 16 bits each.
DrawnSize large_size(KeyedDraws& draws) {
  DrawnSize size{.n = drawn_scale(draws, 12, 14)};
  size.m = size.n * drawn_between(draws, 600, 1600) / 100;
  size.queries = drawn_scale(draws, 12, 18);
  return in_units(size, 1);
}

/// Tens of keys, with 10 to 20 bits each, and more queries.
DrawnSize small_size(KeyedDraws& draws) {
  DrawnSize size{.n = drawn_between(draws, 20, 100)};
  size.m = size.n * drawn_between(draws, 1000, 2000) / 100;
  size.queries = drawn_scale(draws, 13, 18);
  return in_units(size, 1);
}

// How filters are made.

template <class Filter>
Made keyed_filter(Filter filter, DigestNeed need, std::uint64_t seed) {
  return std::make_unique<KeyedMutant<Filter>>(std::move(filter), need, seed);
}

Probe ideal_probe() { return Probe::of<Independent, MultiplyShift>(); }

FilterMaker standard_maker(std::uint64_t m, std::uint64_t k, const Probe& probe = ideal_probe()) {
  return [=](std::uint64_t /*n*/, std::uint64_t seed) {
    return keyed_filter(Standard({.m = m, .k = k}, probe), probe.need(static_cast<int>(k)), seed);
  };
}

FilterMaker partitioned_maker(std::uint64_t m, std::uint64_t k) {
  return [=](std::uint64_t /*n*/, std::uint64_t seed) {
    return keyed_filter(Partitioned({.m = m, .k = k}, ideal_probe()),
                        ideal_probe().need(static_cast<int>(k)), seed);
  };
}

FilterMaker blocked_maker(std::uint64_t m, std::uint64_t k, std::uint64_t block_bits) {
  return [=](std::uint64_t /*n*/, std::uint64_t seed) {
    return keyed_filter(Blocked({.m = m, .k = k, .block_bits = block_bits}), {.words = 1}, seed);
  };
}

FilterMaker split_block_maker(std::uint64_t m) {
  return [=](std::uint64_t /*n*/, std::uint64_t seed) {
    return keyed_filter(SplitBlock({.m = m}), {.words = 1}, seed);
  };
}

template <class Defect>
FilterMaker defective_maker(const DrawnSize& size) {
  return [=](std::uint64_t /*n*/, std::uint64_t seed) {
    const int k = static_cast<int>(size.k);
    using Filter = DefectiveBits<Defect>;
    return keyed_filter(Filter(size.m, k), Filter::need(k), seed);
  };
}

FilterMaker masked_maker(const DrawnSize& size, std::uint64_t mask) {
  const FilterMaker right = standard_maker(size.m, size.k);
  return [=](std::uint64_t n, std::uint64_t seed) -> Made {
    return std::make_unique<MaskedKeys>(right(n, seed), mask);
  };
}

FilterMaker several_maker(const DrawnSize& size, std::uint64_t filters) {
  return [=](std::uint64_t n, std::uint64_t seed) {
    std::vector<Standard> all;
    for (std::uint64_t i = 0; i < filters; ++i) {
      all.emplace_back(Standard::Parameters{.m = size.m, .k = size.k}, ideal_probe());
    }
    return keyed_filter(SeveralFilters(std::move(all), n),
                        ideal_probe().need(static_cast<int>(size.k)), seed);
  };
}

/// Said to be a standard filter of the drawn size.
JudgedFilter said_standard(const DrawnSize& size, FilterMaker make) {
  return {.said = {.kind = Standard::name, .m = size.m, .k = size.k, .planned = size.n},
          .n = size.n,
          .queries = size.queries,
          .make = std::move(make)};
}

/// The same with other keys.
JudgedFilter with_keys(const DrawnSize& size, const ComingKeys& keys) {
  JudgedFilter filter = said_standard(size, standard_maker(size.m, size.k));
  filter.keys = keys;
  return filter;
}

/// Said to be a standard filter with independent positions, and it has those of the probe.
JudgedFilter with_probe(const DrawnSize& size, const Probe& probe) {
  return said_standard(size, standard_maker(size.m, size.k, probe));
}

template <class Reduction>
JudgedFilter with_reduction(const DrawnSize& size) {
  return with_probe(size, Probe::of<Independent, Reduction>());
}

// The defects.

JudgedFilter draw_right(KeyedDraws& draws) {
  const DrawnSize size = in_units(large_size(draws), max_block_bits);
  JudgedFilter filter = said_standard(size, standard_maker(size.m, size.k));
  switch (draws.below(4)) {
    case 0:
      filter.said.kind = Partitioned::name;
      filter.make = partitioned_maker(size.m, size.k);
      break;
    case 1:
      filter.said.kind = Blocked::name;
      filter.said.block_bits = max_block_bits;
      filter.make = blocked_maker(size.m, size.k, max_block_bits);
      break;
    case 2:
      filter.said.kind = SplitBlock::name;
      filter.said.k = split_block_probes;
      filter.make = split_block_maker(size.m);
      break;
    default:
      break;
  }
  return filter;
}

JudgedFilter draw_hash_of_32_bits(KeyedDraws& draws) {
  DrawnSize size{.n = drawn_scale(draws, 16, 17)};
  size.m = 40 * size.n;
  size.queries = drawn_scale(draws, 17, 19);
  size = in_units(size, 1);
  return said_standard(size, masked_maker(size, 0xffffffffU));
}

JudgedFilter draw_short_hash(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  const std::uint64_t width = drawn_between(draws, 15, 22);
  return said_standard(size, masked_maker(size, (std::uint64_t{1} << width) - 1));
}

JudgedFilter draw_narrow_positions(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  switch (draws.below(3)) {
    case 0:
      return with_reduction<NarrowModulo<0>>(size);
    case 1:
      return with_reduction<NarrowModulo<1>>(size);
    default:
      return with_reduction<NarrowModulo<2>>(size);
  }
}

JudgedFilter draw_half_of_bits(KeyedDraws& draws) {
  return with_reduction<ShiftIn32Bits>(in_units(large_size(draws), 64));
}

/// Sizes with many zeros at the end, as people choose them: 3 MiB, 5 MiB.
JudgedFilter draw_mask(KeyedDraws& draws) {
  DrawnSize size = large_size(draws);
  constexpr std::array<std::uint64_t, 6> odd = {3, 5, 7, 9, 11, 13};
  size.m = odd[draws.below(odd.size())] << drawn_between(draws, 12, 13);
  size.n = std::max<std::uint64_t>(1, size.m * 100 / drawn_between(draws, 600, 1600));
  return with_reduction<MaskOfAnySize>(in_units(size, 1));
}

JudgedFilter draw_clamped(KeyedDraws& draws) {
  return with_reduction<ClampedRemainder>(large_size(draws));
}

JudgedFilter draw_power_of_two(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  const std::uint64_t m = draws.below(2) == 0 ? std::bit_floor(size.m) : std::bit_ceil(size.m);
  return said_standard(size, standard_maker(m, size.k));
}

JudgedFilter draw_size_formula(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  const std::array<std::uint64_t, 4> real = {millionths(ln2, size.m), millionths(over_ln2, size.m),
                                             size.m / 8, size.m * 8};
  return said_standard(size, standard_maker(real[draws.below(real.size())], size.k));
}

JudgedFilter draw_probe_more_or_less(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  const std::uint64_t k = draws.below(2) == 0 ? size.k - 1 : size.k + 1;
  return said_standard(size, standard_maker(size.m, k));
}

JudgedFilter draw_probes_by_ln2(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  const std::uint64_t twice = millionths(ln2_squared * size.m / size.n, 1);
  const std::uint64_t forgotten = (size.m + size.n / 2) / size.n;
  return said_standard(size, standard_maker(size.m, draws.below(2) == 0 ? twice : forgotten));
}

JudgedFilter draw_query_probe_missing(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  return said_standard(size, defective_maker<QueryProbeMissing>(size));
}

JudgedFilter draw_unsaid_blocks(KeyedDraws& draws) {
  const DrawnSize size = in_units(large_size(draws), max_block_bits);
  constexpr std::array<std::uint64_t, 4> block_bits = {64, 128, 256, 512};
  const std::uint64_t choice = draws.below(block_bits.size() + 1);
  return said_standard(size, choice == block_bits.size()
                                 ? split_block_maker(size.m)
                                 : blocked_maker(size.m, size.k, block_bits[choice]));
}

JudgedFilter draw_missing_blocks(KeyedDraws& draws) {
  const DrawnSize size = in_units(large_size(draws), max_block_bits);
  JudgedFilter filter = said_standard(size, standard_maker(size.m, size.k));
  filter.said.kind = Blocked::name;
  filter.said.block_bits = draws.below(2) == 0 ? 64 : max_block_bits;
  return filter;
}

JudgedFilter draw_any_stride(KeyedDraws& draws) {
  return with_probe(small_size(draws), Probe::of<DoubleHashing, MultiplyShift>());
}

/// Small, or with the divisor 255 of 2^32 - 1, where such positions crowd.
JudgedFilter draw_turned_stride(KeyedDraws& draws) {
  const DrawnSize size =
      draws.below(2) == 0 ? in_units(small_size(draws), 8) : in_units(large_size(draws), 8 * 255);
  return with_probe(size, draws.below(2) == 0 ? Probe::of<TurnedStride<15>, Modulo>()
                                              : Probe::of<TurnedStride<17>, Modulo>());
}

JudgedFilter draw_offset_as_stride(KeyedDraws& draws) {
  return with_probe(small_size(draws), Probe::of<StrideEqualsOffset, MultiplyShift>());
}

JudgedFilter draw_chained(KeyedDraws& draws) {
  return with_probe(in_units(small_size(draws), 64), Probe::of<Chained, Modulo>());
}

JudgedFilter draw_more_keys(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  return with_keys(size, {.per_hundred = drawn_between(draws, 105, 400)});
}

/// The bits of filters that are merged are those of one that was given the keys of all.
JudgedFilter draw_merged(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  return with_keys(size, {.per_hundred = 100 * drawn_between(draws, 2, 5)});
}

JudgedFilter draw_fewer_keys(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  return with_keys(size, {.per_hundred = drawn_between(draws, 30, 95)});
}

JudgedFilter draw_several(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  const std::uint64_t filters = drawn_between(draws, 2, 5);
  JudgedFilter filter = said_standard(size, several_maker(size, filters));
  filter.keys.per_hundred = 100 * filters;
  return filter;
}

JudgedFilter draw_confused_keys(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  JudgedFilter filter = said_standard(size, masked_maker(size, first_bit - 1));
  filter.keys.twin_in = drawn_scale(draws, 4, 11);
  return filter;
}

/// Made for few keys; more come, and it grows.
JudgedFilter draw_layers(KeyedDraws& draws) {
  struct Sized {
    double rate;
    std::uint64_t bits_per_hundred_keys;
    std::uint64_t k;
  };
  constexpr std::array sizes = {Sized{0.01, 959, 7}, Sized{0.02, 815, 6}, Sized{0.05, 624, 4}};
  constexpr std::array tightenings = {0.5, 0.8, 0.85, 0.9};
  const Sized& sized = sizes[draws.below(sizes.size())];
  const std::uint64_t planned = drawn_scale(draws, 11, 13);
  const Scalable::Parameters grown{.target = sized.rate,
                                   .tightening = tightenings[draws.below(tightenings.size())],
                                   .growth = draws.below(2) == 0 ? 2U : 4U,
                                   .first_capacity = planned};
  JudgedFilter filter;
  filter.said = {.kind = Standard::name,
                 .m = planned * sized.bits_per_hundred_keys / 100,
                 .k = sized.k,
                 .planned = planned,
                 .requested_rate = sized.rate};
  filter.n = planned * drawn_between(draws, 110, 600) / 100;
  filter.queries = drawn_scale(draws, 12, 18);
  filter.make = [grown](std::uint64_t n, std::uint64_t seed) {
    return keyed_filter(Scalable(grown, ideal_probe()),
                        ideal_probe().need(Scalable::probes(grown, n)), seed);
  };
  return filter;
}

JudgedFilter draw_whole_words(KeyedDraws& draws) {
  const DrawnSize size = small_size(draws);
  return said_standard(size, standard_maker(in_whole(size.m, 64), size.k));
}

JudgedFilter draw_inverted_probe(KeyedDraws& draws) {
  const DrawnSize size = large_size(draws);
  return said_standard(size, defective_maker<LastProbeInverted>(size));
}

constexpr std::array all_judged = {
    JudgedDefect{"none", "none", draw_right},
    // Hash and positions.
    JudgedDefect{"hash_of_32_bits", "hash_width", draw_hash_of_32_bits},
    JudgedDefect{"short_hash", "hash_width", draw_short_hash},
    JudgedDefect{"narrow_positions", "reduction", draw_narrow_positions},
    JudgedDefect{"half_of_bits", "fewer_bits", draw_half_of_bits},
    JudgedDefect{"mask_of_any_size", "fewer_bits", draw_mask},
    JudgedDefect{"clamped_remainder", "sign", draw_clamped},
    JudgedDefect{"any_stride", "strides", draw_any_stride},
    JudgedDefect{"turned_stride", "derived_stride", draw_turned_stride},
    JudgedDefect{"offset_as_stride", "derived_stride", draw_offset_as_stride},
    JudgedDefect{"chained_positions", "shared_bits", draw_chained},
    // Sizes, probes and layouts.
    JudgedDefect{"size_power_of_two", "size_formula", draw_power_of_two},
    JudgedDefect{"size_formula", "size_formula", draw_size_formula},
    JudgedDefect{"probe_more_or_less", "probe_count", draw_probe_more_or_less},
    JudgedDefect{"probes_by_ln2", "probe_count", draw_probes_by_ln2},
    JudgedDefect{"query_probe_missing", "probe_count", draw_query_probe_missing},
    JudgedDefect{"unsaid_blocks", "layout", draw_unsaid_blocks},
    JudgedDefect{"missing_blocks", "layout", draw_missing_blocks},
    JudgedDefect{"layers", "layers", draw_layers},
    // Keys.
    JudgedDefect{"more_keys", "more_keys", draw_more_keys},
    JudgedDefect{"merged_filters", "more_keys", draw_merged},
    JudgedDefect{"fewer_keys", "fewer_keys", draw_fewer_keys},
    JudgedDefect{"several_filters", "several_filters", draw_several},
    JudgedDefect{"confused_keys", "weak_hash", draw_confused_keys},
    // What the judge has no cause for.
    JudgedDefect{"whole_words", "unknown", draw_whole_words},
    JudgedDefect{"last_probe_inverted", "unknown", draw_inverted_probe},
};

constexpr auto all_judged_names = [] {
  std::array<std::string_view, all_judged.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = all_judged[i].name;
  return names;
}();

/// Calls `use` with the first and the number of keys of one batch after the other.
template <class Use>
void for_each_batch(std::uint64_t keys, Use use) {
  for (std::uint64_t first = 0; first < keys; first += keys_per_batch) {
    use(first, static_cast<std::size_t>(std::min<std::uint64_t>(keys_per_batch, keys - first)));
  }
}

}  // namespace

std::span<const JudgedDefect> judged_defects() { return all_judged; }

std::span<const std::string_view> judged_defect_names() { return all_judged_names; }

std::uint64_t count_reported(const JudgedFilter& filter, std::uint64_t n, std::uint64_t queries,
                             std::uint64_t seed) {
  constexpr int key_bytes = 8;
  const Made made = filter.make(n, hash_seed(seed));
  const KeyedPermutation keys(seed);
  const std::uint64_t inserted = std::max<std::uint64_t>(1, n * filter.keys.per_hundred / 100);
  std::vector<std::uint64_t> values;
  for_each_batch(inserted, [&](std::uint64_t first, std::size_t count) {
    values.resize(count);
    keys.apply_range(first, values);
    made->insert(KeyBatch::integers(values, key_bytes));
  });
  KeyedDraws draws(seed);
  std::uint64_t reported = 0;
  for_each_batch(queries, [&](std::uint64_t first, std::size_t count) {
    values.resize(count);
    keys.apply_range(inserted + first, values);
    for (std::uint64_t& value : values) {
      if (filter.keys.twin_in == 0 || draws.below(filter.keys.twin_in) > 0) continue;
      value = keys(draws.below(inserted)) ^ first_bit;
    }
    reported += made->count_contained(KeyBatch::integers(values, key_bytes));
  });
  return reported;
}

}  // namespace bloomlab::experiments
