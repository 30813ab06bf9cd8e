// Defects of other sizes than those of the mutation matrix, and two defects in one filter.

#include "core/catalogue.hpp"
#include "core/filters/standard.hpp"
#include "experiments/mutants/bit_filter.hpp"
#include "experiments/mutants/block_filter.hpp"
#include "experiments/mutants/composed.hpp"
#include "experiments/mutants/defective_families.hpp"
#include "experiments/mutants/defective_reductions.hpp"
#include "experiments/mutants/keyed_mutant.hpp"
#include "tests/audit/score.hpp"

namespace bloomlab::tests {
namespace {

using namespace experiments;
using audit::Class;
using Made = std::unique_ptr<Implementation>;

constexpr int probes = 7;

const RightFilter& right(const char* control) { return *mutant(control).right; }

std::uint64_t bits_of(const RightFilter& right, std::uint64_t n) {
  return right.filter(n).at("m").get<std::uint64_t>();
}

template <class Family, class Reduction = MultiplyShift>
Made probed(std::uint64_t n, std::uint64_t seed) {
  const Probe probe = Probe::of<Family, Reduction>();
  return std::make_unique<KeyedMutant<Standard>>(Standard({.m = 10 * n, .k = probes}, probe),
                                                 probe.need(probes), seed);
}

template <class Family>
Made strided(std::uint64_t n, std::uint64_t seed) {
  constexpr int k = 10;
  const Probe probe = Probe::of<Family, MultiplyShift>();
  const std::uint64_t m = bits_of(right("none_double_hashing"), n);
  return std::make_unique<KeyedMutant<Standard>>(Standard({.m = m, .k = k}, probe), probe.need(k),
                                                 seed);
}

template <class Defect>
std::unique_ptr<KeyedMutant<DefectiveBits<Defect>>> new_bits(std::uint64_t n, std::uint64_t seed) {
  using Filter = DefectiveBits<Defect>;
  return std::make_unique<KeyedMutant<Filter>>(Filter(10 * n, probes), Filter::need(probes), seed);
}

template <class Defect>
Made bits(std::uint64_t n, std::uint64_t seed) {
  return new_bits<Defect>(n, seed);
}

/// It held n other keys before, and was cleared.
template <class Defect>
Made reused(std::uint64_t n, std::uint64_t seed) {
  auto filter = new_bits<Defect>(n, seed);
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(n));
  KeyedPermutation(~seed).apply_range(0, keys);
  filter->insert(KeyBatch::integers(keys, 8));
  filter->filter().clear();
  return filter;
}

template <class Layout>
Made blocked(std::uint64_t n, std::uint64_t seed) {
  Layout layout;
  layout.blocks = bits_of(right("none_blocked"), n) / 512;
  layout.block_bits = 512;
  layout.k = probes;
  using Filter = experiments::DefectiveBlocks<Layout>;
  return std::make_unique<KeyedMutant<Filter>>(Filter(layout), DigestNeed{.words = 1}, seed);
}

template <std::uint64_t overlap>
Made sliced(std::uint64_t n, std::uint64_t seed) {
  using Filter = OverlappingSlices<overlap>;
  return std::make_unique<KeyedMutant<Filter>>(Filter(10 * n, probes), Independent::need(probes),
                                               seed);
}

Made counters_of_3_bits(std::uint64_t n, std::uint64_t seed) {
  const Probe probe = Probe::of<Independent, MultiplyShift>();
  return std::make_unique<BusyCounting>(
      Counting({.m = 10 * n, .k = probes, .counter_bits = 3, .overflow = OverflowPolicy::wrap},
               probe),
      probe.need(probes), seed);
}

// Defects of other sizes.

template <int bits_left>
struct NarrowDigest : OneWord<NarrowDigest<bits_left>> {
  static constexpr std::string_view name = "narrow_digest";
  using OneWord<NarrowDigest>::word;
  static std::uint64_t word(std::uint64_t digest, int i) noexcept {
    BitStream stream((digest & ((std::uint64_t{1} << bits_left) - 1)) |
                     static_cast<std::uint64_t>(i) << 40);
    return stream.take(63) << 1;
  }
};

template <int turn>
struct Turned : OneWord<Turned<turn>> {
  static constexpr std::string_view name = "turned";
  using OneWord<Turned>::word;
  static std::uint64_t word(std::uint64_t digest, int i) noexcept {
    return std::rotl(digest, turn * i);
  }
};

/// Positions from so many bits of a word.
template <int bits_left>
class NarrowMultiplyShift : public AnySize {
 public:
  static constexpr std::string_view name = "narrow_multiply_shift";
  explicit NarrowMultiplyShift(std::uint64_t m) noexcept : m_(m) {}
  std::uint64_t operator()(std::uint64_t word) const noexcept {
    return static_cast<std::uint64_t>(
        multiply_high(word >> (64 - bits_left) << (64 - bits_left), m_));
  }

