// Rounds of lookups, and inserts, with the positions of several keys derived at once. A processor
// without 64-bit products in vectors makes them from 32-bit ones; what pays is that the keys that
// are left are packed by one permutation for four of them, where a scalar loop moves each.

#include "core/simd/remix_rounds.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/remix_rounds.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/parameters.hpp"
#include "core/probe/remix.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/simd/packing-inl.hpp"
#include "core/simd/remix_words-inl.hpp"
#include "core/simd/wide_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomlab::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
inline constexpr bool remix_vectors = true;

using RemixLanes = hn::ScalableTag<std::uint64_t>;
using RemixVector = hn::Vec<RemixLanes>;
inline constexpr std::size_t remix_lanes = HWY_MAX_BYTES / sizeof(std::uint64_t);

/// Asks for the memory of the bits at some positions.
template <int Writes>
HWY_INLINE void ask_for_bits(const std::uint64_t* filter, const std::uint64_t* positions) {
  for (std::size_t lane = 0; lane < remix_lanes; ++lane) {
    __builtin_prefetch(filter + positions[lane] / 64, Writes, Writes == 1 ? 3 : 2);
  }
}

/// Of which lanes the bit at the position is set.
HWY_INLINE hn::Mask<RemixLanes> are_set(const std::uint64_t* filter, RemixVector position) {
  const RemixLanes d;
  const hn::RebindToSigned<RemixLanes> ds;
  HWY_ALIGN std::array<std::uint64_t, remix_lanes> places;
  hn::Store(hn::ShiftRight<6>(position), d, places.data());
  const auto at_sign =
      hn::Shl(load_each(d, filter, places.data()), hn::AndNot(position, hn::Set(d, 63)));
  return hn::RebindMask(d, hn::Lt(hn::BitCast(ds, at_sign), hn::Zero(ds)));
}

/// The lookups of one chunk. @tparam Keys also tells which keys are left   @tparam Hints asks for
/// the memory of a key some keys ahead
template <bool Keys, bool Hints>
class RemixRounds {
 public:
  RemixRounds(const RemixedBits& bits, const std::uint64_t* filter)
      : filter_(filter), m_(bits.m), k_(bits.k), ahead_(bits.lookahead / remix_lanes) {}

  /// How many of at most remix_round_keys keys have all their bits set.
  std::size_t run(std::span<const std::uint64_t> digests) {
    side_ = 0;
    std::copy_n(digests.data(), digests.size(), words_[0].data());
    std::size_t left = digests.size();
    for (int i = 0; i < k_ && left != 0; ++i) {
      end_list(words_[side_], left);
      left = i == 0 ? round<true>(left) : round<false>(left);
    }
    return left;
  }
  /// Which ones, after run().
  [[nodiscard]] const std::uint64_t* keys() const { return keys_[side_].data(); }

 private:
  using List = std::array<std::uint64_t, remix_round_keys + 2 * remix_lanes>;

  /// The last vector of a list reads beyond its end.
  static void end_list(List& list, std::size_t size) {
    std::fill_n(list.begin() + static_cast<std::ptrdiff_t>(size), remix_lanes, std::uint64_t{0});
  }

