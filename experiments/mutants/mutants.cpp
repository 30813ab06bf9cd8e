#include <array>
#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/filters/blocked.hpp"
#include "core/filters/partitioned.hpp"
#include "core/filters/split_block.hpp"
#include "core/filters/standard.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "core/probe/double_hashing.hpp"
#include "core/reduction/modulo.hpp"
#include "core/reduction/modulo_32.hpp"
#include "experiments/mutants/bit_filter.hpp"
#include "experiments/mutants/block_filter.hpp"
#include "experiments/mutants/composed.hpp"
#include "experiments/mutants/defective_families.hpp"
#include "experiments/mutants/defective_reductions.hpp"
#include "experiments/mutants/keyed_mutant.hpp"
#include "experiments/mutants/mutant.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;
using Made = std::unique_ptr<Implementation>;

constexpr int probes = 7;
constexpr int strided_probes = 10;

// The right filters and their sizes.

constexpr std::uint64_t standard_m(std::uint64_t n) { return 10 * n; }
constexpr std::uint64_t sparse_m(std::uint64_t n) { return 100 * n; }
// Many bits and probes per key, so that the rate is low enough for keys with too few different
// positions to show; a power of two, to which odd strides belong.
constexpr std::uint64_t strided_m(std::uint64_t n) { return std::bit_floor(33 * n); }
constexpr std::uint64_t blocks(std::uint64_t n, std::uint64_t block_bits) {
  return (10 * n + block_bits - 1) / block_bits;
}
constexpr std::uint64_t lane_blocks(std::uint64_t n) { return blocks(n, LaneBlocks::block_bits); }

template <std::uint64_t (*m)(std::uint64_t), int k = probes>
Json standard_json(std::uint64_t n) {
  return {{"kind", "standard"}, {"m", m(n)}, {"k", k}};
}
Json partitioned_json(std::uint64_t n) {
  return {{"kind", "partitioned"}, {"m", standard_m(n)}, {"k", probes}};
}
Json blocked_json(std::uint64_t n) {
  return {{"kind", "blocked"},
          {"m", blocks(n, max_block_bits) * max_block_bits},
          {"k", probes},
          {"block_bits", max_block_bits}};
}
Json split_block_json(std::uint64_t n) {
  return {{"kind", "split_block"}, {"m", lane_blocks(n) * LaneBlocks::block_bits}};
}
Json counting_json(std::uint64_t n) {
  return {{"kind", "counting"}, {"m", standard_m(n)}, {"k", probes}, {"counter_bits", 4}};
}

constexpr Scalable::Parameters scalable_parameters = {
    .target = 0.01, .tightening = 0.9, .growth = 4, .first_capacity = 1000};
Json scalable_json(std::uint64_t /*n*/) {
  return {{"kind", "scalable"},
          {"target", scalable_parameters.target},
          {"tightening", scalable_parameters.tightening},
          {"growth", scalable_parameters.growth},
          {"first_capacity", scalable_parameters.first_capacity}};
}

constexpr RightFilter standard = {"none_standard", standard_json<standard_m>, "independent", 10};
constexpr RightFilter sparse = {"none_sparse", standard_json<sparse_m>, "independent", 100};
constexpr RightFilter strided = {"none_double_hashing", standard_json<strided_m, strided_probes>,
                                 "double_hashing_odd", 33};
constexpr RightFilter partitioned = {"none_partitioned", partitioned_json, "independent", 10};
constexpr RightFilter blocked = {"none_blocked", blocked_json, "", 11};
constexpr RightFilter split_block = {"none_split_block", split_block_json, "", 11};
constexpr RightFilter scalable = {"none_scalable", scalable_json, "independent", 100};
// Beside the counters the keys, which stay to leave later: twice as many words while they grow.
constexpr RightFilter counting = {"none_counting", counting_json, "independent", 40 + 192};

// How the mutants are made.

/// A standard filter of core with the positions of this family.
template <std::uint64_t (*m)(std::uint64_t), class Family, class Reduction = MultiplyShift,
          int k = probes>
Made probed(std::uint64_t n, std::uint64_t seed) {
  const Probe probe = Probe::of<Family, Reduction>();
  return std::make_unique<KeyedMutant<Standard>>(Standard({.m = m(n), .k = k}, probe),
                                                 probe.need(k), seed);
}

template <class Reduction>
Made reduced(std::uint64_t n, std::uint64_t seed) {
  return probed<standard_m, Independent, Reduction>(n, seed);
}

template <class Family>
Made double_hashed(std::uint64_t n, std::uint64_t seed) {
  return probed<strided_m, Family, MultiplyShift, strided_probes>(n, seed);
}