 private:
  std::uint64_t m_;
};

/// Three quarters of each word are never used.
class ShiftIn16Bits : public AnySize {
 public:
  static constexpr std::string_view name = "shift_in_16_bits";
  explicit ShiftIn16Bits(std::uint64_t m) noexcept : reduce_(m) {}
  std::uint64_t operator()(std::uint64_t word) const noexcept {
    return reduce_(word) & ~std::uint64_t{48};
  }

 private:
  MultiplyShift reduce_;
};

struct StrideOf4 {
  static constexpr std::string_view theory_word = "any";
  template <class Reduction>
  static constexpr bool allows = true;
  static StrideSet of(std::uint64_t m) noexcept { return {0, 4, (m + 3) / 4}; }
  static bool has_closed_form(std::uint64_t /*m*/) noexcept { return false; }
};
struct StridesOf4 : Strided<StrideOf4> {
  static constexpr std::string_view name = "strides_of_4";
};

template <int more>
struct InsertProbes : NoDefect {
  static constexpr int insert_probes(int k) noexcept { return k + more; }
};
struct TwoQueryProbesMissing : NoDefect {
  static constexpr int query_probes(int k) noexcept { return k - 2; }
};
struct LostUpdates : NoDefect {
  bool keeps_update() noexcept { return ++updates % 10'000 != 0; }
  std::uint64_t updates = 0;
};
struct OneInTenThousandInverted : NoDefect {
  bool answer(bool contained) noexcept { return contained != (++answers % 10'000 == 0); }
  std::uint64_t answers = 0;
};
struct HalfOfWords {
  static std::size_t of(std::size_t words) noexcept { return words / 2; }
};

/// Positions of 7 bits in blocks of 512.
struct BlockQuarterUsed : Kept<PlainBlocks> {
  [[nodiscard]] BlockTarget target(std::uint64_t digest) const noexcept {
    BlockTarget target{.word = multiply_high(digest, blocks) * words()};
    BitStream stream(digest);
    for (std::uint64_t i = 0; i < k; ++i) target.add(stream.take(7));
    return target;
  }
};
struct BlockIndexOf12Bits : Kept<PlainBlocks> {
  [[nodiscard]] BlockTarget target(std::uint64_t digest) const noexcept {
    BlockTarget target = PlainBlocks::target(digest);
    target.word = (digest >> 52) % blocks * words();
    return target;
  }
};

// Pairs.

struct KeyLostAndQueryProbeMissing : LostKey<1000> {
  static constexpr int query_probes(int k) noexcept { return k - 1; }
};
struct BatchEndLostAndInsertProbeExtra : BatchEndLost {
  static constexpr int insert_probes(int k) noexcept { return k + 1; }
};
struct ClearedTooFewAndQueryProbeMissing : ClearedTooFew {
  static constexpr int query_probes(int k) noexcept { return k - 1; }
};
struct HalfUsedAndNarrowIndex : Kept<PlainBlocks> {
  [[nodiscard]] BlockTarget target(std::uint64_t digest) const noexcept {
    BlockTarget target{.word = (digest >> 52) % blocks * words()};
    BitStream stream(digest);
    for (std::uint64_t i = 0; i < k; ++i) target.add(stream.take(8));
    return target;
  }
};
Made text_keys_and_half_words(std::uint64_t n, std::uint64_t seed) {
  return std::make_unique<TextKeys>(probed<Independent, ShiftIn32Bits>(n, seed));
}

}  // namespace

std::vector<Case> other_sizes() {
  const RightFilter* const standard = &right("none_standard");
  const RightFilter* const double_hashing = &right("none_double_hashing");
  const RightFilter* const blocks = &right("none_blocked");
  const RightFilter* const slices = &right("none_partitioned");
  const RightFilter* const counting = &right("none_counting");
  const auto one = [](const char* name, Class kind, MakeFilter make, const RightFilter* right) {
    return Case{"other sizes", name, {kind}, true, std::move(make), right};
  };
  return {
      one("hash of 20 bits", Class::hash_width, probed<NarrowDigest<20>>, standard),
      one("hash of 28 bits", Class::hash_width, probed<NarrowDigest<28>>, standard),
      one("positions of 16 bits", Class::reduction, probed<Independent, NarrowMultiplyShift<16>>,
          standard),
      one("positions of 22 bits", Class::reduction, probed<Independent, NarrowMultiplyShift<22>>,
          standard),
      one("a quarter of each word", Class::fewer_bits, probed<Independent, ShiftIn16Bits>,
          standard),
      one("hash turned by 4 bits", Class::shared_bits, probed<Turned<4>>, standard),
      one("hash turned by 16 bits", Class::shared_bits, probed<Turned<16>>, standard),
      one("strides that are multiples of 4", Class::strides, strided<StridesOf4>, double_hashing),
      one("two probes fewer inserted", Class::probe_count, bits<InsertProbes<-2>>, standard),
      one("two probes more inserted", Class::probe_count, bits<InsertProbes<2>>, standard),
      one("two probes fewer queried", Class::probe_count, bits<TwoQueryProbesMissing>, standard),
      one("one key in 100 lost", Class::lost_keys, bits<LostKey<100>>, standard),
      one("one key in 10 000 lost", Class::lost_keys, bits<LostKey<10'000>>, standard),
      one("one update in 10 000 lost", Class::lost_keys, bits<LostUpdates>, standard),
      one("one answer in 10 000 inverted", Class::nondeterminism, bits<OneInTenThousandInverted>,
          standard),
      one("half is not cleared", Class::stale_memory, reused<PartlyCleared<HalfOfWords>>, standard),
      one("a quarter of each block", Class::fewer_bits, blocked<BlockQuarterUsed>, blocks),
      one("block index of 12 bits", Class::reduction, blocked<BlockIndexOf12Bits>, blocks),
      one("slices overlap by 256 bits", Class::fewer_bits, sliced<256>, slices),
      one("counters of 3 bits wrap", Class::capacity, counters_of_3_bits, counting),
  };
}

std::vector<Case> pairs() {
  const RightFilter* const standard = &right("none_standard");
  const RightFilter* const blocks = &right("none_blocked");
  const auto pair = [](const char* name, Class first, Class second, MakeFilter make,
                       const RightFilter* right) {
    return Case{"pairs", name, {first, second}, true, std::move(make), right};
  };
  return {
      pair("keys lost; a probe fewer queried", Class::lost_keys, Class::probe_count,
           bits<KeyLostAndQueryProbeMissing>, standard),
      pair("end of a batch lost; a probe more inserted", Class::lost_keys, Class::probe_count,
           bits<BatchEndLostAndInsertProbeExtra>, standard),
      pair("not cleared; a probe fewer queried", Class::stale_memory, Class::probe_count,
           reused<ClearedTooFewAndQueryProbeMissing>, standard),
      pair("hash of 32 bits; half of each word", Class::hash_width, Class::fewer_bits,
           probed<DigestOf32Bits, ShiftIn32Bits>, standard),
      pair("first probe twice; negative remainders", Class::probe_count, Class::sign,
           probed<FirstProbeTwice, ClampedRemainder>, standard),
      pair("first probe twice; half of each word", Class::probe_count, Class::fewer_bits,
           probed<FirstProbeTwice, ShiftIn32Bits>, standard),
      pair("equal seeds; size in 16 bits", Class::probe_count, Class::fewer_bits,
           probed<EqualSeeds, SizeIn16Bits>, standard),
      pair("turned hash; a mask of any size", Class::shared_bits, Class::fewer_bits,
           probed<TurnedDigest, MaskOfAnySize>, standard),
      pair("half of each block; block index of 12 bits", Class::fewer_bits, Class::reduction,
           blocked<HalfUsedAndNarrowIndex>, blocks),
      pair("text keys; half of each word", Class::weak_hash, Class::fewer_bits,
           text_keys_and_half_words, standard),
  };
}

}  // namespace bloomlab::tests