  // One probe of `count` keys; those that are left go to the other list, so that no load has to
  // wait until it is known where the keys before it were stored.
  template <bool First>
  HWY_INLINE std::size_t round(std::size_t count) {
    const RemixLanes d;
    // Copies, which no store into the lists can change as far as the compiler knows.
    const Lists from = lists(side_);
    const Lists to = lists(1 - side_);
    const std::uint64_t* const filter = filter_;
    std::uint64_t* const positions = positions_.data();
    const auto m = hn::Set(d, m_);
    std::size_t left = 0;
    const auto derive = [&](std::size_t a) HWY_ATTR __attribute__((always_inline)) {
      const auto word = hn::LoadU(d, from.words + a);
      return First ? word : next_words(d, word);
    };
    const auto keep = [&](std::size_t a, RemixVector words, RemixVector position) HWY_ATTR
        __attribute__((always_inline)) {
      auto taken = are_set(filter, position);
      if (a + remix_lanes > count) taken = hn::And(taken, hn::FirstN(d, count - a));
      if constexpr (Keys) {
        const auto keys = First ? hn::Iota(d, a) : hn::LoadU(d, from.keys + a);
        static_cast<void>(store_packed(d, keys, taken, to.keys + left));
      }
      left += store_packed(d, words, taken, to.words + left);
    };
    if constexpr (!Hints) {
      for (std::size_t a = 0; a < count; a += remix_lanes) {
        const auto words = derive(a);
        keep(a, words, multiply_high_by_32(d, words, m));
      }
    } else {
      const auto ask = [&](std::size_t a) HWY_ATTR __attribute__((always_inline)) {
        const auto words = derive(a);
        hn::StoreU(words, d, from.words + a);
        hn::StoreU(multiply_high_by_32(d, words, m), d, positions + a);
        ask_for_bits<0>(filter, positions + a);
      };
      const std::size_t groups = (count + remix_lanes - 1) / remix_lanes;
      const std::size_t ahead = std::min(groups, ahead_);
      const auto test = [&](std::size_t group) HWY_ATTR __attribute__((always_inline)) {
        const std::size_t a = group * remix_lanes;
        keep(a, hn::LoadU(d, from.words + a), hn::LoadU(d, positions + a));
      };
      for (std::size_t group = 0; group < ahead; ++group) ask(group * remix_lanes);
      for (std::size_t group = 0; group + ahead < groups; ++group) {
        ask((group + ahead) * remix_lanes);
        test(group);
      }
      for (std::size_t group = groups - ahead; group < groups; ++group) test(group);
    }
    side_ = 1 - side_;
    return left;
  }

  struct Lists {
    std::uint64_t* words;
    std::uint64_t* keys;
  };
  Lists lists(std::size_t side) {
    return {words_[side].data(), Keys ? keys_[side].data() : nullptr};
  }

  const std::uint64_t* filter_;
  std::uint64_t m_;
  int k_;
  std::size_t ahead_;
  std::size_t side_ = 0;
  HWY_ALIGN std::array<List, 2> words_;
  HWY_ALIGN std::array<List, Keys ? 2 : 1> keys_;
  HWY_ALIGN List positions_;
};

template <bool Keys, class Use>
HWY_INLINE auto with_rounds(const RemixedBits& bits, const std::uint64_t* filter, Use use) {
  if (bits.lookahead < remix_lanes) {
    RemixRounds<Keys, false> rounds(bits, filter);
    return use(rounds);
  }
  RemixRounds<Keys, true> rounds(bits, filter);
  return use(rounds);
}

std::uint64_t count_rounds(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                           std::span<const std::uint64_t> filter) {
  return with_rounds<false>(bits, filter.data(), [&](auto& rounds) HWY_ATTR {
    std::uint64_t count = 0;
    for (std::size_t first = 0; first < digests.size(); first += remix_round_keys) {
      count +=
          rounds.run(digests.subspan(first, std::min(remix_round_keys, digests.size() - first)));
    }
    return count;
  });
}

std::size_t find_rounds(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                        std::span<const std::uint64_t> filter, std::span<std::uint16_t> keys) {
  return with_rounds<true>(bits, filter.data(), [&](auto& rounds) HWY_ATTR {
    const std::size_t left = rounds.run(digests);
    std::transform(rounds.keys(), rounds.keys() + left, keys.begin(),
                   [](std::uint64_t key) { return static_cast<std::uint16_t>(key); });
    return left;
  });
}

/// Positions on their way at once while keys are inserted: one of each of so many keys, or all of
/// some keys where each key's answer has to be known before the next key is inserted.
inline constexpr std::size_t insert_lanes = 64;