template <class Family, class Reduction = MultiplyShift>
Made derived(std::uint64_t n, std::uint64_t seed) {
  return probed<standard_m, Family, Reduction>(n, seed);
}

Made ignoring_seed(std::uint64_t n, std::uint64_t /*seed*/) { return derived<Independent>(n, 0); }

Made of_text_keys(std::uint64_t n, std::uint64_t seed) {
  return std::make_unique<TextKeys>(derived<Independent>(n, seed));
}

template <class Defect>
using BitMutant = KeyedMutant<DefectiveBits<Defect>>;

template <class Defect>
std::unique_ptr<BitMutant<Defect>> new_bits(std::uint64_t n, std::uint64_t seed) {
  using Filter = DefectiveBits<Defect>;
  return std::make_unique<BitMutant<Defect>>(Filter(standard_m(n), probes), Filter::need(probes),
                                             seed);
}

template <class Defect>
Made bits(std::uint64_t n, std::uint64_t seed) {
  return new_bits<Defect>(n, seed);
}

/// A filter that held n other keys before, and was cleared.
template <class Defect>
Made reused_bits(std::uint64_t n, std::uint64_t seed) {
  auto filter = new_bits<Defect>(n, seed);
  const KeyedPermutation earlier(~seed);
  std::vector<std::uint64_t> keys(mutant_batch_keys);
  for (std::uint64_t first = 0; first < n; first += keys.size()) {
    keys.resize(std::min<std::uint64_t>(keys.size(), n - first));
    earlier.apply_range(first, keys);
    filter->insert(KeyBatch::integers(keys, 8));
  }
  filter->filter().clear();
  return filter;
}

template <class Filter>
Made of_one_word(Filter filter, std::uint64_t seed) {
  return std::make_unique<KeyedMutant<Filter>>(std::move(filter), DigestNeed{.words = 1}, seed);
}

Made right_blocked(std::uint64_t n, std::uint64_t seed) {
  const std::uint64_t m = blocks(n, max_block_bits) * max_block_bits;
  return of_one_word(Blocked({.m = m, .k = probes, .block_bits = max_block_bits}), seed);
}

template <class Layout>
Made in_blocks(std::uint64_t n, std::uint64_t seed) {
  Layout layout;
  layout.blocks = blocks(n, max_block_bits);
  layout.block_bits = max_block_bits;
  layout.k = probes;
  return of_one_word(DefectiveBlocks<Layout>(layout), seed);
}

Made right_split_block(std::uint64_t n, std::uint64_t seed) {
  return of_one_word(SplitBlock({.m = lane_blocks(n) * LaneBlocks::block_bits}), seed);
}

template <class Layout>
Made in_lanes(std::uint64_t n, std::uint64_t seed) {
  Layout layout;
  layout.blocks = lane_blocks(n);
  return of_one_word(DefectiveBlocks<Layout>(layout), seed);
}

Made right_partitioned(std::uint64_t n, std::uint64_t seed) {
  const Probe probe = Probe::of<Independent, MultiplyShift>();
  return std::make_unique<KeyedMutant<Partitioned>>(
      Partitioned({.m = standard_m(n), .k = probes}, probe), probe.need(probes), seed);
}

template <std::uint64_t overlap>
Made overlapping(std::uint64_t n, std::uint64_t seed) {
  using Filter = OverlappingSlices<overlap>;
  return std::make_unique<KeyedMutant<Filter>>(Filter(standard_m(n), probes),
                                               Independent::need(probes), seed);
}

template <class Filter>
Made growing(std::uint64_t n, std::uint64_t seed) {
  const Probe probe = Probe::of<Independent, MultiplyShift>();
  const DigestNeed need = probe.need(Scalable::probes(scalable_parameters, n));
  return std::make_unique<KeyedMutant<Filter>>(Filter(Scalable(scalable_parameters, probe)), need,
                                               seed);
}

template <OverflowPolicy policy>
Made busy(std::uint64_t n, std::uint64_t seed) {
  const Probe probe = Probe::of<Independent, MultiplyShift>();
  return std::make_unique<BusyCounting>(
      Counting({.m = standard_m(n), .k = probes, .counter_bits = 4, .overflow = policy}, probe),
      probe.need(probes), seed);
}