/// Sets one bit. @return 1 if it was not set before, else 0
HWY_INLINE std::uint64_t set_bit(std::uint64_t* filter, std::uint64_t position) {
  std::uint64_t& word = filter[position / 64];
  const std::uint64_t before = word;
  word = before | (std::uint64_t{1} << (position % 64));
  return (~before >> (position % 64)) & 1;
}

/// Sets the bits of one key. @return what the filter said of it before
HWY_INLINE Answer insert_word(const RemixedBits& bits, std::uint64_t word, std::uint64_t* filter) {
  std::uint64_t missing = 0;
  for (int i = 0; i < bits.k; ++i, word = Remix::next(word)) {
    missing |= set_bit(filter, MultiplyShift::reduce(word, bits.m));
  }
  return missing != 0 ? Answer::absent : Answer::maybe;
}

void insert_rounds(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                   std::span<std::uint64_t> filter) {
  const RemixLanes d;
  HWY_ALIGN std::array<std::uint64_t, insert_lanes> words;
  HWY_ALIGN std::array<std::uint64_t, insert_lanes> positions;
  HWY_ALIGN std::array<std::uint64_t, remix_lanes> due;
  std::uint64_t* const bit_words = filter.data();
  const auto m = hn::Set(d, bits.m);
  const int k = bits.k;
  const auto set_all = [bit_words](const auto& some) HWY_ATTR __attribute__((always_inline)) {
    for (const std::uint64_t position : some) static_cast<void>(set_bit(bit_words, position));
  };
  // One position of every key of a block: asks for its memory, and sets what was asked for before.
  const auto pass = [&](const auto& derive, auto pending) HWY_ATTR __attribute__((always_inline)) {
    for (std::size_t a = 0; a < insert_lanes; a += remix_lanes) {
      if constexpr (pending.value) hn::Store(hn::Load(d, positions.data() + a), d, due.data());
      const RemixVector word = derive(a);
      hn::Store(word, d, words.data() + a);
      hn::Store(multiply_high_by_32(d, word, m), d, positions.data() + a);
      ask_for_bits<1>(bit_words, positions.data() + a);
      if constexpr (pending.value) set_all(due);
    }
  };
  const std::size_t blocks = digests.size() / insert_lanes;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::uint64_t* const keys = digests.data() + block * insert_lanes;
    const auto first = [&](std::size_t a) HWY_ATTR { return hn::LoadU(d, keys + a); };
    const auto next = [&](std::size_t a)
                          HWY_ATTR { return next_words(d, hn::Load(d, words.data() + a)); };
    if (block == 0) {
      pass(first, std::false_type());
    } else {
      pass(first, std::true_type());
    }
    for (int i = 1; i < k; ++i) pass(next, std::true_type());
  }
  if (blocks != 0) set_all(positions);
  for (const std::uint64_t word : digests.subspan(blocks * insert_lanes)) {
    static_cast<void>(insert_word(bits, word, bit_words));
  }
}

/// The positions of some groups of keys, a vector of keys each, that were asked for ahead.
class AskedGroups {
 public:
  AskedGroups(const RemixedBits& bits, std::uint64_t* filter)
      : filter_(filter),
        m_(bits.m),
        k_(static_cast<std::size_t>(bits.k)),
        ahead_((insert_lanes + k_ * remix_lanes - 1) / (k_ * remix_lanes)) {}

  /// Groups between the hint and the use, >= 1.
  [[nodiscard]] std::size_t ahead() const { return ahead_; }

  /// Derives the positions of a group's keys and asks for their memory.
  HWY_INLINE void ask(std::size_t group, const std::uint64_t* digests) {
    const RemixLanes d;
    std::uint64_t* const positions = positions_of(group);
    auto words = hn::LoadU(d, digests);
    for (std::size_t i = 0; i < k_; ++i) {
      if (i != 0) words = next_words(d, words);
      hn::Store(multiply_high_by_32(d, words, hn::Set(d, m_)), d, positions + i * remix_lanes);
      ask_for_bits<1>(filter_, positions + i * remix_lanes);
    }
  }
  /// Inserts the keys of a group that was asked for, one after the other.
  HWY_INLINE void insert(std::size_t group, Answer* before) {
    const std::uint64_t* const positions = positions_of(group);
    for (std::size_t lane = 0; lane < remix_lanes; ++lane) {
      std::uint64_t missing = 0;
      for (std::size_t i = 0; i < k_; ++i) {
        missing |= set_bit(filter_, positions[i * remix_lanes + lane]);
      }
      before[lane] = missing != 0 ? Answer::absent : Answer::maybe;
    }
  }

 private:
  [[nodiscard]] std::uint64_t* positions_of(std::size_t group) {
    return positions_.data() + group % (ahead_ + 1) * k_ * remix_lanes;
  }

  std::uint64_t* filter_;
  std::uint64_t m_;
  std::size_t k_;
  std::size_t ahead_;
  HWY_ALIGN std::array<std::uint64_t, insert_lanes + 2 * remix_lanes * max_probes> positions_;
};

void tell_rounds(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                 std::span<std::uint64_t> filter, std::span<Answer> before) {
  AskedGroups groups(bits, filter.data());
  const std::size_t count = digests.size() / remix_lanes;
  const std::size_t ahead = std::min(groups.ahead(), count);
  const auto ask = [&](std::size_t group)
                       HWY_ATTR { groups.ask(group, digests.data() + group * remix_lanes); };
  for (std::size_t group = 0; group < ahead; ++group) ask(group);
  for (std::size_t group = 0; group < count; ++group) {
    if (group + ahead < count) ask(group + ahead);
    groups.insert(group, before.data() + group * remix_lanes);
  }
  for (std::size_t i = count * remix_lanes; i < digests.size(); ++i) {
    before[i] = insert_word(bits, digests[i], filter.data());
  }
}
#else
inline constexpr bool remix_vectors = false;

std::uint64_t count_rounds(const RemixedBits& /*bits*/, std::span<const std::uint64_t> /*digests*/,
                           std::span<const std::uint64_t> /*filter*/) {
  return 0;
}
std::size_t find_rounds(const RemixedBits& /*bits*/, std::span<const std::uint64_t> /*digests*/,
                        std::span<const std::uint64_t> /*filter*/,
                        std::span<std::uint16_t> /*keys*/) {
  return 0;
}
void insert_rounds(const RemixedBits& /*bits*/, std::span<const std::uint64_t> /*digests*/,
                   std::span<std::uint64_t> /*filter*/) {}
void tell_rounds(const RemixedBits& /*bits*/, std::span<const std::uint64_t> /*digests*/,
                 std::span<std::uint64_t> /*filter*/, std::span<Answer> /*before*/) {}
#endif

bool has_rounds() { return remix_vectors; }

}  // namespace bloomlab::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bloomlab::simd {

HWY_EXPORT(has_rounds);
HWY_EXPORT(count_rounds);
HWY_EXPORT(find_rounds);
HWY_EXPORT(insert_rounds);
HWY_EXPORT(tell_rounds);

bool has_remix_rounds(std::uint64_t m) {
  return m >> 32 == 0 && HWY_DYNAMIC_DISPATCH(has_rounds)();
}

std::uint64_t count_remixed(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                            std::span<const std::uint64_t> filter) {
  return HWY_DYNAMIC_DISPATCH(count_rounds)(bits, digests, filter);
}

std::size_t find_remixed(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                         std::span<const std::uint64_t> filter, std::span<std::uint16_t> keys) {
  return HWY_DYNAMIC_DISPATCH(find_rounds)(bits, digests, filter, keys);
}

void insert_remixed(const RemixedBits& bits, std::span<const std::uint64_t> digests,
                    std::span<std::uint64_t> filter, std::span<Answer> before) {
  if (before.empty()) {
    HWY_DYNAMIC_DISPATCH(insert_rounds)(bits, digests, filter);
  } else {
    HWY_DYNAMIC_DISPATCH(tell_rounds)(bits, digests, filter, before);
  }
}

}  // namespace bloomlab::simd
#endif