constexpr std::array all = {
    // Controls.
    Mutant{"none_standard", &standard, derived<Independent>},
    Mutant{"none_sparse", &sparse, probed<sparse_m, Independent>},
    Mutant{"none_double_hashing", &strided, double_hashed<DoubleHashingOdd>},
    Mutant{"none_blocked", &blocked, right_blocked},
    Mutant{"none_split_block", &split_block, right_split_block},
    Mutant{"none_partitioned", &partitioned, right_partitioned},
    Mutant{"none_scalable", &scalable, growing<Scalable>},
    Mutant{"none_counting", &counting, busy<OverflowPolicy::saturate>},
    // From a word to a position.
    Mutant{"multiply_shift_32_bits", &sparse, probed<sparse_m, Independent, MultiplyShift32Bits>},
    Mutant{"modulo_32_bits", &sparse, probed<sparse_m, Independent, Modulo32>},
    Mutant{"modulo_one_less", &standard, reduced<ModuloOneLess>},
    Mutant{"mask_of_any_size", &standard, reduced<MaskOfAnySize>},
    Mutant{"clamped_remainder", &standard, reduced<ClampedRemainder>},
    Mutant{"size_in_16_bits", &standard, reduced<SizeIn16Bits>},
    Mutant{"single_precision", &standard, reduced<SinglePrecision>},
    Mutant{"shift_in_32_bits", &standard, reduced<ShiftIn32Bits>},
    // From a key to the words of its probes.
    Mutant{"equal_seeds", &standard, derived<EqualSeeds>},
    Mutant{"seed_added_last", &standard, derived<SeedAddedLast, Modulo>},
    Mutant{"first_probe_twice", &standard, derived<FirstProbeTwice>},
    Mutant{"digest_of_32_bits", &standard, derived<DigestOf32Bits>},
    Mutant{"turned_digest", &standard, derived<TurnedDigest>},
    Mutant{"text_keys", &standard, of_text_keys},
    Mutant{"seed_ignored", &standard, ignoring_seed},
    Mutant{"even_strides", &strided, double_hashed<EvenStrides>},
    Mutant{"any_stride", &strided, double_hashed<DoubleHashing>},
    Mutant{"stride_equals_offset", &strided, double_hashed<StrideEqualsOffset>},
    // Inserts and queries that differ.
    Mutant{"insert_probe_missing", &standard, bits<InsertProbeMissing>},
    Mutant{"insert_probe_extra", &standard, bits<InsertProbeExtra>},
    Mutant{"query_probe_missing", &standard, bits<QueryProbeMissing>},
    Mutant{"last_probe_inverted", &standard, bits<LastProbeInverted>},
    Mutant{"last_probe_decides", &standard, bits<LastProbeDecides>},
    // Keys and updates that get lost.
    Mutant{"lost_key_in_1000", &standard, bits<LostKey<1000>>},
    Mutant{"lost_key_in_1000000", &standard, bits<LostKey<1'000'000>>},
    Mutant{"batch_end_lost", &standard, bits<BatchEndLost>},
    Mutant{"batch_begin_twice", &standard, bits<BatchBeginTwice>},
    Mutant{"stale_digest", &standard, bits<StaleDigest>},
    Mutant{"lost_update", &standard, bits<LostUpdate>},
    Mutant{"inverted_answer", &standard, bits<InvertedAnswer>},
    // Memory.
    Mutant{"last_word_lost", &standard, bits<LastWordLost>},
    Mutant{"popcount_of_32_bits", &standard, bits<PopcountOf32Bits>},
    Mutant{"last_word_kept", &standard, reused_bits<LastWordKept>},
    Mutant{"cleared_too_few", &standard, reused_bits<ClearedTooFew>},
    // Blocks, slices, layers, counters.
    Mutant{"block_bits_shared", &blocked, in_blocks<BlockBitsShared>},
    Mutant{"block_half_used", &blocked, in_blocks<BlockHalfUsed>},
    Mutant{"block_index_of_16_bits", &blocked, in_blocks<BlockIndexOf16Bits>},
    Mutant{"last_block_lost", &blocked, in_blocks<LastBlockLost>},
    Mutant{"equal_salts", &split_block, in_lanes<EqualSalts>},
    Mutant{"overlapping_slices", &partitioned, overlapping<64>},
    Mutant{"boundary_key_lost", &scalable, growing<BoundaryKeyLost>},
    Mutant{"wrapped_counter", &counting, busy<OverflowPolicy::wrap>},
    Mutant{"lowered_full_counter", &counting, busy<OverflowPolicy::report>},
};

constexpr auto all_names = [] {
  std::array<std::string_view, all.size()> names;
  for (std::size_t i = 0; i < all.size(); ++i) names[i] = all[i].name;
  return names;
}();

}  // namespace

std::span<const Mutant> mutants() { return all; }

std::span<const std::string_view> mutant_names() { return all_names; }

const Mutant& mutant(std::string_view name) {
  for (const Mutant& mutant : all) {
    if (mutant.name == name) return mutant;
  }
  throw std::invalid_argument("no mutant is called " + std::string(name));
}

}  // namespace bloomlab::experiments
